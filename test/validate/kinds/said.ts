import { loadFile } from '../../../src/load/documents.ts';
import { validateFile } from '../../../src/validate/file.ts';
import type { Finding } from '../../../src/validate/finding.ts';
import { pathText } from '../../../src/validate/words.ts';

/** Findings as lines that can stand in a table: `code place: message remedy`. */
export function said(findings: readonly Finding[]): string[] {
  return findings.map(({ code, at, message, remedy }) => {
    const place = at.kind === 'value' ? pathText(at.path) : at.kind;
    return `${code} ${place}: ${message} ${remedy}`;
  });
}

/** Everything that is said of one file before settings come in. */
export function validated(path: string, text: string) {
  const file = loadFile(path, new TextEncoder().encode(text));
  const { written, findings } = validateFile(file);
  return { written, findings: [...file.findings, ...findings], said: said([...file.findings, ...findings]) };
}

/** A valid claim with other lines below `spec`. */
export function claimText(name: string, spec = '', apiVersion = 'quiesce.dev/v1alpha1'): string {
  return `apiVersion: ${apiVersion}
kind: VClusterClaim
metadata:
  name: ${name}
spec:
  owner: { name: Team, email: team@example.edu }
${spec}`;
}

/** Valid settings with other lines below `spec`, in place of the defaults where they name the same key. */
export function settingsText(spec: Readonly<Record<string, string>> = {}): string {
  const all = {
    clusters: '[{ name: atlas, server: "https://atlas.example.edu:6443", applier: argocd }]',
    claims: '{ version: 0.30.1 }',
    git: '{ url: "https://git.example.edu/state.git", author: { name: Quiesce, email: quiesce@example.edu } }',
    images: '{ quiesce: "registry.example.edu/quiesce:0.1.0" }',
    ...spec,
  };
  return `apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata: { name: campus }
spec:
${Object.entries(all)
  .map(([key, value]) => `  ${key}: ${value}\n`)
  .join('')}`;
}
