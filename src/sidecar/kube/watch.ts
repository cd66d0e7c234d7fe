import { chunks, lines, Silence } from './chunks.ts';
import type { KubeClient } from './client.ts';
import { NoAnswer, Refused } from './failures.ts';
import type { Resource, Scope } from './resource.ts';

/** An object as JSON has it, before anybody has looked which one it is. */
export interface RawObject {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

export interface WatchOptions extends Scope {
  readonly resourceVersion: string;
  /** Form of the objects, if not whole. */
  readonly accept?: string;
  /** The API server ends the watch after this long; it is begun again without a gap. */
  readonly seconds: number;
  /** With bookmarks there is something to hear every minute. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  onOpen(): void;
  onChange(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: RawObject): void;
  /** Everything up to here has been told; also without any change. */
  onVersion(resourceVersion: string): void;
}

export type WatchEnd =
  /** By the API server, in good order. */
  | { readonly kind: 'ended' }
  /** The version to go on from is not known any more: only a new list helps. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'broken'; readonly error: Error };

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: RawObject & { readonly code?: number; readonly message?: string };
}

export async function watch(client: KubeClient, resource: Resource, options: WatchOptions): Promise<WatchEnd> {
  const { resourceVersion, seconds, silenceMs, signal, namespace, labelSelector, accept } = options;
  try {
    const answer = await client.open({
      verb: 'watch',
      resource,
      namespace,
      signal,
      accept,
      query: {
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion,
        timeoutSeconds: String(seconds),
        ...(labelSelector !== undefined && { labelSelector }),
      },
    });
    options.onOpen();
    for await (const line of lines(chunks(answer, silenceMs))) {
      const end = tell(JSON.parse(line) as Event, options);
      if (end !== undefined) return end;
    }
    return { kind: 'ended' };
  } catch (error) {
    return endBy(error);
  }
}

function tell({ type, object }: Event, { onChange, onVersion }: WatchOptions): WatchEnd | undefined {
  if (type === 'ERROR') {
    const text = object.message ?? 'the watch ended with an error';
    return object.code === 410 ? { kind: 'expired' } : { kind: 'broken', error: new Error(text) };
  }
  if (type !== 'BOOKMARK') onChange(type, object);
  const { resourceVersion } = object.metadata ?? {};
  if (resourceVersion !== undefined) onVersion(resourceVersion);
  return undefined;
}

function endBy(error: unknown): WatchEnd {
  if (error instanceof Refused && error.status === 410) return { kind: 'expired' };
  if (error instanceof Refused || error instanceof NoAnswer || error instanceof Silence)
    return { kind: 'broken', error };
  return { kind: 'broken', error: new NoAnswer('watch', error) };
}
