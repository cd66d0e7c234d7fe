import type { ClaimStatus } from '../../src/sidecar/claims/status.ts';
import type { InstallationStatus } from '../../src/sidecar/installations/status.ts';
import type { BlockStatus } from '../../src/sidecar/maintenance/status.ts';
import type { Access } from '../support/access.ts';
import { call } from '../support/api.ts';
import { type KubeObject, list } from '../support/objects.ts';

/** Everything of a cluster at one moment, as the API server has it. */
export interface Everything {
  readonly objects: readonly Found[];
  readonly pods: readonly FoundPod[];
}

export interface Found {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly isGoing: boolean;
  readonly finalizers: readonly string[];
}

export interface FoundPod extends Found {
  readonly node: string | undefined;
  readonly phase: string | undefined;
  readonly ready: boolean;
  readonly claims: readonly string[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
}

interface GroupList {
  readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[];
}

/** Written over and over, and nobody's. */
const unheard: readonly string[] = ['Event', 'Lease', 'ComponentStatus'];

export async function lookAtEverything(access: Access): Promise<Everything> {
  const { groups } = await call<GroupList>(access, { method: 'GET', path: '/apis' });
  const versions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)];
  const found = await Promise.all(versions.map((version) => objectsOf(access, version)));
  return { objects: found.flat(), pods: await podsIn(access) };
}

async function objectsOf(access: Access, apiVersion: string): Promise<Found[]> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources } = await call<ResourceList>(access, { method: 'GET', path });
  const kinds = resources.filter(
    ({ name, kind, verbs }) => !name.includes('/') && verbs.includes('list') && !unheard.includes(kind),
  );
  const found = await Promise.all(
    kinds.map(async ({ kind }) =>
      (await list(access, [apiVersion, kind]).catch(() => [])).map((object) =>
        foundObject(object, { apiVersion, kind }),
      ),
    ),
  );
  return found.flat();
}

function foundObject({ metadata }: KubeObject, kinded: Pick<Found, 'apiVersion' | 'kind'>): Found {
  const { namespace, name, uid = '', deletionTimestamp, finalizers = [] } = metadata;
  return { ...kinded, namespace, name, uid, isGoing: deletionTimestamp !== undefined, finalizers };
}

interface PodObject extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export async function podsIn(access: Access): Promise<FoundPod[]> {
  const pods = await list<PodObject>(access, ['v1', 'Pod']);
  return pods.map((pod) => ({
    ...foundObject(pod, { apiVersion: 'v1', kind: 'Pod' }),
    node: pod.spec?.nodeName,
    phase: pod.status?.phase,
    ready: pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
    claims: (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  }));
}

/** What our own resources show. */
export interface Shown {
  readonly block: BlockStatus | undefined;
  readonly claims: Readonly<Record<string, ClaimStatus>>;
  readonly installations: Readonly<Record<string, InstallationStatus>>;
}

interface OurObject<Status> extends KubeObject {
  readonly status?: Status;
}

export async function lookAtOurs(access: Access): Promise<Shown> {
  const ours = <Status>(kind: string) => list<OurObject<Status>>(access, ['quiesce.dev/v1alpha1', kind]);
  const [blocks, claims, installations] = await Promise.all([
    ours<BlockStatus>('MaintenanceBlock'),
    ours<ClaimStatus>('VClusterClaim'),
    ours<InstallationStatus>('Installation'),
  ]);
  const byName = <Status>(objects: readonly OurObject<Status>[]) =>
    Object.fromEntries(
      objects.flatMap(({ metadata, status }) => (status === undefined ? [] : [[metadata.name, status]])),
    );
  return { block: blocks[0]?.status, claims: byName(claims), installations: byName(installations) };
}
