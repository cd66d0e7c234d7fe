import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from './backoff.ts';
import type { Slim, WritableCache } from './cache.ts';
import type { KubeClient } from './client.ts';
import { list } from './list.ts';
import type { Resource, Scope } from './resource.ts';
import { watch } from './watch.ts';

export interface ReflectOptions<T extends Slim> {
  readonly client: KubeClient;
  readonly resource: Resource;
  /** Absent: all of the kind. */
  readonly scope?: Scope;
  readonly cache: WritableCache<T>;
  readonly pageSize: number;
  readonly random: () => number;
  readonly signal: AbortSignal;
  onState(state: ReflectState): void;
}

export type ReflectState =
  /** What is in the cache is what the API server tells. */
  | { readonly kind: 'live' }
  /** It may be old. */
  | { readonly kind: 'behind'; readonly error: Error };

const retry = { firstMs: 200, longestMs: 30_000 } as const;
/** Five to ten minutes, so that not all watches begin anew at once. */
const watchSeconds = { least: 300, more: 300 } as const;
/** The API server sends a bookmark every minute. */
const silenceMs = 150_000;
/** An API server that ends watches as soon as they begin (one that is shutting down) is not asked without a pause. */
const shortMs = 1000;
/** A version that the API server has never heard of (restored from a backup) is refused in the same words each time. */
const brokenUntilListed = 4;

/** Keeps the cache equal to what the API server holds, until the signal ends it. Nothing that happens makes it give up. */
export async function reflect<T extends Slim>(options: ReflectOptions<T>): Promise<void> {
  const { signal, onState } = options;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const version = await fill(options);
      const begun = performance.now();
      await follow(options, version);
      // Whoever refuses every version, the newest one included, would be listed without a pause.
      failures = performance.now() - begun < shortMs ? failures + 1 : 0;
      if (failures > 0) await pause(backoffMs(retry, failures, options.random), signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onState({ kind: 'behind', error: error instanceof Error ? error : new Error(String(error)) });
      await pause(backoffMs(retry, failures, options.random), signal);
    }
  }
}

async function fill<T extends Slim>(options: ReflectOptions<T>): Promise<string> {
  const { client, resource, scope, cache, pageSize, signal } = options;
  cache.beginList();
  const version = await list(client, resource, {
    ...scope,
    pageSize,
    signal,
    onItem: (item) => cache.listed(item as object),
    onRestart: () => cache.beginList(),
  });
  cache.endList();
  return version;
}

/** One watch after the other, each from where the one before ended; over when only a new list helps. */
async function follow<T extends Slim>(options: ReflectOptions<T>, from: string): Promise<void> {
  const { client, resource, scope, cache, signal, random, onState } = options;
  let resourceVersion = from;
  for (let broken = 0; !signal.aborted && broken < brokenUntilListed; ) {
    const begun = performance.now();
    const end = await watch(client, resource, {
      ...scope,
      resourceVersion,
      seconds: Math.round(watchSeconds.least + watchSeconds.more * random()),
      silenceMs,
      signal,
      onOpen: () => {
        broken = 0;
        onState({ kind: 'live' });
      },
      onChange: (type, object) => (type === 'DELETED' ? cache.deleted(object) : cache.changed(object)),
      onVersion: (version) => {
        resourceVersion = version;
      },
    });
    if (end.kind === 'expired') return;
    if (end.kind === 'broken') {
      broken += 1;
      if (!signal.aborted) onState({ kind: 'behind', error: end.error });
      await pause(backoffMs(retry, broken, random), signal);
    } else if (performance.now() - begun < shortMs) {
      await pause(shortMs, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
