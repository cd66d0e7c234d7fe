import { at } from '../validate/finding.ts';
import type { WrittenShutdown } from '../validate/written.ts';
import { jobOf } from './defaults.ts';
import { findHostCluster } from './host-cluster.ts';
import type { Settings, Shutdown } from './state.ts';
import type { Resolved } from './tools.ts';

export function resolveShutdown({ origin, metadata, spec }: WrittenShutdown, settings: Settings): Resolved<Shutdown> {
  const host = findHostCluster(metadata.name, settings, at(origin, ['metadata', 'name']));
  if (host.value === undefined) return { findings: host.findings };
  const value: Shutdown = {
    origin,
    cluster: host.value.name,
    action: spec.action,
    backupAcknowledged: spec.backupAcknowledged ?? false,
    ...(spec.powerHook !== undefined && { powerHook: jobOf(spec.powerHook) }),
  };
  return { value, findings: [] };
}
