import type { KubeObject } from '../../support/objects.ts';
import { renderedIn, shipped } from './rendered.ts';

/** The kinds that Quiesce defines. */
export const ourKinds = ['ClusterShutdown', 'Installation', 'MaintenanceBlock', 'VClusterClaim'] as const;

export type OurKind = (typeof ourKinds)[number];

/** One of the shipped output, to be changed by a test. */
export function sample(kind: OurKind): KubeObject {
  const found = renderedIn(shipped.out).find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`the shipped output has no ${kind}`);
  return found;
}

/** A copy in which the field at the path (`spec.nodes.0.address`) has another value; undefined takes it away. */
export function changed(object: KubeObject, path: string, value: unknown): KubeObject {
  const copy = structuredClone(object);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const inner = steps.reduce<Fields>((fields, step) => fields[step] as Fields, copy as unknown as Fields);
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return copy;
}

type Fields = Record<string, unknown>;
