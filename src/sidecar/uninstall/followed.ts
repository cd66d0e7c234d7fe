import type { Instant } from '../../instant.ts';
import { instantText } from '../../instant.ts';
import type { KubeClient } from '../kube/client.ts';
import { list } from '../kube/list.ts';
import type { RawObject } from '../kube/watch.ts';
import { watch } from '../kube/watch.ts';
import type { Lister } from './lister.ts';
import { formOf, keyOf, type ListAsk, type Listed, listedBecause } from './listing.ts';
import type { RawSeen } from './project.ts';

/** Lists that a watch keeps up from the first time on: nobody has to ask again, and what goes is known at once. */
export interface Followed {
  list(ask: ListAsk): Promise<Listed>;
  /** What the API server has said of one that was told to go; undefined: it is gone. The watch may be behind that. */
  answered(uid: string, object: RawSeen | undefined): void;
  /** Over; what was known is forgotten. */
  close(): void;
}

interface FollowOptions {
  readonly client: KubeClient;
  /** For what is not followed: there is no room, or it could not be watched. */
  readonly lister: Lister;
  readonly pageSize: number;
  /** Kept open by all together. */
  readonly room: { left: number };
  readonly now: () => Instant;
  /** One of them is gone. */
  onGone(): void;
}

const watchSeconds = 600;
/** The API server sends a bookmark every minute. */
const silenceMs = 90_000;

export function openFollowed(options: FollowOptions): Followed {
  return new FollowedLists(options);
}

class FollowedLists implements Followed {
  readonly #options: FollowOptions;
  readonly #end = new AbortController();
  readonly #lists = new Map<string, Map<string, RawSeen>>();
  readonly #gone = new Set<string>();

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  async list(ask: ListAsk): Promise<Listed> {
    const { room, lister } = this.#options;
    const known = this.#lists.get(keyOf(ask));
    if (known !== undefined) return { kind: 'listed', items: [...known.values()] };
    return room.left <= 0 || this.#end.signal.aborted ? lister.list(ask) : this.#begin(ask);
  }

  answered(uid: string, object: RawSeen | undefined): void {
    if (object === undefined) this.#gone.add(uid);
    for (const items of this.#lists.values()) {
      const known = items.get(uid);
      if (known === undefined) continue;
      if (object === undefined) items.delete(uid);
      else if (!isNewer(known, object)) items.set(uid, this.#told(object));
    }
  }

  close(): void {
    this.#end.abort();
    this.#lists.clear();
  }

  async #begin(ask: ListAsk): Promise<Listed> {
    const { client, pageSize } = this.#options;
    const { kind, labelSelector = '', whole = false } = ask;
    const items = new Map<string, RawSeen>();
    try {
      const version = await list(client, kind.resource, {
        pageSize,
        labelSelector,
        ...formOf('list', whole),
        onItem: (item) => place(items, item as RawSeen),
        onRestart: () => items.clear(),
      });
      // From here on nothing is missed, or the watch ends.
      this.#lists.set(keyOf(ask), items);
      void this.#follow(ask, version, items);
    } catch (error) {
      return listedBecause(kind, error);
    }
    return { kind: 'listed', items: [...items.values()] };
  }

  async #follow(ask: ListAsk, resourceVersion: string, items: Map<string, RawSeen>): Promise<void> {
    const { client, room, onGone } = this.#options;
    const { kind, labelSelector = '', whole = false } = ask;
    const key = keyOf(ask);
    room.left -= 1;
    await watch(client, kind.resource, {
      labelSelector,
      resourceVersion,
      ...formOf('watch', whole),
      seconds: watchSeconds,
      silenceMs,
      signal: this.#end.signal,
      onOpen: () => undefined,
      onChange: (type, object) => {
        if (type !== 'DELETED') return this.#changed(items, object);
        items.delete(object.metadata?.uid ?? '');
        onGone();
      },
      onVersion: () => undefined,
    });
    room.left += 1;
    // Whoever asks next lists anew.
    if (this.#lists.get(key) === items) this.#lists.delete(key);
  }

  /** Of some kinds the answer is the object as it was before. */
  #told(object: RawSeen): RawSeen {
    const { deletionTimestamp = instantText(this.#options.now()), ...metadata } = object.metadata;
    return { ...object, metadata: { ...metadata, deletionTimestamp } };
  }

  #changed(items: Map<string, RawSeen>, object: RawObject): void {
    if (!this.#gone.has(object.metadata?.uid ?? '')) place(items, object as RawSeen);
  }
}

/** Unless a later one is known. */
function place(items: Map<string, RawSeen>, object: RawSeen): void {
  const known = items.get(object.metadata.uid);
  if (known === undefined || !isNewer(known, object)) items.set(object.metadata.uid, object);
}

function isNewer(known: RawSeen, object: RawSeen): boolean {
  return Number(known.metadata.resourceVersion) > Number(object.metadata.resourceVersion);
}
