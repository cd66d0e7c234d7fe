import { type Instant, instantText } from '../instant.ts';
import type { Hash } from '../resolve/tools.ts';
import { limitsOf } from './limits.ts';
import { type AskedBlock, rehearseMaintenance } from './maintenance/rehearse.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Snapshot } from './snapshot.ts';
import { rehearseRemovals, type Wanted } from './uninstall/removals.ts';

/** What git asks of one cluster, as the resources have it that the applier brings. */
export interface Intent extends Wanted {
  readonly blocks: readonly AskedBlock[];
}

export interface ClusterCase {
  readonly snapshot: Snapshot;
  /** Name of the host cluster. */
  readonly cluster: string;
  readonly from: string;
  readonly to: string;
  readonly before: Intent;
  readonly after: Intent;
  /** By which the snapshot is dated; absent: it is not said how old it is. */
  readonly at?: Instant;
  /** Parts of the change that are not rehearsed, in words. */
  readonly unrehearsed: readonly string[];
  readonly hash: Hash;
}

/** The sidecar's deciders on a snapshot of a cluster, with what git asks for before and after a change. */
export function rehearseCluster(options: ClusterCase): Rehearsal {
  const { snapshot, cluster, before, after, hash } = options;
  const maintenance = rehearseMaintenance(snapshot, before.blocks, after.blocks);
  const { uninstalls, sleeps, unknown } = rehearseRemovals(snapshot, after, hash);
  const { uid, serverVersion } = snapshot.cluster;
  const ageSeconds = options.at === undefined ? undefined : Math.floor((options.at - snapshot.takenAt) / 1000);
  const told = {
    version: 1 as const,
    cluster: {
      name: cluster,
      ...(uid !== undefined && { uid }),
      ...(serverVersion !== undefined && { serverVersion }),
      takenAt: instantText(snapshot.takenAt),
      ...(ageSeconds !== undefined && { ageSeconds }),
      nodes: snapshot.nodes.length,
      pods: snapshot.pods.length,
    },
    from: options.from,
    to: options.to,
    maintenance: maintenance.blocks,
    uninstalls,
    sleeps,
  };
  const { unrehearsed } = options;
  return { ...told, limits: limitsOf(snapshot, told, { ...maintenance, unknown, unrehearsed }) };
}
