import type { Access } from '../test/support/access.ts';
import { requestEviction } from '../test/support/eviction.ts';
import { bySidecar, type Ground, nodeName, onGround, steward } from './drain-ground.ts';
import { createPods, podsOf, secondsToEmpty, waitUntilEmpty } from './drain-pods.ts';
import { atMost, type Figure, told } from './figures.ts';
import type { Bench } from './suites.ts';

/**
 * What a drain costs for each node, of a tenth of them and of all at once. Beside it the same evictions as fast as they
 * can be sent, without order or budgets: what the API server and the kubelets themselves take.
 */
export function manyNodesFigures({ nodes }: Bench): AsyncIterable<Figure> {
  return onGround(nodes, growth);
}

const podsOnNode = 50;

async function* growth(ground: Ground): AsyncGenerator<Figure> {
  await steward(ground.lab);
  const all = ground.addresses.length;
  const few = Math.max(1, Math.floor(all / 10));
  const [small, large] = [await measured(ground, few), await measured(ground, all)];
  for (const { nodes, ours, bare } of [small, large]) {
    yield told(`${nodes} nodes of ${podsOnNode} pods at once`, ours.seconds, 's');
    yield told(`${nodes} nodes of ${podsOnNode} pods, nothing but evictions`, bare, 's');
  }
  const perNode = (of: (one: Measured) => number) => of(large) / all / (of(small) / few);
  const [ours, bare] = [perNode((one) => one.ours.seconds), perNode((one) => one.bare)];
  yield atMost(`${all} / ${few} nodes: time for each node`, ours, '', 1.2);
  yield told(`${all} / ${few} nodes: time for each node, nothing but evictions`, bare, '');
  yield told(`${all} / ${few} nodes: growth of time for each node / that of bare evictions`, ours / bare, '');
  yield atMost(`${all} nodes: time to empty / bare evictions`, large.ours.seconds / large.bare, '', 1.2);
  const requests = perNode((one) => one.ours.requests);
  yield atMost(`${all} / ${few} nodes: requests for each node`, requests, '', 1.2);
}

interface Measured {
  readonly nodes: number;
  readonly ours: { readonly seconds: number; readonly requests: number };
  /** Seconds. */
  readonly bare: number;
}

async function measured(ground: Ground, nodes: number): Promise<Measured> {
  const { access } = ground.lab;
  const pods = () => Array.from({ length: nodes }, (_, at) => podsOf(`many-${at}`, podsOnNode, nodeName(at), 1)).flat();
  await createPods(access, pods());
  const bare = await nothingButEvictions(ground, pods());
  await createPods(access, pods());
  return { nodes, bare, ours: await bySidecar(ground, nodes) };
}

/** As many at once as the sidecar's `--parallel`. */
const parallel = 20;

async function nothingButEvictions({ lab }: Ground, pods: ReturnType<typeof podsOf>): Promise<number> {
  const left = [...pods];
  const begun = Date.now();
  // Each with its own connection: those of one Access are fewer.
  const work = async (access: Access) => {
    for (let pod = left.shift(); pod !== undefined; pod = left.shift()) await requestEviction(access, pod);
  };
  await Promise.all(Array.from({ length: parallel }, () => work({ ...lab.access })));
  await waitUntilEmpty(lab.access, 400);
  return secondsToEmpty(lab.audit(), begun);
}
