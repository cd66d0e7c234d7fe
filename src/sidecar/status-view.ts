import { type Cache, openCache, type WritableCache } from './kube/cache.ts';
import type { KubeClient } from './kube/client.ts';
import { Refused } from './kube/failures.ts';
import { list } from './kube/list.ts';
import { reflect } from './kube/reflect.ts';
import { type Resource, resources } from './kube/resource.ts';
import { type SlimResource, slimResource } from './kube/slim.ts';
import type { BlockSpec } from './maintenance/observation.ts';
import type { Blocker, BlockStatus, Condition, ObjectReference } from './maintenance/status.ts';
import type { ShutdownStatus } from './shutdown/status.ts';

/** What our resources say of themselves, for people and for scripts: spec in short, status as it is. */
export interface StatusView {
  readonly maintenance: readonly BlockView[];
  readonly claims: readonly LifeView[];
  readonly installations: readonly InstallationView[];
  readonly shutdowns: readonly ShutdownView[];
  /** What could not be read, and why. */
  readonly unread: readonly { readonly resource: string; readonly why: string }[];
}

export interface BlockView {
  readonly name: string;
  readonly config: string;
  readonly deadlineSeconds: number;
  readonly ignorePdb: boolean;
  readonly deleting: boolean;
  readonly status: BlockStatus;
}

/** Of claims and installations alike. */
export interface LifeView {
  readonly name: string;
  readonly state: string;
  readonly deleting: boolean;
  readonly status: LifeStatus;
}

export interface LifeStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly since?: string;
  readonly step?: string;
  readonly done?: number;
  readonly total?: number;
  readonly attempt?: number;
  readonly retryAt?: string;
  readonly heartbeat?: string;
  readonly lastError?: { readonly code: string; readonly message: string; readonly retryable?: boolean };
  readonly blockers?: readonly AnyBlocker[];
  readonly leftovers?: readonly ObjectReference[];
  readonly orphaned?: readonly ObjectReference[];
  readonly conditions?: readonly Condition[];
}

interface InstallationView extends LifeView {
  readonly status: LifeStatus & { readonly components?: readonly ComponentStatus[] };
}

export interface ComponentStatus {
  readonly name: string;
  readonly phase: string;
  readonly since?: string;
  readonly blockers?: readonly AnyBlocker[];
}

export interface ShutdownView {
  readonly name: string;
  readonly action: string;
  readonly status: ShutdownStatus;
}

/** Codes of other loops are words, too. */
export type AnyBlocker = Omit<Blocker, 'code'> & { readonly code: string };

type Any = SlimResource<Readonly<Record<string, unknown>>, object>;

const kinds = {
  maintenance: resources.maintenanceBlocks,
  claims: resources.vclusterClaims,
  installations: resources.installations,
  shutdowns: resources.clusterShutdowns,
} as const satisfies Readonly<Record<string, Resource>>;

type StatusKind = keyof typeof kinds;
type Caches = Readonly<Record<StatusKind, WritableCache<Any>>>;

const pageSize = 250;

/** Once. */
export async function readStatus(client: KubeClient): Promise<StatusView> {
  const unread = new Map<StatusKind, string>();
  const caches = openCaches(() => undefined);
  await Promise.all(
    entries(caches).map(async ([kind, cache]) => {
      const onItem = (item: unknown) => cache.listed(item as object);
      await list(client, kinds[kind], { pageSize, onItem }).catch((error: unknown) => unread.set(kind, why(error)));
    }),
  );
  return viewOf(caches, unread);
}

/** Each time that something changed; over when the signal ends it. */
export async function watchStatus(
  client: KubeClient,
  signal: AbortSignal,
  onChange: (view: () => StatusView) => void,
): Promise<void> {
  const unread = new Map<StatusKind, string>();
  const changed = () => onChange(() => viewOf(caches, unread));
  const caches = openCaches(changed);
  await Promise.all(
    entries(caches).map(([kind, cache]) =>
      reflect({
        client,
        resource: kinds[kind],
        cache,
        pageSize,
        signal,
        random: Math.random,
        onState: (state) => {
          if (state.kind === 'live') unread.delete(kind);
          else unread.set(kind, why(state.error));
          changed();
        },
      }),
    ),
  );
}

function openCaches(onChange: () => void): Caches {
  const open = () => openCache<Any>({ project: slimResource<Any['spec'], object>, onChange });
  return { maintenance: open(), claims: open(), installations: open(), shutdowns: open() };
}

function entries(caches: Caches): [StatusKind, WritableCache<Any>][] {
  return [
    ['maintenance', caches.maintenance],
    ['claims', caches.claims],
    ['installations', caches.installations],
    ['shutdowns', caches.shutdowns],
  ];
}

function why(error: unknown): string {
  if (error instanceof Refused && error.status === 404) return 'this cluster does not know the kind';
  return error instanceof Error ? error.message : String(error);
}

function viewOf(caches: Caches, unread: ReadonlyMap<StatusKind, string>): StatusView {
  return {
    maintenance: sorted(caches.maintenance).map(blockView),
    claims: sorted(caches.claims).map(lifeView),
    installations: sorted(caches.installations).map(lifeView),
    shutdowns: sorted(caches.shutdowns).map(({ name, spec, status = {} }) => ({
      name,
      action: String(spec.action),
      status,
    })),
    unread: [...unread].map(([kind, reason]) => ({ resource: kinds[kind].plural, why: reason })),
  };
}

function sorted(cache: Cache<Any>): Any[] {
  return [...cache.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function blockView({ name, deletedAt, spec, status = {} }: Any): BlockView {
  const { config, deadlineSeconds, ignorePdb } = spec as unknown as BlockSpec;
  return { name, config, deadlineSeconds, ignorePdb, deleting: deletedAt !== undefined, status };
}

function lifeView({ name, deletedAt, spec, status = {} }: Any): LifeView {
  return { name, state: String(spec.state), deleting: deletedAt !== undefined, status };
}
