import type { RawObject } from './watch.ts';

/** What is kept of an object: little, because there may be tens of thousands. */
export interface Slim {
  readonly name: string;
  /** `metadata.resourceVersion` as a number: of one kind, they grow. */
  readonly version: number;
}

/** What the API server holds of one kind, as far as it has been told. */
export interface Cache<T extends Slim> {
  /** By name where the kind has no namespaces, else by UID: both are strings that are kept anyhow. */
  get(key: string): T | undefined;
  values(): Iterable<T>;
  /** Those that the index gives this value. */
  indexed(value: string): Iterable<T>;
  readonly size: number;
}

export interface CacheOptions<T extends Slim> {
  /** Undefined for what is not worth keeping. */
  readonly project: (object: RawObject) => T | undefined;
  readonly index?: (value: T) => readonly string[];
  /** Not told of changes that the projection does not show: a node's heartbeat is none. */
  readonly onChange?: (change: Change<T>) => void;
}

export interface Change<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface WritableCache<T extends Slim> extends Cache<T> {
  /** A list begins. What was there stays, until the list has ended without it. */
  beginList(): void;
  endList(): void;
  listed(object: RawObject): void;
  /** By a watch, or by the answer to a write of ours, whichever comes first: what is older is dropped. */
  changed(object: RawObject): void;
  deleted(object: RawObject): void;
}

function keyOf({ metadata = {} }: RawObject): string {
  return (metadata.namespace === undefined ? metadata.name : metadata.uid) ?? '';
}

export function versionOf({ metadata }: RawObject): number {
  return Number(metadata?.resourceVersion ?? 0);
}

export function openCache<T extends Slim>(options: CacheOptions<T>): WritableCache<T> {
  return new ProjectedCache(options);
}

class ProjectedCache<T extends Slim> implements WritableCache<T> {
  readonly #options: CacheOptions<T>;
  readonly #items = new Map<string, T>();
  readonly #byIndex: Index<T> = new Map();
  #listed: Set<string> | undefined;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#items.size;
  }

  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  values(): Iterable<T> {
    return this.#items.values();
  }

  indexed(value: string): Iterable<T> {
    return this.#byIndex.get(value)?.values() ?? [];
  }

  beginList(): void {
    this.#listed = new Set();
  }

  listed(object: RawObject): void {
    const key = keyOf(object);
    this.#listed?.add(key);
    this.#place(key, this.#options.project(object));
  }

  endList(): void {
    for (const key of this.#items.keys()) if (this.#listed?.has(key) === false) this.#place(key, undefined);
    this.#listed = undefined;
  }

  changed(object: RawObject): void {
    const key = keyOf(object);
    if (!isOlder(object, this.#items.get(key))) this.#place(key, this.#options.project(object));
  }

  deleted(object: RawObject): void {
    const key = keyOf(object);
    if (!isOlder(object, this.#items.get(key))) this.#place(key, undefined);
  }

  #place(key: string, after: T | undefined): void {
    const { index, onChange } = this.#options;
    const before = this.#items.get(key);
    if (after === undefined) this.#items.delete(key);
    else this.#items.set(key, after);
    if (index !== undefined) {
      if (before !== undefined) takeOut(this.#byIndex, key, index(before));
      if (after !== undefined) putIn(this.#byIndex, key, index(after), after);
    }
    if (onChange !== undefined && !isSame(before, after)) onChange({ before, after });
  }
}

/** A deletion has a version of its own, too. */
function isOlder(object: RawObject, known: Slim | undefined): boolean {
  return known !== undefined && versionOf(object) < known.version;
}

function isSame<T extends Slim>(before: T | undefined, after: T | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return content(before) === content(after);
}

function content(value: Slim): string {
  return JSON.stringify({ ...value, version: 0, resourceVersion: '' });
}

type Index<T> = Map<string, Map<string, T>>;

function takeOut<T>(byIndex: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const group = byIndex.get(value);
    group?.delete(key);
    if (group?.size === 0) byIndex.delete(value);
  }
}

function putIn<T>(byIndex: Index<T>, key: string, values: readonly string[], item: T): void {
  for (const value of values) {
    const group = byIndex.get(value);
    if (group === undefined) byIndex.set(value, new Map([[key, item]]));
    else group.set(key, item);
  }
}
