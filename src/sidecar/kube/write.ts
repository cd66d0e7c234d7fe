import type { Answer, KubeClient } from './client.ts';
import { apiVersionOf, type Resource, resources } from './resource.ts';

/** Requests that change something. Each is sent once: what came of it is seen in the answer, or else in the next pass. */

export interface ObjectFence {
  readonly name: string;
  readonly namespace?: string;
  /** Refused with 409 if the object of this name is another one, */
  readonly uid: string;
  /** or, where it is given, has been changed since. */
  readonly resourceVersion?: string;
}

/** JSON merge patch: `null` removes, a list is replaced whole. Gives the object as it is then. */
export function mergePatch(
  client: KubeClient,
  resource: Resource,
  { name, namespace, uid, resourceVersion }: ObjectFence,
  patch: { readonly metadata?: object; readonly spec?: object },
): Promise<object> {
  const fence = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
  return client.read<object>({
    verb: 'patch',
    resource,
    name,
    namespace,
    contentType: 'application/merge-patch+json',
    body: { ...patch, metadata: { ...patch.metadata, ...fence } },
  });
}

export interface Applied {
  readonly kind: string;
  readonly status: object;
  /** Whose fields these are; what it owned before and does not say any more is removed. */
  readonly fieldManager: string;
}

/** Server-side apply of a whole status. It is ours alone, so there is nobody to have a conflict with. */
export function applyStatus(
  client: KubeClient,
  resource: Resource,
  { name, namespace, uid, resourceVersion }: ObjectFence,
  { kind, status, fieldManager }: Applied,
): Promise<object> {
  return client.read<object>({
    verb: 'apply',
    resource,
    name,
    namespace,
    subresource: 'status',
    query: { fieldManager, force: 'true' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: apiVersionOf(resource),
      kind,
      metadata: {
        name,
        ...(namespace !== undefined && { namespace }),
        uid,
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      status,
    },
  });
}

/** Asks a Pod to go, within the limits of its budgets and with its own grace period. The answer says what came of it. */
export function evict(
  client: KubeClient,
  { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
): Promise<Answer> {
  return client.send({
    verb: 'evict',
    resource: resources.pods,
    namespace,
    name,
    subresource: 'eviction',
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: { preconditions: { uid } },
    },
  });
}

/** Deletes the object of this UID and no other of its name. The answer says what came of it. */
export function remove(
  client: KubeClient,
  resource: Resource,
  { name, namespace, uid, resourceVersion }: ObjectFence,
  propagationPolicy: 'Foreground' | 'Background' = 'Background',
): Promise<Answer> {
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
  return client.send({
    verb: 'delete',
    resource,
    namespace,
    name,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy },
  });
}
