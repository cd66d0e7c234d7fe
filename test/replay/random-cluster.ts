import { type Chance, chanceOf } from '../lifecycle/simulation/chance.ts';
import type { NodeOptions } from '../support/nodes.ts';
import type { KubeObject } from '../support/objects.ts';
import { type RandomBlock, randomBlock } from './random-block.ts';
import { type RandomClaim, randomClaims } from './random-claims.ts';
import { type RandomInstallation, randomInstallation } from './random-installation.ts';
import { csiObjects, mirrors, randomNodes } from './random-nodes.ts';
import { randomWorkloads } from './random-workloads.ts';

/** A cluster and a change of its state, the same for the same seed and number. */
export interface RandomCluster {
  /** Begins the names of everything in it. */
  readonly prefix: string;
  readonly nodes: readonly NodeOptions[];
  readonly objects: readonly KubeObject[];
  readonly mirrors: readonly Mirror[];
  /** How long a driver takes to unmount a volume; Infinity: for ever. */
  readonly unmountSeconds: number;
  readonly change: RandomChange;
}

/** Of a pod that a kubelet runs by itself. */
export interface Mirror extends KubeObject {
  readonly spec: { readonly nodeName: string };
}

export type RandomChange =
  | { readonly kind: 'maintenance'; readonly block: RandomBlock }
  | { readonly kind: 'claims'; readonly claims: readonly RandomClaim[] }
  | { readonly kind: 'installation'; readonly installation: RandomInstallation };

export function randomCluster(seed: number, number: number): RandomCluster {
  const chance = chanceOf(seed * 100_003 + number);
  const prefix = `r${number}`;
  const kind = kindOf(chance);
  const nodes = randomNodes(chance, prefix, `10.${100 + (number >> 8)}.${number & 255}`);
  // Where the nodes stay, a few workloads are enough beside what goes.
  const workloads = kind === 'maintenance' ? randomWorkloads(chance, prefix) : [];
  const where = workloads.find((object) => object.kind === 'Namespace')?.metadata.name ?? 'default';
  return {
    prefix,
    nodes,
    objects: [...workloads, ...(kind === 'maintenance' ? csiObjects(chance, nodes, where) : [])],
    mirrors: kind === 'maintenance' ? mirrors(chance, nodes, where) : [],
    unmountSeconds: chance.of([1, 1, 4, Number.POSITIVE_INFINITY]),
    change: changeOf(chance, kind, { prefix, nodes }),
  };
}

function kindOf(chance: Chance): RandomChange['kind'] {
  return chance.of(['maintenance', 'maintenance', 'maintenance', 'claims', 'installation', 'installation']);
}

function changeOf(
  chance: Chance,
  kind: RandomChange['kind'],
  { prefix, nodes }: Pick<RandomCluster, 'prefix' | 'nodes'>,
): RandomChange {
  switch (kind) {
    case 'maintenance':
      return { kind, block: randomBlock(chance, nodes) };
    case 'claims':
      return { kind, claims: randomClaims(chance, prefix) };
    case 'installation':
      return { kind, installation: randomInstallation(chance, prefix) };
  }
}
