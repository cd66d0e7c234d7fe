import type { KubeClient } from '../kube/client.ts';
import { NoAnswer, Refused } from '../kube/failures.ts';
import { list } from '../kube/list.ts';
import type { ServedKind } from './discovery.ts';
import type { Unread } from './observation.ts';
import type { RawSeen } from './project.ts';

export interface ListAsk {
  readonly kind: ServedKind;
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** More than the metadata. */
  readonly whole?: boolean;
}

type Listed =
  | { readonly kind: 'listed'; readonly items: readonly RawSeen[] }
  | { readonly kind: 'failed'; readonly unread: Unread };

/** Lists that begin after they were asked for; who asks for the same at the same time shares one. */
export interface Lister {
  list(ask: ListAsk): Promise<Listed>;
}

interface ListerOptions {
  readonly client: KubeClient;
  readonly pageSize: number;
  /** Lists under way at the same time. */
  readonly limit: number;
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** From so many namespaces on, whose content of one kind is asked for at the same time, one list of all is less, */
const manyNamespaces = 8;
/** and from so many on, if all of the cluster fits into one answer: of most kinds there are few. */
const severalNamespaces = 3;

export function openLister(options: ListerOptions): Lister {
  return new SharingLister(options);
}

class SharingLister implements Lister {
  readonly #options: ListerOptions;
  readonly #gate: Gate;
  /** Not begun yet, by what is asked for. */
  readonly #waiting = new Map<string, Promise<Listed>>();
  /** Of these, whole namespaces by kind, with who waits. */
  readonly #namespaces = new Map<string, Map<string, (listed: Listed) => void>>();

  constructor(options: ListerOptions) {
    this.#options = options;
    this.#gate = openGate(options.limit);
  }

  list(ask: ListAsk): Promise<Listed> {
    const key = keyOf(ask);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const { namespace } = ask;
    const isWhole = namespace !== undefined && ask.labelSelector === undefined;
    const listed = isWhole ? this.#listNamespace({ ...ask, namespace }, key) : this.#gate(() => this.#begin(ask, key));
    this.#waiting.set(key, listed);
    return listed;
  }

  /** From here on it is too late to share it. */
  #begin(ask: ListAsk, key: string): Promise<Listed> {
    this.#waiting.delete(key);
    return listOne(this.#options.client, ask, this.#options.pageSize);
  }

  async #listNamespace(ask: ListAsk & { readonly namespace: string }, key: string): Promise<Listed> {
    const kind = keyOf({ kind: ask.kind, whole: ask.whole === true });
    const asked = this.#namespaces.get(kind) ?? new Map<string, (listed: Listed) => void>();
    this.#namespaces.set(kind, asked);
    const shared = new Promise<Listed>((resolve) => asked.set(ask.namespace, resolve));
    const own = this.#gate(async () => {
      if (!asked.has(ask.namespace)) return;
      if (asked.size >= severalNamespaces) await this.#listAll(ask, asked);
      else {
        const resolve = asked.get(ask.namespace);
        asked.delete(ask.namespace);
        resolve?.(await this.#begin(ask, key));
      }
    });
    const [listed] = await Promise.all([shared, own]);
    return listed;
  }

  async #listAll({ kind, whole = false }: ListAsk, asked: Map<string, (listed: Listed) => void>): Promise<void> {
    const begun = [...asked];
    asked.clear();
    for (const [namespace] of begun) {
      this.#waiting.delete(keyOf({ kind, namespace, whole }));
    }
    const ask = { kind, whole };
    const { client, pageSize } = this.#options;
    const isMany = begun.length >= manyNamespaces;
    const listed = await (isMany ? listOne : listIfFew)(client, ask, pageSize).catch(failedOurselves(kind));
    const parts = begun.map(async ([namespace, resolve]) => {
      if (listed !== 'many') return resolve(within(listed, namespace));
      resolve(await listOne(client, { ...ask, namespace }, pageSize).catch(failedOurselves(kind)));
    });
    await Promise.all(parts);
  }
}

/** A mistake of ours must not leave those waiting for ever who only share it. */
function failedOurselves({ apiVersion, kind }: ServedKind): (error: unknown) => Listed {
  return (error) => ({ kind: 'failed', unread: { what: `${apiVersion}/${kind}`, status: 0, why: String(error) } });
}

function keyOf({ kind, namespace, labelSelector, whole = false }: ListAsk): string {
  return JSON.stringify([kind.apiVersion, kind.kind, namespace, labelSelector, whole]);
}

function within(listed: Listed, namespace: string): Listed {
  if (listed.kind === 'failed') return listed;
  return { kind: 'listed', items: listed.items.filter(({ metadata }) => metadata.namespace === namespace) };
}

interface Page {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly RawSeen[] | null;
}

async function listIfFew(client: KubeClient, { kind, whole }: ListAsk, pageSize: number): Promise<Listed | 'many'> {
  try {
    const { items, metadata } = await client.read<Page>({
      verb: 'list',
      resource: kind.resource,
      query: { limit: String(pageSize) },
      ...(whole !== true && { accept: metadataOnly }),
    });
    return metadata?.continue ? 'many' : { kind: 'listed', items: items ?? [] };
  } catch (error) {
    return listedBecause(kind, error);
  }
}

async function listOne(client: KubeClient, ask: ListAsk, pageSize: number): Promise<Listed> {
  const { kind, namespace, labelSelector, whole = false } = ask;
  let items: RawSeen[] = [];
  try {
    await list(client, kind.resource, {
      pageSize,
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(!whole && { accept: metadataOnly }),
      onItem: (item) => items.push(item as RawSeen),
      onRestart: () => {
        items = [];
      },
    });
    return { kind: 'listed', items };
  } catch (error) {
    return listedBecause(kind, error);
  }
}

/** What is registered and cannot be listed has no content, nor has what is not served any more. */
function listedBecause({ apiVersion, kind }: ServedKind, error: unknown): Listed {
  const unread = unreadBecause(`${apiVersion}/${kind}`, error);
  return unread.status === 405 || unread.status === 404 ? { kind: 'listed', items: [] } : { kind: 'failed', unread };
}

/** Errors of the world; of any other kind they are a mistake of ours, and go on up. */
export function unreadBecause(what: string, error: unknown): Unread {
  if (error instanceof Refused) {
    const { status, message: why, retryAfterSeconds } = error;
    return { what, status, why, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (error instanceof NoAnswer) return { what, status: 0, why: error.message };
  throw error;
}

type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** So many at once; who comes later waits, in order. */
function openGate(limit: number): Gate {
  const waiting: (() => void)[] = [];
  let open = 0;
  return async (work) => {
    // A turn of the event loop, so that who asks at the same moment is heard before it begins.
    await Promise.resolve();
    if (open >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else open += 1;
    try {
      return await work();
    } finally {
      const first = waiting.shift();
      if (first === undefined) open -= 1;
      else first();
    }
  };
}
