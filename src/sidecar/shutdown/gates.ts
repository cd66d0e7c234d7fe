import { isInMaintenanceOrReady, isSilent, type Member } from './members.ts';
import type { ShutdownObservation } from './observation.ts';
import type { GateName } from './status.ts';

export interface Gate {
  readonly name: GateName;
  readonly open: boolean;
  /** Why not. */
  readonly message?: string;
}

/**
 * What has to hold before anything is shut down, in the order in which it is shown. That every node is ready is asked
 * before the beginning only: what has been turned off since is not ready, and that is the point.
 */
export function gatesOf(observation: ShutdownObservation, members: readonly Member[]): Gate[] {
  return [nodesReady(members), etcdRunning(observation, members), backup(observation), ...userClusters(observation)];
}

function nodesReady(members: readonly Member[]): Gate {
  const name = 'nodes-ready';
  if (hasBegun(members)) return { name, open: true };
  const unready = members
    .filter((member) => !isInMaintenanceOrReady(member))
    .map(({ node, address }) => node?.name ?? address);
  return gate(name, unready, (names) => `Not ready: ${names}.`);
}

/** All the way: etcd that is not whole is not taken apart further. Members that we have turned off are not missed. */
function etcdRunning({ etcd, unread }: ShutdownObservation, members: readonly Member[]): Gate {
  const name = 'etcd-running';
  if (unread.length > 0) return { name, open: false, message: `These could not be read: ${unread.join(', ')}.` };
  if (etcd.length === 0) return { name, open: false, message: 'No Pod with the label component=etcd was found.' };
  const off = new Set(members.filter((each) => each.isInMaintenance && isSilent(each)).map(({ node }) => node?.name));
  const down = etcd.filter(({ isRunning, node }) => !isRunning && !off.has(node)).map(({ pod }) => pod);
  return gate(name, down, (names) => `Not running: ${names}.`);
}

function backup({ shutdown }: ShutdownObservation): Gate {
  const name = 'backup-acknowledged';
  if (shutdown.spec.backupAcknowledged) return { name, open: true };
  return { name, open: false, message: 'Nobody has said that there is a backup: set spec.backupAcknowledged in git.' };
}

/** They would lose the cluster that hosts or manages them under their feet. */
function userClusters({ userClusters: known }: ShutdownObservation): Gate[] {
  const name = 'user-clusters-down';
  if (known === undefined) return [];
  const { clusters, unread } = known;
  if (unread.length > 0) return [{ name, open: false, message: `These could not be read: ${unread.join(', ')}.` }];
  if (clusters.length === 0) return [];
  const up = clusters.flatMap((each) => (each.standing === undefined ? [] : `${each.name} (${each.standing})`));
  return [gate(name, up, (names) => `Still running: ${names}.`)];
}

/** Something is held on our behalf already, so the gates were open once. */
export function hasBegun(members: readonly Member[]): boolean {
  return members.some(({ isOurs }) => isOurs);
}

const shownNames = 5;

function gate(name: GateName, against: readonly string[], words: (names: string) => string): Gate {
  if (against.length === 0) return { name, open: true };
  const sorted = [...against].sort();
  const more = sorted.length > shownNames ? ` and ${sorted.length - shownNames} more` : '';
  return { name, open: false, message: words(`${sorted.slice(0, shownNames).join(', ')}${more}`) };
}
