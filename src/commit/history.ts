import type { Git } from './git.ts';
import { fetchWholeHistory } from './tips.ts';
import type { Workplace } from './workplace.ts';

export interface Relation {
  readonly kind: 'same' | 'ahead' | 'behind' | 'diverged';
  /** Commits that only the first one has, and only the second one. */
  readonly ahead: number;
  readonly behind: number;
}

/** Whatever the user has set for reading logs. */
const plainLog = ['-c', 'log.showSignature=false', '-c', 'log.follow=false', 'log', '--no-color'];

/** How `commit` stands to `other`. Where a shallow clone cannot tell, the rest of its history is fetched. */
export async function relationOf(place: Workplace, commit: string, other: string): Promise<Relation> {
  const seen = await countBetween(place.git, commit, other);
  if (seen.kind !== 'diverged' || !(await isShallow(place.git))) return seen;
  await fetchWholeHistory(place);
  return countBetween(place.git, commit, other);
}

async function countBetween(git: Git, commit: string, other: string): Promise<Relation> {
  if (commit === other) return { kind: 'same', ahead: 0, behind: 0 };
  const counts = await git.run(['rev-list', '--left-right', '--count', `${commit}...${other}`]);
  const [ahead = 0, behind = 0] = counts.trim().split('\t').map(Number);
  const kind = behind === 0 ? 'ahead' : ahead === 0 ? 'behind' : 'diverged';
  return { kind, ahead, behind };
}

async function isShallow(git: Git): Promise<boolean> {
  return (await git.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
}

/** Undefined where git does not have one of the two. */
export async function isAncestor(git: Git, ancestor: string, descendant: string): Promise<boolean | undefined> {
  const { code } = await git.ask(['merge-base', '--is-ancestor', ancestor, descendant]);
  return code === 0 ? true : code === 1 ? false : undefined;
}

/** The commit of `state/` that the newest output below `path` says it came from. */
export async function lastSource(git: Git, tip: string, path: string): Promise<string | undefined> {
  const format = '%(trailers:key=Quiesce-Source,valueonly,separator=%x2C)';
  const output = await git.run([
    ...plainLog,
    '--max-count=1',
    `--format=${format}`,
    tip,
    '--',
    `:(top,literal)${path}`,
  ]);
  return /^[0-9a-f]{40,64}/.exec(output.trim())?.[0];
}

/** Whether a range of commits changed anything outside of `path`. */
export async function changesOutside(git: Git, from: string, to: string, path: string): Promise<boolean> {
  const everythingElse = [':(top)', `:(top,exclude,literal)${path}`];
  const names = ['--format=', '--name-only', '-z', '--no-renames'];
  const output = await git.run([...plainLog, ...names, `${from}..${to}`, '--', ...everythingElse]);
  return output.trim() !== '';
}

/** Id of what lies at a path of a commit or tree; undefined when nothing does. */
export async function idAt(git: Git, tree: string, path: string): Promise<string | undefined> {
  const answer = await git.ask(['rev-parse', '--verify', '--quiet', `${tree}:${path}`]);
  return answer.code === 0 ? answer.stdout.trim() : undefined;
}
