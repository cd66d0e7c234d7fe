import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { evictionsIn, waitForPhase } from '../test/cluster/sidecar/looks.ts';
import { writeKubeconfig } from '../test/support/access.ts';
import { apply, type KubeObject, remove } from '../test/support/objects.ts';
import { waitUntilUp } from '../test/support/workload-waits.ts';
import { daemonSet, pod, podDisruptionBudget, statefulSet } from '../test/support/workloads.ts';
import { administrator } from './administrator.ts';
import { bySidecar, type Drained, type Ground, kubectlUser, nodeName, onGround, steward } from './drain-ground.ts';
import { batch, batches, createPods, podsOf, requestsSince, secondsToEmpty, shop } from './drain-pods.ts';
import { atLeast, atMost, type Figure, told } from './figures.ts';

/**
 * The same pods from the same nodes, by the sidecar and by `kubectl drain` built from the same source. Times are from
 * the order to the end of the last pod, and requests are counted, in the API server's audit log.
 *
 * kubectl asks for all pods of a node at once, but lets itself send no more than 50 requests a second after the first 300.
 * So that it is not held back by that, it runs as several processes at once, too, each with so few pods that it never
 * gets there, and what counts is the better of both. The sidecar has 20 evictions under way at once (`--parallel`).
 */
export function drainFigures(): AsyncIterable<Figure> {
  return onGround(10, async function* (ground) {
    yield* startUp(ground);
    yield* atRest(ground);
    yield* oneStage(ground);
    yield* everyNode(ground);
    yield* fiveStages(ground);
    yield* waiting(ground);
  });
}

async function* startUp({ lab }: Ground): AsyncGenerator<Figure> {
  const seconds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const begun = performance.now();
    const sidecar = await lab.sidecar({ name: `start-${round}` });
    seconds.push((performance.now() - begun) / 1000);
    await sidecar.terminate();
  }
  yield atMost('quiesce sidecar, start to ready', Math.min(...seconds), 's', 2);
  await steward(lab);
}

/** Everybody's requests but for the Lease, which is one in ten seconds for the whole cluster. */
async function* atRest({ lab, addresses }: Ground): AsyncGenerator<Figure> {
  await sleep(5000);
  const begun = Date.now();
  await sleep(60_000);
  const asked = requestsSince(lab.audit(), begun).length;
  yield atMost('at rest: requests a minute and node', asked / addresses.length, '', 1);
}

async function* oneStage(ground: Ground): AsyncGenerator<Figure> {
  const what = '100 pods of one stage';
  const pods = () => podsOf('plain', 100, nodeName(0), 2);
  const inTurn = async (drain: () => Promise<Drained>) => {
    await createPods(ground.lab.access, pods());
    return drain();
  };
  const one = await inTurn(() => byKubectl(ground, [[nodeName(0)]]));
  const shares = Array.from({ length: batches }, (_, index) => [nodeName(0), `--pod-selector=${batch(index)}`]);
  const several = await inTurn(() => byKubectl(ground, shares));
  const ours = await inTurn(() => bySidecar(ground, 1));
  yield told(`${what}: kubectl drain, 1 process`, one.seconds, 's');
  yield told(`${what}: kubectl drain, ${batches} processes at once`, several.seconds, 's');
  yield* compared(what, ours, {
    seconds: Math.min(one.seconds, several.seconds),
    requests: Math.min(one.requests, several.requests),
  });
}

const podsOfEach = 20;

/** As people drain several nodes who do not want to wait for one after the other. */
async function* everyNode(ground: Ground): AsyncGenerator<Figure> {
  const nodes = ground.addresses.map((_, index) => nodeName(index));
  const what = `${nodes.length} nodes of ${podsOfEach} pods`;
  const pods = () => nodes.flatMap((node, index) => podsOf(`each-${index}`, podsOfEach, node, 2));
  await createPods(ground.lab.access, pods());
  const theirs = await byKubectl(
    ground,
    nodes.map((node) => [node]),
  );
  await createPods(ground.lab.access, pods());
  const ours = await bySidecar(ground, nodes.length);
  yield told(`${what}: kubectl drain, ${nodes.length} processes at once`, theirs.seconds, 's');
  yield* compared(what, ours, theirs);
}

function* compared(what: string, ours: Drained, theirs: Drained): Generator<Figure> {
  yield told(`${what}: quiesce sidecar`, ours.seconds, 's');
  yield atMost(`${what}: time to empty / kubectl drain`, ours.seconds / theirs.seconds, '', 1);
  yield told(`${what}: requests of kubectl drain`, theirs.requests, '');
  yield told(`${what}: requests of quiesce sidecar`, ours.requests, '');
  yield atMost(`${what}: requests / kubectl drain`, ours.requests / theirs.requests, '', 1.2);
}

