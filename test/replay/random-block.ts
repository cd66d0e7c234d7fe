import type { Chance } from '../lifecycle/simulation/chance.ts';
import type { NodeOptions } from '../support/nodes.ts';

export interface Block {
  readonly nodes: readonly string[];
  readonly cidrBlocks: readonly string[];
  readonly deadlineSeconds: number;
  readonly ignorePdb: boolean;
}

export interface RandomBlock {
  readonly before: Block;
  readonly after: Block;
  readonly maxConcurrent: number;
}

/** Nodes enter maintenance; of some clusters, a few leave it as well. */
export function randomBlock(chance: Chance, nodes: readonly NodeOptions[]): RandomBlock {
  const addresses = nodes.map(({ internalIP }) => internalIP);
  const isIn = addresses.map(() => chance.happens(0.45));
  if (!isIn.includes(true)) isIn[0] = true;
  const enters = addresses.filter((_, index) => isIn[index]);
  const wasIn = chance.happens(0.2) ? addresses.filter(() => chance.happens(0.3)) : [];
  const shape = {
    nodes: addresses,
    deadlineSeconds: chance.of([6, 8, 10, 14]),
    ignorePdb: chance.happens(0.1),
  };
  return {
    before: { ...shape, deadlineSeconds: 3, ignorePdb: true, cidrBlocks: wasIn },
    after: { ...shape, cidrBlocks: enters },
    maxConcurrent: chance.of([0, 0, 1, 2]),
  };
}
