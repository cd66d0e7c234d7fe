import { applyOrder } from '../../constructs/object-ids.ts';
import type { Json } from './yaml.ts';

/** A Kubernetes object as plain data. */
export type KubeObject = { readonly [key: string]: Json } & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly [key: string]: Json; readonly name: string };
};

/** `<group>/<Kind>/<namespace>/<name>`: what the API server holds one of, whatever the version it was written in. */
export function objectId({ apiVersion, kind, metadata }: KubeObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : '';
  return `${group}/${kind}/${namespace}/${metadata.name}`;
}

/**
 * Order of application. Within a kind the order is the one they were made in, which is the same for the same state;
 * a tie-break by name would depend on a claim's strings, and a template has only placeholders for them.
 */
export function sortObjects(objects: readonly KubeObject[]): KubeObject[] {
  return objects.toSorted((a, b) => applyOrder(a.kind) - applyOrder(b.kind));
}
