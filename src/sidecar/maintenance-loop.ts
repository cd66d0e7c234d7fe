import { openEtcdLeader } from './etcd-leader.ts';
import { openInFlight } from './in-flight.ts';
import type { Change, Slim } from './kube/cache.ts';
import type { KubeClient } from './kube/client.ts';
import type { Recorder } from './kube/events.ts';
import { openOwners } from './kube/owners.ts';
import type { SlimPod } from './kube/slim-pod.ts';
import type { Log } from './log.ts';
import { actOnMaintenance } from './maintenance/act.ts';
import type { RefusedWrite } from './maintenance/observation.ts';
import { observeMaintenance, observeNodes, type Recollection } from './maintenance/observe.ts';
import { showMaintenance } from './maintenance-metrics.ts';
import { type NodesAction, outcomeReport } from './maintenance-report.ts';
import { tellMaintenance } from './maintenance-words.ts';
import { type ManagedClusters, openManagedClusters } from './managed-clusters.ts';
import type { Metrics } from './metrics.ts';
import type { Reconciler } from './reconciler.ts';
import { actOnShutdowns } from './shutdown/act.ts';
import { shutdownBlock } from './shutdown/held.ts';
import { isShutdownAsked, observeShutdowns } from './shutdown/observe.ts';
import { decideNodes, type NodesDecision, type NodesObservation } from './shutdown/together.ts';
import { tellShutdown } from './shutdown-words.ts';
import { openStatusPace } from './status-pace.ts';
import { isEtcd, type Kind, type OpenWorld } from './world.ts';

export interface MaintenanceOptions {
  readonly client: KubeClient;
  readonly world: OpenWorld;
  readonly recorder: Recorder;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly parallel: number;
  readonly pageSize: number;
  /** Where Jobs of power hooks are made. */
  readonly namespace: string;
  readonly now: () => number;
  mayAct(): boolean;
  /** Asks for a pass. */
  wake(inMs: number): void;
  failed(what: string): void;
}

const fieldManager = 'quiesce-sidecar';

const unforeseen = 'an action failed in a way that nobody foresaw';

/** Budgets are shared between the nodes of all blocks and shutdowns, so all of them are one subject. */
export const maintenanceKey = 'cluster';

export function maintenanceLoop(options: MaintenanceOptions): Reconciler<NodesObservation, NodesDecision> {
  const { world, metrics } = options;
  const memory: Memory = {
    recollection: { answers: new Map(), refusals: new Map(), held: new Set() },
    refusals: new Map(),
  };
  const actions = actors(options, memory);
  const managed = openManagedClusters(options);
  return {
    name: 'maintenance',
    keys: () => [maintenanceKey],
    concerns: (kind, change) => (matters(kind, change, world, memory.recollection.held) ? [maintenanceKey] : []),
    observe: observer(options, memory, managed),
    decide: decideNodes,
    act: (decision) => {
      showMaintenance(decision, metrics);
      actions.act(decision);
    },
    read: async () => {
      if (isShutdownAsked(world.world)) await managed.read();
    },
    again: ({ requeueAt }) => requeueAt,
    tell: ({ maintenance, shutdowns }) => [...tellMaintenance(maintenance), ...shutdowns.flatMap(tellShutdown)],
    settled: actions.settled,
  };
}

/** Lost with the process, which costs a repetition. */
interface Memory {
  readonly recollection: Recollection;
  /** Jobs of power hooks that could not be made. */
  readonly refusals: Map<string, RefusedWrite>;
}

function observer(
  { client, world: opened, wake }: MaintenanceOptions,
  { recollection, refusals }: Memory,
  managed: ManagedClusters,
) {
  const { world } = opened;
  const owners = openOwners(client, () => wake(0));
  const leader = openEtcdLeader(client, () => wake(0));
  return (): NodesObservation => {
    const unread = opened.unread();
    const seen = observeNodes(world, unread);
    const shutdowns = observeShutdowns({
      world,
      ...seen,
      areJobsRead: !unread.includes('powerJobs'),
      areClaimsRead: !unread.includes('claims'),
      refusals,
      leaderOf: leader.look,
      managed: managed.look,
    });
    const asked = shutdowns.map(shutdownBlock);
    return {
      maintenance: observeMaintenance({ world, seen, asked, recollection, ownerOf: owners.look }),
      shutdowns,
    };
  };
}

function actors(options: MaintenanceOptions, { recollection, refusals }: Memory) {
  const { world, log, wake } = options;
  const onError = (error: unknown) => log.error({ error }, unforeseen);
  const inFlight = () => openInFlight({ limit: options.parallel, onEnd: () => wake(0), onError });
  const [evictions, writes, power] = [inFlight(), inFlight(), inFlight()];
  const report = outcomeReport(options);
  const onOutcome = (action: NodesAction, outcome: string) => report(action, outcome);
  const shared = { ...options, fieldManager, statuses: openStatusPace(wake), wrote: world.wrote, onOutcome };
  const maintain = actOnMaintenance({ ...shared, recollection, evictions, writes });
  const shutDown = actOnShutdowns({ ...shared, refusals, writes: power });
  return {
    act: ({ maintenance, shutdowns }: NodesDecision) => {
      maintain(maintenance.actions);
      shutDown(shutdowns.flatMap(({ actions }) => actions));
    },
    settled: async (rest: 'begin' | 'drop') => {
      for (const each of [evictions, writes, power]) await each.settled(rest);
    },
  };
}

const always: readonly Kind[] = ['blocks', 'nodes', 'shutdowns', 'powerJobs'];
const whileDraining: readonly Kind[] = [
  'budgets',
  'priorityClasses',
  'csiDrivers',
  'csiNodes',
  'namespaces',
  'volumes',
];

/** On a large cluster at rest Pods come and go all the time, and nothing is to be decided. */
function matters(kind: Kind, change: Change<Slim>, { world }: OpenWorld, held: ReadonlySet<string>): boolean {
  if (always.includes(kind)) return true;
  if (kind === 'claims') return isShutdownAsked(world);
  if (kind !== 'pods') return held.size > 0 && whileDraining.includes(kind);
  return [change.before, change.after].some((slim) => {
    const pod = slim as SlimPod | undefined;
    return pod !== undefined && (held.has(pod.node) || (world.shutdowns.size > 0 && isEtcd(pod)));
  });
}
