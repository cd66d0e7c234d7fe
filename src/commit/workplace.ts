import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Destination, repositoryName } from './destination.ts';
import type { Git } from './git.ts';
import { configEntry, readConfig, sharedConfigFile } from './git-config.ts';
import type { Repository } from './repository.ts';

/** The repository that commits are made in: the user's, or one beside it that stands for another repository. */
export interface Workplace {
  readonly git: Git;
  /** Git as the user runs it, hooks included. */
  readonly pusher: Git;
  readonly commonDir: string;
  /** Absent: branches are those of this repository itself. */
  readonly remote?: string;
  /** The remote as people know it. */
  readonly name: string;
  /** History to fetch of branches that have none in common with what is here. */
  readonly depth?: number;
}

/** Enough to find the last commits of ours and the place where a pull request branch left its base. */
const historyDepth = 50;

export async function openWorkplace(
  destination: Destination,
  repository: Repository,
  runFolder: string,
): Promise<Workplace> {
  const name = repositoryName(destination);
  if (destination.url !== undefined) return besides(destination.url, name, repository, runFolder);
  const { git, pusher, commonDir } = repository;
  if (destination.remote === undefined) return { git, pusher, commonDir, name };
  const isShallow = (await git.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  return {
    git,
    pusher,
    commonDir,
    name,
    remote: destination.remote,
    ...(isShallow && !destination.sharesState ? { depth: historyDepth } : {}),
  };
}

async function besides(url: string, name: string, { git }: Repository, runFolder: string): Promise<Workplace> {
  const commonDir = join(runFolder, 'target.git');
  const settings = sharedConfigFile(await readConfig(git, ['--local']));
  const there = await makeBareBeside(git, { dir: commonDir, url, settings });
  return { git: there, pusher: there, commonDir, remote: 'target', name, depth: historyDepth };
}

/** An empty repository with one remote, `target`. Settings are text of a configuration file: arguments can be seen. */
export async function makeBareBeside(
  git: Git,
  { dir, url, settings }: { readonly dir: string; readonly url: string; readonly settings: string },
): Promise<Git> {
  mkdirSync(dir, { mode: 0o700 });
  const there = git.in(dir);
  await there.run(['init', '--quiet', '--bare', '--template=', '.']);
  const own = configEntry('core.repositoryformatversion', '0') + configEntry('core.bare', 'true');
  const remote =
    configEntry('remote.target.url', url) + configEntry('remote.target.fetch', '+refs/heads/*:refs/remotes/target/*');
  writeFileSync(join(dir, 'config'), own + settings + remote, { mode: 0o600 });
  return there;
}
