/** One file below `state/` as git or the disk knows it. */
export interface Source {
  /** Relative to the repository, with `/`: `state/claims/ada.yaml`. */
  readonly path: string;
  /** Git blob id of its bytes (SHA-1 over `blob <length>\0` and the bytes): the same on disk, in the index and in a commit. */
  readonly oid: string;
  /** Set for a symbolic link that leads out of `state/`, or nowhere: it is never followed. */
  readonly link?: 'outside' | 'broken';
  /** Set where the system does not let us read it: why. */
  readonly refused?: string;
}

/** Whether its bytes may be asked for. */
export function isReadable({ link, refused }: Source): boolean {
  return link === undefined && refused === undefined;
}

/**
 * A state to compile: the work tree, or a commit. Sources are sorted by path (code units, never the locale).
 * Reading is lazy, so that files whose blob id is known already are never opened.
 */
export interface Tree {
  /** For people: `worktree`, or the ref as it was given. */
  readonly label: string;
  readonly sources: readonly Source[];
  /** Makes `read` of these paths cheap; a commit's blobs come in one batch. */
  prefetch(paths: readonly string[]): Promise<void>;
  /** Bytes of one of the sources. Throws an InternalError for a path that is not among them. */
  read(path: string): Uint8Array;
}

export function bySourcePath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
