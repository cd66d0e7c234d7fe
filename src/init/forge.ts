export type Forge = 'github' | 'gitlab' | 'forgejo';

/** What is known of the repository that a skeleton is written for. */
export interface Repository {
  /** Where others clone it from; undefined when nothing is set up. */
  readonly url?: string;
  readonly branch: string;
  /** Files and folders at its root. */
  readonly entries: readonly string[];
}

/** By what is there already, then by the name of the server; GitHub where nothing tells. */
export function guessForge({ url = '', entries }: Repository): Forge {
  if (entries.includes('.github')) return 'github';
  if (entries.some((entry) => entry === '.gitlab-ci.yml' || entry === '.gitlab')) return 'gitlab';
  if (entries.includes('.forgejo') || entries.includes('.gitea')) return 'forgejo';
  const host = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)/.exec(url)?.[1] ?? '';
  if (host.includes('gitlab')) return 'gitlab';
  return /codeberg|forgejo|gitea/.test(host) ? 'forgejo' : 'github';
}
