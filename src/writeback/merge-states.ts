import { GitFailure } from '../commit/git.ts';
import { nowhere, Stop } from '../commit/stop.ts';
import type { ClonePlace } from './clone.ts';
import { mergeRecords } from './merge-records.ts';
import { stageEdits } from './stage-edits.ts';

export interface Sides {
  readonly base: string;
  /** What the pull request branch has. */
  readonly proposed: string;
  readonly review: string;
}

export interface Merged {
  readonly tree: string;
  readonly hadConflicts: boolean;
}

/**
 * The base with what the pull request adds, without a work tree. Git's own merge decides where it can. Where both sides
 * changed one file, records are joined by meaning, and of claims the base counts: what the runner wants of a claim
 * follows from its record and is decided again. Anything else in conflict was put there by people.
 */
export async function mergeStates(place: ClonePlace, { base, proposed, review }: Sides): Promise<Merged> {
  const answer = await place.git.ask(['merge-tree', '--write-tree', '-z', '--no-messages', base, proposed]);
  if (answer.code > 1 || answer.code < 0) throw new GitFailure('merge-tree', answer);
  const { tree, conflicts } = parseMerge(answer.stdout);
  if (answer.code === 0) return { tree, hadConflicts: false };
  const edits = [];
  for (const [path, sides] of conflicts) {
    if (!path.startsWith('state/')) throw new Stop(edited(place, review, path));
    edits.push({ path, text: await settled(place, path, sides) });
  }
  // Conflict markers are in the tree that git wrote; each such file is replaced here.
  return { tree: (await stageEdits(place, tree, edits)).tree, hadConflicts: true };
}

/** Blobs of a file in conflict; absent where a side has none. */
interface ConflictSides {
  base?: string;
  ours?: string;
  theirs?: string;
}

async function settled(place: ClonePlace, path: string, { ours, theirs }: ConflictSides): Promise<string | undefined> {
  const text = async (id: string | undefined): Promise<string | undefined> =>
    id === undefined ? undefined : place.git.run(['cat-file', 'blob', id]);
  const kept = await text(ours);
  if (!path.startsWith('state/records/')) return kept;
  const added = await text(theirs);
  return kept === undefined || added === undefined ? (kept ?? added) : mergeRecords(kept, added);
}

const sideNames = { '1': 'base', '2': 'ours', '3': 'theirs' } as const;

/** `<tree>`, then for each file in conflict up to three `<mode> <id> <stage>\t<path>`, all ended by NUL. */
function parseMerge(output: string): { readonly tree: string; readonly conflicts: ReadonlyMap<string, ConflictSides> } {
  const [tree = '', ...entries] = output.split('\0');
  const conflicts = new Map<string, ConflictSides>();
  for (const entry of entries) {
    const found = /^\d+ (?<id>[0-9a-f]+) (?<stage>[123])\t(?<path>.*)$/s.exec(entry)?.groups;
    if (found === undefined) continue;
    const { id = '', stage = '', path = '' } = found;
    const sides = conflicts.get(path) ?? {};
    sides[sideNames[stage as keyof typeof sideNames]] = id;
    conflicts.set(path, sides);
  }
  return { tree: tree.trim(), conflicts };
}

function edited({ branch }: ClonePlace, review: string, path: string) {
  return {
    code: 'commit-review-branch-edited',
    at: nowhere,
    message: `${review} and ${branch} both changed ${path}, each in its own way.`,
    remedy: `Merge ${branch} into ${review}, or delete ${review} on the remote.`,
  } as const;
}
