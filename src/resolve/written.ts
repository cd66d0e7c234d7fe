import type { Finding } from '../validate/finding.ts';
import type { Written } from '../validate/written.ts';
import { resolveClaim } from './claim.ts';
import { resolveClusterConfig } from './cluster-config.ts';
import { resolveInstallation } from './installation.ts';
import { resolveRecord } from './record.ts';
import { resolveSettings } from './settings.ts';
import { resolveShutdown } from './shutdown.ts';
import type { Claim, ClusterConfig, Installation, LifecycleRecord, Settings, Shutdown } from './state.ts';
import type { Resolved, ResolveTools } from './tools.ts';

/** One document of `state/`, resolved. Settings are apart: everything else is resolved against them. */
export type ResolvedDocument =
  | { readonly kind: 'claim'; readonly value: Claim }
  | { readonly kind: 'cluster'; readonly value: ClusterConfig }
  | { readonly kind: 'installation'; readonly value: Installation }
  | { readonly kind: 'shutdown'; readonly value: Shutdown }
  | { readonly kind: 'record'; readonly value: LifecycleRecord };

export interface ResolvedFile {
  readonly values: readonly ResolvedDocument[];
  readonly findings: readonly Finding[];
}

export function resolveSettingsFile(written: readonly Written[]): Resolved<Settings> {
  const settings = written.find((each) => each.kind === 'Settings');
  return settings === undefined ? { findings: [] } : resolveSettings(settings);
}

/** Everything of one state file but settings. */
export function resolveWritten(written: readonly Written[], settings: Settings, tools: ResolveTools): ResolvedFile {
  const results = written.map((each) => resolveOne(each, settings, tools));
  return {
    values: results.flatMap(({ value }) => (value === undefined ? [] : [value])),
    findings: results.flatMap(({ findings }) => findings),
  };
}

function resolveOne(written: Written, settings: Settings, tools: ResolveTools): Resolved<ResolvedDocument> {
  switch (written.kind) {
    case 'Settings':
      return { findings: [] };
    case 'VClusterClaim':
      return as('claim', resolveClaim(written, settings, tools));
    case 'Cluster':
      return as('cluster', resolveClusterConfig(written, settings));
    case 'Installation':
      return as('installation', resolveInstallation(written, settings));
    case 'ClusterShutdown':
      return as('shutdown', resolveShutdown(written, settings));
    case 'Record':
      return as('record', resolveRecord(written));
  }
}

function as<Kind extends string, T>(kind: Kind, { value, findings }: Resolved<T>): Resolved<{ kind: Kind; value: T }> {
  return value === undefined ? { findings } : { value: { kind, value }, findings };
}
