import { decideMaintenance } from '../src/sidecar/maintenance/decide.ts';
import type { Observation, ObservedNode, ObservedPod } from '../src/sidecar/maintenance/observation.ts';
import { decideShutdown } from '../src/sidecar/shutdown/decide.ts';
import type { ShutdownObservation } from '../src/sidecar/shutdown/observation.ts';
import {
  block,
  blockSpec,
  budget,
  draining,
  instant,
  maintained,
  now,
  observed,
  pod,
} from '../test/sidecar/maintenance/observed.ts';
import { atMost, type Figure, told } from './figures.ts';

/**
 * What one pass over a cluster costs the deciders, of ever more nodes. A pass is made over all of them each time that
 * anything changes, so what it costs for each must not grow with their number.
 */
export async function* decideFigures(): AsyncGenerator<Figure> {
  yield* growth('maintenance', (nodes) => {
    const observation = drains(nodes);
    return () => decideMaintenance(now, observation);
  });
  yield* growth('shutdown', (nodes) => {
    const observation = powerOff(nodes);
    return () => decideShutdown(now, observation);
  });
}

const sizes = [10, 100, 1000] as const;
const largest = 1000;
const podsOnNode = 50;
const podsOfWorkload = 20;

function* growth(what: string, passOver: (nodes: number) => () => unknown): Generator<Figure> {
  const micros = new Map<number, number>();
  for (const nodes of sizes) {
    const each = fastestPass(passOver(nodes), largest / nodes) / nodes;
    micros.set(nodes, each);
    yield told(`${what}: one pass over ${nodes} nodes, for each`, each, 'µs');
  }
  const of = (nodes: number) => micros.get(nodes) ?? Number.NaN;
  yield atMost(`${what}: time for each node, 100 / 10 nodes`, of(100) / of(10), '', 1.5);
  yield atMost(`${what}: time for each node, 1000 / 100 nodes`, of(1000) / of(100), '', 1.5);
}

/** Of the processor's time, in microseconds: others may be on the machine as well. Noise only ever adds. */
function fastestPass(pass: () => unknown, passes: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const begun = process.cpuUsage();
    for (let count = 0; count < passes; count += 1) pass();
    const { user, system } = process.cpuUsage(begun);
    best = Math.min(best, (user + system) / passes);
  }
  return best;
}

function addressOf(index: number): string {
  return `10.${index >> 8}.${index & 255}.1`;
}

/** All of them drain at once; a fifth of the namespaces has to do with each. */
function drains(count: number): Observation {
  const nodes = Array.from({ length: count }, (_, index) =>
    draining(`w${index}`, { addresses: [addressOf(index)] }, 60),
  );
  const pods = nodes.flatMap((node, at) => Array.from({ length: podsOnNode }, (_, index) => podOn(node, at, index)));
  const workloads = (count * podsOnNode) / podsOfWorkload;
  const budgets = Array.from({ length: workloads }, (_, index) =>
    budget(
      `app-${index}`,
      { disruptionsAllowed: index % 2 },
      {
        namespace: namespaceOf(index),
        selector: { matchLabels: { app: `app-${index}` } },
      },
    ),
  );
  const spec = { ...blockSpec([]), nodes: nodes.map(({ addresses: [address = ''] }) => selected(address)) };
  const fresh = observed({ blocks: [block(spec)], nodes, pods, budgets });
  // As it goes on: what is shown already is compared with.
  const [shown] = decideMaintenance(now - 5000, fresh).statuses;
  return shown === undefined ? fresh : { ...fresh, blocks: [block(spec, { status: shown.status })] };
}

function selected(address: string) {
  const key = 'baremetal.cluster.gke.io/maintenance';
  const taints = (['NoSchedule', 'NoExecute'] as const).map((effect) => ({ key, effect }));
  return { address, pool: 'np', role: 'worker' as const, taints };
}

const labels = new Map<number, ObservedPod['labels']>();

function podOn(node: ObservedNode, at: number, index: number): ObservedPod {
  const app = Math.floor((at * podsOnNode + index) / podsOfWorkload);
  const own = labels.get(app) ?? { app: `app-${app}` };
  labels.set(app, own);
  return pod(`${node.name}-${index}`, { node: node.name, namespace: namespaceOf(app), labels: own });
}

function namespaceOf(app: number): string {
  return `team-${app % 25}`;
}

/** All of them are drained, and the hook has turned each over before, in an earlier order. */
function powerOff(count: number): ShutdownObservation {
  const nodes = Array.from({ length: count }, (_, index) => {
    const node = maintained(`w${index}`, { addresses: [addressOf(index)] });
    return { ...node, annotations: { ...node.annotations, 'quiesce.dev/maintenance-block': 'shutdown/metal' } };
  });
  const hook = { name: 'bmc', image: 'registry.example.edu/bmc:1', timeoutSeconds: 60 };
  const spec = { cluster: 'metal', action: 'Shutdown', backupAcknowledged: true, powerHook: hook } as const;
  const fresh: ShutdownObservation = {
    shutdown: { name: 'metal', uid: 'shutdown', generation: 2, spec },
    nodes,
    etcd: [{ pod: 'etcd', node: 'w0', isRunning: true, isLeader: true }],
    jobs: nodes.map(({ name }, index) => ({
      name: `off-${name}`,
      uid: `uid-${name}`,
      address: addressOf(index),
      power: 'Off',
      generation: 1,
      state: 'Complete',
      startedAt: now - 60_000,
    })),
    refusals: {},
    blocks: [],
    drains: nodes.map(({ name }, index) => ({
      address: addressOf(index),
      node: name,
      phase: 'InMaintenance',
      podsLeft: 0,
      since: instant(now - 60_000),
    })),
    unread: [],
  };
  const { status } = decideShutdown(now - 5000, fresh);
  return { ...fresh, shutdown: { ...fresh.shutdown, status } };
}
