import { type Lab, startLab } from '../test/cluster/sidecar/lab.ts';
import { waitForPhase } from '../test/cluster/sidecar/looks.ts';
import { type Assets, findAssets } from '../test/controlplane/assets.ts';
import { addNodes } from '../test/support/nodes.ts';
import { apply } from '../test/support/objects.ts';
import { waitFor } from '../test/support/wait.ts';
import { namespace, priorityClass } from '../test/support/workloads.ts';
import { requestsSince, secondsToEmpty, shop, waitUntilEmpty } from './drain-pods.ts';
import type { Figure } from './figures.ts';

/** Whose requests are counted beside the sidecar's. */
export const kubectlUser = `system:serviceaccount:${shop}:drainer`;

export interface Ground {
  readonly lab: Lab;
  readonly assets: Assets;
  /** Of every node, by number. */
  readonly addresses: readonly string[];
}

/** A cluster with so many nodes that figures are measured on; nothing where there are no programs for one. */
export async function* onGround(
  nodes: number,
  figures: (ground: Ground) => AsyncIterable<Figure>,
): AsyncGenerator<Figure> {
  const found = await findAssets(process.env);
  if (found.kind === 'missing') {
    process.stdout.write(`${found.reason}: drains are not measured. ${found.remedy}\n`);
    return;
  }
  const lab = await startLab({ assets: found.assets, users: [kubectlUser] });
  try {
    const addresses = Array.from({ length: nodes }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
    await addNodes(lab.access, ...addresses.map((internalIP, index) => ({ name: nodeName(index), internalIP })));
    await apply(lab.access, namespace(shop), priorityClass('low', 10), priorityClass('high', 1000));
    await lab.block({ nodes: addresses, cidrBlocks: [] });
    yield* figures({ lab, assets: found.assets, addresses });
  } finally {
    await lab.stop();
  }
}

export function nodeName(index: number): string {
  return `worker-${index}`;
}

/** One that leads. */
export async function steward(lab: Lab): Promise<void> {
  const sidecar = await lab.sidecar({ name: 'steward' });
  await waitFor('it to lead', { seconds: 60 }, async () =>
    (await sidecar.metrics()).includes('quiesce_leader{cluster="main"} 1') ? { met: true } : { seen: 'it follows' },
  );
}

export interface Drained {
  readonly seconds: number;
  readonly requests: number;
}

/** The first so many nodes into maintenance, and out again. */
export async function bySidecar({ lab, addresses }: Ground, nodes: number): Promise<Drained> {
  const begun = await lab.block({ nodes: addresses, cidrBlocks: addresses.slice(0, nodes) });
  await waitUntilEmpty(lab.access, 400);
  const lines = lab.audit();
  const drained = { seconds: secondsToEmpty(lines, begun), requests: requestsSince(lines, begun).length };
  for (let index = 0; index < nodes; index += 1) await waitForPhase(lab.access, nodeName(index), 'InMaintenance', 60);
  await lab.block({ nodes: addresses, cidrBlocks: [] });
  for (let index = 0; index < nodes; index += 1) await waitForPhase(lab.access, nodeName(index), 'gone', 60);
  return drained;
}
