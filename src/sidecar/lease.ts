import type { KubeClient } from './kube/client.ts';
import { Refused } from './kube/failures.ts';
import { resources } from './kube/resource.ts';

/** Who leads, as the API server holds it. */
export interface Lease {
  readonly holder: string;
  readonly seconds: number;
  readonly transitions: number;
  readonly acquired: string | undefined;
  readonly resourceVersion: string;
}

export interface LeaseAccess {
  read(signal: AbortSignal): Promise<Lease | undefined>;
  /** With our name or, to let go of it, with none. Undefined: somebody else was faster. */
  write(holder: string, before: Lease | undefined, signal: AbortSignal): Promise<Lease | undefined>;
}

export interface LeaseOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly seconds: number;
}

interface LeaseObject {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec?: {
    readonly holderIdentity?: string | null;
    readonly leaseDurationSeconds?: number | null;
    readonly leaseTransitions?: number | null;
    readonly acquireTime?: string | null;
  };
}

const resource = resources.leases;

export function leaseAccess({ client, namespace, name, seconds }: LeaseOptions): LeaseAccess {
  return {
    read: (signal) =>
      client.read<LeaseObject>({ verb: 'get', resource, namespace, name, signal }).then(leaseOf).catch(nothingAt(404)),
    write: (holder, before, signal) => {
      const body = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace, ...(before && { resourceVersion: before.resourceVersion }) },
        spec: specFor(holder, before, seconds),
      };
      const call =
        before === undefined
          ? ({ verb: 'create', resource, namespace, body, signal } as const)
          : ({ verb: 'update', resource, namespace, name, body, signal } as const);
      return client.read<LeaseObject>(call).then(leaseOf).catch(nothingAt(409));
    },
  };
}

function specFor(holder: string, before: Lease | undefined, seconds: number): LeaseObject['spec'] & object {
  const isNew = before?.holder !== holder;
  const time = `${new Date().toISOString().slice(0, -1)}000Z`;
  return {
    holderIdentity: holder,
    // As client-go does it: whoever finds it let go need not wait.
    leaseDurationSeconds: holder === '' ? 1 : seconds,
    leaseTransitions: (before?.transitions ?? 0) + (before !== undefined && isNew && holder !== '' ? 1 : 0),
    acquireTime: isNew ? time : (before?.acquired ?? time),
    ...{ renewTime: time },
  };
}

function leaseOf({ metadata, spec = {} }: LeaseObject): Lease {
  return {
    holder: spec.holderIdentity ?? '',
    seconds: spec.leaseDurationSeconds ?? 0,
    transitions: spec.leaseTransitions ?? 0,
    acquired: spec.acquireTime ?? undefined,
    resourceVersion: metadata.resourceVersion,
  };
}

function nothingAt(status: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Refused && error.status === status) return undefined;
    throw error;
  };
}
