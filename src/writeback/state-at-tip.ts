import type { Author } from '../commit/commit-object.ts';
import { GitFailure } from '../commit/git.ts';
import { remoteFinding } from '../commit/remote-findings.ts';
import { findingOf, nowhere, Stop } from '../commit/stop.ts';
import { blobBytes, commitTree } from '../load/commit-tree.ts';
import type { Tree } from '../load/tree.ts';
import type { Finding } from '../validate/finding.ts';
import type { ClonePlace, StateClone } from './clone.ts';
import { fetchNewest, groundAt } from './ground.ts';

/** `state/` as one commit has it: nothing of it changes any more. */
export interface StateAtTip {
  readonly commit: string;
  /** Every file of `state/`, to be read in bulk. */
  readonly tree: Tree;
  /** From 1; more than 1 after somebody else pushed first. */
  readonly attempt: number;
  /** Text of one file of `state/`, byte order mark included; undefined when there is none. */
  text(path: string): Promise<string | undefined>;
  /** Content of any file of the commit; undefined when there is none. */
  bytes(path: string): Promise<Uint8Array | undefined>;
}

export type StateAnswer =
  | { readonly kind: 'ok'; readonly state: StateAtTip }
  | { readonly kind: 'failed'; readonly finding: Finding };

/** The newest state, to look at: what is written goes through `writeBack`, which reads again. */
export async function readState(
  clone: StateClone,
  options: { readonly author: Author; readonly review?: string },
): Promise<StateAnswer> {
  try {
    return await clone.with(async (place) => {
      const fetched = await fetchNewest(place, options.review);
      if (fetched.kind !== 'tip') {
        const context = {
          remote: place.name,
          branch: place.branch,
          attempts: 1,
          isReview: false,
          setting: 'git.state',
        };
        return { kind: 'failed', finding: remoteFinding(fetched, context) };
      }
      const { commit } = await groundAt(place, { tips: fetched.tip, ...options });
      return { kind: 'ok', state: await openState(place, commit, 1) };
    });
  } catch (error) {
    const finding = findingOf(error);
    if (finding === undefined) throw error;
    return { kind: 'failed', finding };
  }
}

export async function openState(place: ClonePlace, commit: string, attempt: number): Promise<StateAtTip> {
  const tree = await treeAt(place, commit);
  if (tree === undefined) {
    const stderr = `commit ${commit} was fetched and cannot be read`;
    throw new GitFailure('ls-tree', { code: 1, stdout: '', stderr });
  }
  const known = new Set(tree.sources.filter(({ link }) => link === undefined).map(({ path }) => path));
  return {
    commit,
    tree,
    attempt,
    text: async (path) => {
      if (!known.has(path)) return undefined;
      await tree.prefetch([path]);
      return textOf(path, tree.read(path));
    },
    bytes: (path) => blobBytes(place.commonDir, `${commit}:${path}`),
  };
}

/** A run looks at one commit several times, and it stays the same. */
const lastTree = new WeakMap<ClonePlace, { readonly commit: string; readonly tree: Tree }>();

async function treeAt(place: ClonePlace, commit: string): Promise<Tree | undefined> {
  const known = lastTree.get(place);
  if (known?.commit === commit) return known.tree;
  const tree = await commitTree(place.commonDir, commit);
  if (tree !== undefined) lastTree.set(place, { commit, tree });
  return tree;
}

/** As text that gives the same bytes when it is written again. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Stop({
      code: 'not-utf8',
      at: nowhere,
      message: `${path} is not UTF-8.`,
      remedy: 'Convert it, and run the command again.',
    });
  }
}