const graceOfStage = 5;

/** No class, DaemonSet, two classes, CSI driver: five groups of pods, one after the other. */
async function* fiveStages(ground: Ground): AsyncGenerator<Figure> {
  const { access } = ground.lab;
  const node = nodeName(0);
  const driver = { name: 'registrar', hostPath: { path: '/var/lib/kubelet/plugins_registry' } };
  const agent = daemonSet({
    name: 'agent',
    namespace: shop,
    pod: {
      behaviour: 'slow-shutdown',
      graceSeconds: graceOfStage,
      spec: { nodeSelector: { 'kubernetes.io/hostname': node } },
    },
  });
  const csiNode: KubeObject = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: node },
    spec: { drivers: [{ name: 'quiesce.test', nodeID: node }] },
  };
  await apply(access, csiNode, agent);
  await waitUntilUp(access, agent);
  await createPods(access, [
    ...podsOf('plain', 20, node, graceOfStage),
    ...podsOf('low', 20, node, graceOfStage, { priorityClassName: 'low' }),
    ...podsOf('high', 20, node, graceOfStage, { priorityClassName: 'high' }),
    ...podsOf('driver', 1, node, graceOfStage, { volumes: [driver] }),
  ]);
  const { seconds } = await bySidecar(ground, 1);
  await remove(access, agent);
  yield told('five stages of 5 s each: quiesce sidecar', seconds, 's');
  yield atMost('five stages: time to empty / sum of grace periods', seconds / (5 * graceOfStage), '', 1.1);
}

/** A budget that would allow something, were the third pod ready: how often its pods are asked for. */
async function* waiting({ lab, addresses }: Ground): AsyncGenerator<Figure> {
  const web = statefulSet({ name: 'web', namespace: shop, replicas: 2, pod: { spec: { nodeName: nodeName(0) } } });
  const budget = podDisruptionBudget({ name: 'web', namespace: shop, minAvailable: 2 });
  const unready = pod({
    name: 'unready',
    namespace: shop,
    pod: { labels: { app: 'web' }, behaviour: 'never-ready', spec: { nodeName: nodeName(1) } },
  });
  await apply(lab.access, web, unready, budget);
  await waitUntilUp(lab.access, web);
  const begun = await lab.block({ nodes: addresses, cidrBlocks: addresses.slice(0, 1), deadlineSeconds: 45 });
  await waitForPhase(lab.access, nodeName(0), 'InMaintenance', 120);
  const asked = evictionsIn(requestsSince(lab.audit(), begun));
  const pauses = ['web-0', 'web-1'].flatMap((pod) => pausesOf(asked.filter(({ name }) => name === pod)));
  yield told('pods that wait for a budget: evictions asked for in 45 s', asked.length, '');
  yield atLeast('pods that wait for a budget: shortest pause', Math.min(...pauses, 45), 's', 2);
  for (const object of [budget, unready, web]) await remove(lab.access, object);
  await lab.block({ nodes: addresses, cidrBlocks: [] });
  await waitForPhase(lab.access, nodeName(0), 'gone');
}

function pausesOf(lines: readonly { readonly received: number }[]): number[] {
  return lines.slice(1).map(({ received }, index) => (received - (lines[index]?.received ?? 0)) / 1000);
}

/** With the permissions of an administrator, as people run it; one process for each list of arguments, all at once. */
async function byKubectl({ lab, assets }: Ground, drains: readonly (readonly string[])[]): Promise<Drained> {
  const { cluster, access } = lab;
  await apply(access, ...administrator(shop, 'drainer'));
  const token = await cluster.tokenFor(shop, 'drainer');
  const kubeconfig = await writeKubeconfig(join(cluster.sandbox.folder, 'drainer.kubeconfig'), { ...access, token });
  const [command = '', ...args] = [...assets.kubectl, `--kubeconfig=${kubeconfig}`];
  const env = { cwd: cluster.sandbox.folder, env: cluster.sandbox.env };
  const run = (...more: readonly string[]) => promisify(execFile)(command, [...args, ...more], env);
  await run('get', 'nodes'); // What it discovers is on its disk from then on.
  const begun = Date.now();
  const flags = ['--force', '--ignore-daemonsets', '--delete-emptydir-data'];
  await Promise.all(drains.map((of) => run('drain', ...of, ...flags)));
  const lines = lab.audit();
  const drained = {
    seconds: secondsToEmpty(lines, begun),
    requests: requestsSince(lines, begun, kubectlUser).length,
  };
  await run('uncordon', ...new Set(drains.flatMap(([node = '']) => node)));
  return drained;
}
