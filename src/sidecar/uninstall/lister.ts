import type { KubeClient } from '../kube/client.ts';
import type { ServedKind } from './discovery.ts';
import { canTellApart, keyOf, type ListAsk, type Listed, listIfFew, listOne, partOf } from './listing.ts';

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

/** From so many namespaces on, whose content of one kind is asked for at the same time, one list of all is less, */
const manyNamespaces = 8;
/** and from so many on, if all of the cluster fits into one answer: of most kinds there are few. */
const severalNamespaces = 3;
/** The same of several labels, of what is in no namespace. */
const severalLabels = 2;

export function openLister(options: ListerOptions): Lister {
  return new SharingLister(options);
}

interface Member {
  readonly ask: ListAsk;
  readonly resolve: (listed: Listed) => void;
}

/** Of one kind, not begun yet, by what is asked for: perhaps one list of everything serves them all. */
type Group = Map<string, Member>;

class SharingLister implements Lister {
  readonly #options: ListerOptions;
  readonly #gate: Gate;
  /** Not begun yet, by what is asked for. */
  readonly #waiting = new Map<string, Promise<Listed>>();
  readonly #groups = new Map<string, Group>();

  constructor(options: ListerOptions) {
    this.#options = options;
    this.#gate = openGate(options.limit);
  }

  list(ask: ListAsk): Promise<Listed> {
    const key = keyOf(ask);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const listed = ask.labelSelector === undefined ? this.#listTogether(ask, key) : this.#listLabelled(ask, key);
    this.#waiting.set(key, listed);
    return listed;
  }

  async #listLabelled(ask: ListAsk, key: string): Promise<Listed> {
    const isPart = ask.namespace === undefined && canTellApart(ask);
    // Of what is in no namespace there is little.
    if (isPart && !ask.kind.resource.namespaced) return this.#listTogether(ask, key);
    // Whoever asks at the same moment is heard first.
    await Promise.resolve();
    const group = this.#groupOf(ask);
    if (isPart && isBroad(group)) return new Promise((resolve) => group.set(key, { ask, resolve }));
    return this.#gate(() => this.#begin(ask, key));
  }

  async #listTogether(ask: ListAsk, key: string): Promise<Listed> {
    const group = this.#groupOf(ask);
    const shared = new Promise<Listed>((resolve) => group.set(key, { ask, resolve }));
    const own = this.#gate(async () => {
      const member = group.get(key);
      if (member === undefined) return;
      if (isBroad(group)) return this.#listAll(ask, group);
      group.delete(key);
      member.resolve(await this.#begin(ask, key));
    });
    const [listed] = await Promise.all([shared, own]);
    return listed;
  }

  #groupOf({ kind, whole = false }: ListAsk): Group {
    const key = keyOf({ kind, whole });
    const group = this.#groups.get(key) ?? new Map<string, Member>();
    this.#groups.set(key, group);
    return group;
  }

  /** From here on it is too late to share it. */
  #begin(ask: ListAsk, key: string): Promise<Listed> {
    this.#waiting.delete(key);
    return listOne(this.#options.client, ask, this.#options.pageSize);
  }

  async #listAll({ kind, whole = false }: ListAsk, group: Group): Promise<void> {
    const begun = [...group];
    const list = isWorthAll(group) ? listOne : listIfFew;
    group.clear();
    for (const [key] of begun) this.#waiting.delete(key);
    const { client, pageSize } = this.#options;
    const listed = await list(client, { kind, whole }, pageSize).catch(failedOurselves(kind));
    const parts = begun.map(async ([, { ask, resolve }]) => {
      if (listed !== 'many') return resolve(partOf(listed, ask));
      resolve(await listOne(client, ask, pageSize).catch(failedOurselves(kind)));
    });
    await Promise.all(parts);
  }
}

function isBroad(group: Group): boolean {
  return isWorthAll(group) || namespacesIn(group) >= severalNamespaces || labelsIn(group) >= severalLabels;
}

function labelsIn(group: Group): number {
  return [...group.values()].filter(({ ask }) => ask.labelSelector !== undefined).length;
}

/** However much it is. */
function isWorthAll(group: Group): boolean {
  const isEverything = ({ ask }: Member) => ask.namespace === undefined && ask.labelSelector === undefined;
  return namespacesIn(group) >= manyNamespaces || [...group.values()].some(isEverything);
}

function namespacesIn(group: Group): number {
  return [...group.values()].filter(({ ask }) => ask.namespace !== undefined).length;
}

/** A mistake of ours must not leave those waiting for ever who only share it. */
function failedOurselves({ apiVersion, kind }: ServedKind): (error: unknown) => Listed {
  return (error) => ({ kind: 'failed', unread: { what: `${apiVersion}/${kind}`, status: 0, why: String(error) } });
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
