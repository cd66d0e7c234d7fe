import { inspectInto, type ListedFile, type Listing, listUntracked } from './listing.ts';

/**
 * The files of the output folder, by path relative to it. What git tracks is known at once; the rest is looked at when
 * it is asked for, since finding it all means reading every folder.
 */
export class OutputFiles {
  readonly #root: string;
  readonly #prefix: string;
  readonly #known: Listing = new Map();
  readonly #gone = new Set<string>();

  constructor(root: string, folder: string, tracked: Listing) {
    this.#root = root;
    this.#prefix = `${folder}/`;
    for (const [path, file] of tracked) {
      if (path.startsWith(this.#prefix)) this.#known.set(path.slice(this.#prefix.length), file);
    }
  }

  get(path: string): ListedFile | undefined {
    const known = this.#known.get(path);
    if (known !== undefined || this.#gone.has(path)) return known;
    const found: Listing = new Map();
    inspectInto(found, this.#root, [this.#prefix + path]);
    for (const file of found.values()) this.#known.set(path, file);
    return this.#known.get(path);
  }

  /** Keeps up with what is about to be written. */
  set(path: string, oid: string): void {
    this.#known.set(path, { oid, symlink: false });
    this.#gone.delete(path);
  }

  delete(path: string): void {
    this.#known.delete(path);
    this.#gone.add(path);
  }

  /** Everything there is, those that git does not track too. */
  async paths(): Promise<ReadonlySet<string>> {
    const untracked = (await listUntracked(this.#root, [this.#prefix])) ?? [];
    const paths = new Set(this.#known.keys());
    for (const path of untracked) paths.add(path.slice(this.#prefix.length));
    for (const path of this.#gone) paths.delete(path);
    return paths;
  }

  /** A listing with this folder's part brought up to date, in the order it had. */
  updated(listing: Listing): Listing {
    const now: Listing = new Map();
    for (const [path, file] of listing) {
      const inner = path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : undefined;
      const current = inner === undefined ? file : this.#known.get(inner);
      if (current !== undefined) now.set(path, current);
    }
    for (const [path, file] of this.#known) if (!now.has(this.#prefix + path)) now.set(this.#prefix + path, file);
    return now;
  }
}
