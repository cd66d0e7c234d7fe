import { createHash } from 'node:crypto';
import { toYaml } from '../../src/render/yaml.ts';
import type { Settings } from '../../src/resolve/state.ts';
import type { ResolveTools } from '../../src/resolve/tools.ts';
import { resolveSettingsFile, resolveWritten } from '../../src/resolve/written.ts';
import { claimText, said, settingsText, validated } from '../validate/kinds/said.ts';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export const tools: ResolveTools = { hash: sha256, stringify: (value) => toYaml(value as never) };

export function settingsOf(spec: Readonly<Record<string, string>> = {}): Settings {
  const { written, findings } = validated('state/settings.yaml', settingsText(spec));
  const { value } = resolveSettingsFile(written);
  if (value === undefined || findings.length > 0) throw new Error(said(findings).join('\n'));
  return value;
}

/** One file against settings, as the pipeline does it; `said` is what resolving adds to validating. */
export function resolved(path: string, text: string, settings: Settings) {
  const { written } = validated(path, text);
  const { values, findings } = resolveWritten(written, settings, tools);
  return { values, findings, said: said(findings) };
}

export function resolvedClaim(spec: string, settings = settingsOf(), name = 'ada') {
  const { values, said: lines } = resolved(`state/claims/${name}.yaml`, claimText(name, spec), settings);
  const [first] = values;
  return { claim: first?.kind === 'claim' ? first.value : undefined, said: lines };
}
