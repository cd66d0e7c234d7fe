import type { BlockSpec, ObservedBlock } from '../maintenance/observation.ts';
import { shutdownBlockName } from '../maintenance/record.ts';
import { maintenanceTaints } from '../maintenance/taints.ts';
import { gatesOf, hasBegun } from './gates.ts';
import { isPresent, isReady, isSilent, isWorker, type Member, membersOf, type PresentMember } from './members.ts';
import type { ShutdownObservation } from './observation.ts';
import type { GateName } from './status.ts';

/**
 * What a shutdown asks of maintenance, as a block like any other: the same decider drains the nodes, by the same rules,
 * and takes them out again when they are no longer in it.
 */
export function shutdownBlock(observation: ShutdownObservation): ObservedBlock {
  const { shutdown, blocks } = observation;
  const { name, uid, generation } = shutdown;
  return {
    name: shutdownBlockName(name),
    uid,
    generation,
    ...(shutdown.deletedAt !== undefined && { deletedAt: shutdown.deletedAt }),
    spec: {
      ...settingsOf(blocks),
      config: name,
      nodes: heldNodes(observation).map(({ address, role }) => ({
        address,
        pool: '',
        role,
        taints: maintenanceTaints,
      })),
    },
    standsFor: { apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', name },
  };
}

/** In maintenance now, as far as a shutdown has a say in it. */
function heldNodes(observation: ShutdownObservation): PresentMember[] {
  const members = membersOf(observation);
  const present = members.filter(isPresent);
  const ours = present.filter(({ isOurs }) => isOurs);
  switch (observation.shutdown.spec.action) {
    case 'Shutdown':
      return mayGoOn(observation, members) ? inTurn(observation, members) : ours;
    case 'Restart':
      return stillHeld(observation, present);
    case 'None':
      // What is drained waits for what is decided next; what is half drained is let go.
      return ours.filter(({ isInMaintenance }) => isInMaintenance);
  }
}

/** Once begun, the gates that people open stop it where it is when they close; nodes and etcd are looked at one by one. */
const stopping: readonly GateName[] = ['backup-acknowledged', 'user-clusters-down'];

function mayGoOn(observation: ShutdownObservation, members: readonly Member[]): boolean {
  if (observation.unread.length > 0) return false;
  const gates = gatesOf(observation, members);
  if (hasBegun(members)) return gates.every(({ name, open }) => open || !stopping.includes(name));
  return gates.every(({ open }) => open);
}

/** Workers; when all of them are in maintenance, everything, unless etcd is not whole. */
function inTurn(observation: ShutdownObservation, members: readonly Member[]): PresentMember[] {
  const present = members.filter(isPresent);
  const workers = present.filter(isWorker);
  const others = present.filter((member) => !isWorker(member));
  const isEtcdWhole = gatesOf(observation, members).every(({ name, open }) => open || name !== 'etcd-running');
  const isTheirTurn = workers.every((member) => member.isInMaintenance || isSilent(member));
  if (isTheirTurn && isEtcdWhole) return present;
  return [...workers, ...others.filter(({ isOurs }) => isOurs)];
}

/**
 * A restart lets go of the control plane first, once all of it is back, then of one worker, then of as many again as
 * are out already: if something is wrong, few of them find out.
 */
function stillHeld({ etcd, unread }: ShutdownObservation, present: readonly PresentMember[]): PresentMember[] {
  const ours = present.filter(({ isOurs }) => isOurs);
  const core = present.filter((member) => !isWorker(member));
  const isCoreBack = core.every(isReady) && etcd.every(({ isRunning }) => isRunning) && unread.length === 0;
  if (!isCoreBack) return ours;
  const heldWorkers = ours.filter(isWorker);
  if (core.some(({ isOurs }) => isOurs)) return heldWorkers;
  const back = present.filter((member) => isWorker(member) && !member.isOurs && isReady(member)).length;
  const next = new Set(heldWorkers.filter(isReady).slice(0, Math.max(1, back)));
  return heldWorkers.filter((member) => !next.has(member));
}

type Settings = Omit<BlockSpec, 'config' | 'nodes'>;

/**
 * A shutdown says nothing about how to drain, so it is as the cluster's own blocks have it; where several configs share
 * a cluster, as the most careful of them. Taints are ours even where the applier writes others: it knows nothing of a
 * shutdown.
 */
function settingsOf(blocks: readonly ObservedBlock[]): Settings {
  const specs = blocks.filter(({ deletedAt }) => deletedAt === undefined).map(({ spec }) => spec);
  const [first] = specs;
  if (first === undefined) return { deadlineSeconds: 1200, ignorePdb: false, profile: '1.29', taintedBy: 'sidecar' };
  return {
    deadlineSeconds: Math.max(...specs.map(({ deadlineSeconds }) => deadlineSeconds)),
    ignorePdb: specs.every(({ ignorePdb }) => ignorePdb),
    profile: specs.every(({ profile }) => profile === '1.28') ? '1.28' : '1.29',
    cordon: specs.some(({ cordon }) => cordon === true),
    csiPodNames: [...new Set(specs.flatMap(({ csiPodNames = [] }) => csiPodNames))].sort(),
    taintedBy: 'sidecar',
  };
}
