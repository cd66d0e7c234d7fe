import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../support/objects.ts';
import { listTree } from '../../support/tree.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const golden = `${root}test/golden`;

/** What the repository ships. */
export const shipped = { state: `${root}state`, out: `${root}out` };

/** Folders of `test/golden` that expect manifests: name and folder. */
export function goldenOutputs(): readonly (readonly [string, string])[] {
  const cases = readdirSync(golden, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  const outputs = cases.map((name) => [name, `${golden}/${name}/expected`] as const);
  return outputs.filter(([name]) => readdirSync(`${golden}/${name}`).includes('expected') && holdsManifests(name));
}

function holdsManifests(name: string): boolean {
  return renderedIn(`${golden}/${name}/expected`).length > 0;
}

/** Every object below a folder, in the order in which kubectl comes by them. */
export function renderedIn(folder: string): readonly KubeObject[] {
  const files = [...listTree(folder)].filter(([path]) => path.endsWith('.k8s.yaml'));
  return files.flatMap(([, text]) => objectsIn(text));
}

/** The same without an applier's own: what one comes to apply. */
export function appliedIn(folder: string): readonly KubeObject[] {
  return renderedIn(folder).filter(({ apiVersion }) => !/^argoproj\.io|fluxcd\.io/.test(apiVersion));
}

export function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}

/**
 * What was sent and is not there: a path for each field, with both values. What the API server has added to objects is
 * no difference, an entry that it has added to a list is one. False or an empty object for nothing at all is none: Go
 * leaves them out, and reads nothing as the same.
 */
export function lost(sent: unknown, found: unknown, path = ''): readonly string[] {
  if (Array.isArray(sent) && Array.isArray(found) && sent.length === found.length) {
    return sent.flatMap((item: unknown, index) => lost(item, found[index], `${path}[${index}]`));
  }
  if (isRecord(sent) && isRecord(found)) {
    return Object.entries(sent).flatMap(([key, value]) => lost(value, found[key], `${path}.${key}`));
  }
  const isSame = sent === found || (found === undefined && isNothingToGo(sent));
  return isSame ? [] : [`${path}: sent ${JSON.stringify(sent)}, found ${JSON.stringify(found)}`];
}

function isNothingToGo(value: unknown): boolean {
  return value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
