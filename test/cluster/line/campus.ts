import { cpSync, readFileSync } from 'node:fs';
import { synth } from '../../../src/pipeline.ts';
import type { GitServer } from '../../support/git-server.ts';
import { changesOf } from '../../support/repo.ts';
import type { TempRepo, Workshop } from '../../support/temp-repo.ts';
import { shipped } from './rendered.ts';

/** Whom the git server lets in: the appliers, by a Secret of the name in the settings, and the test. */
export const gitUser = { username: 'quiesce', password: 'a password' };

export const repositoryName = 'clusters';

/** The shipped state in a repository of its own, with settings that lead to the clusters of a test. */
export interface Campus {
  readonly repo: TempRepo;
  read(path: string): string;
  /** What others have pushed. */
  pull(): Promise<void>;
  /** Edits files of the state (null removes one), compiles, and pushes both. */
  push(edits: Edits): Promise<Pushed>;
  /** Changes the repository past the compiler, as a mistake would, and pushes. */
  pushByHand(change: (repo: TempRepo) => Promise<unknown>): Promise<string>;
}

export type Edits = Readonly<Record<string, ((text: string) => string) | string | null>>;

interface Pushed {
  readonly commit: string;
  /** Files of `out/` that changed, as `~ path`; the inventory, which always does, is left out. */
  readonly files: readonly string[];
}

export async function openCampus(workshop: Workshop, server: GitServer): Promise<Campus> {
  const repo = await workshop.clone(server.url(repositoryName, gitUser), repositoryName);
  cpSync(shipped.state, `${repo.dir}/state`, { recursive: true });
  repo.write('.gitignore', '.quiesce/\n');
  const commitAndPush = async (): Promise<string> => {
    await repo.git('add', '--all');
    await repo.git('commit', '--quiet', '--allow-empty', '-m', 'Change');
    await repo.git('push', '--quiet', 'origin', 'HEAD:main');
    return repo.git('rev-parse', 'HEAD');
  };
  return {
    repo,
    read: (path) => readFileSync(`${repo.dir}/${path}`, 'utf8'),
    pull: async () => {
      await repo.git('pull', '--quiet', '--rebase');
    },
    push: async (edits) => {
      for (const [path, edit] of Object.entries(edits)) await editFile(repo, path, edit);
      const files = changesOf(await synth({ root: repo.dir })).filter((line) => !line.endsWith(' inventory.jsonl'));
      return { files, commit: await commitAndPush() };
    },
    pushByHand: async (change) => {
      await change(repo);
      return commitAndPush();
    },
  };
}

async function editFile(repo: TempRepo, path: string, edit: Edits[string]): Promise<void> {
  if (edit === null) await repo.git('rm', '--quiet', path);
  else repo.write(path, typeof edit === 'string' ? edit : edit(repo.read(path)));
}

/** An edit that must find what it is to replace. */
export function replacing(...pairs: readonly (readonly [from: string, to: string])[]): (text: string) => string {
  return (text) =>
    pairs.reduce((current, [from, to]) => {
      if (!current.includes(from)) throw new Error(`there is no ${JSON.stringify(from)} in\n${current}`);
      return current.replaceAll(from, to);
    }, text);
}

/** For an edit of the settings: mails go to this server. */
export function mailTo(port: number): readonly (readonly [from: string, to: string])[] {
  return [
    ['host: smtp.example.edu', 'host: 127.0.0.1'],
    ['port: 587', `port: ${port}`],
    ['security: STARTTLS', 'security: None'],
    ['    credentialsSecret: quiesce-smtp\n', ''],
  ];
}
