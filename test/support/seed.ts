import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolatedEnvironment, makeBare, runGit, type TempRepo, tempRepo, type Workshop } from './temp-repo.ts';

type Files = Readonly<Record<string, string>>;

interface Origin {
  /** A bare repository that is there already and has nothing in it. */
  readonly bare: string;
  readonly url: string;
}

/** Puts them into a workshop; the origin is a bare repository `origin.git` of it unless another one is named. */
export type Sow = (shop: Workshop, name: string, origin?: Origin) => Promise<Seeded>;

interface Seeded {
  readonly bare: string;
  /** The clone. */
  readonly repo: TempRepo;
}

/**
 * A bare repository whose branch `main` has one commit, `State`, and a clone that it was pushed from. Git makes them once
 * in each test file, with two dozen processes; what tests get are copies.
 */
export function seedOf(files: Files): Sow {
  let made: Promise<string> | undefined;
  return async (shop, name, origin) => {
    made ??= inFolder(async (folder, env) => {
      makeBare(join(folder, 'origin.git'));
      await runGit(folder, ['clone', '--quiet', `file://${folder}/origin.git`, 'repo'], env);
      const repo = tempRepo(join(folder, 'repo'), env);
      await repo.commit('State', files);
      await repo.git('push', '--quiet', 'origin', 'main');
    });
    const template = await made;
    const bare = origin?.bare ?? shop.path('origin.git');
    cpSync(join(template, 'origin.git'), bare, { recursive: true });
    const repo = await copied(template, shop, name);
    const config = join(repo.dir, '.git/config');
    const url = `url = "${origin?.url ?? `file://${bare}`}"`;
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(/^\turl = .*$/m, () => `\t${url}`),
    );
    return { bare, repo };
  };
}

const alone = new Map<string, Promise<string>>();

/** A repository with one commit, `State`, and no remote; copied as well. */
export async function committed(shop: Workshop, name: string, files: Files): Promise<TempRepo> {
  const key = JSON.stringify(files);
  const made =
    alone.get(key) ??
    inFolder(async (folder, env) => {
      await runGit(folder, ['init', '--quiet', '--initial-branch=main', 'repo'], env);
      await tempRepo(join(folder, 'repo'), env).commit('State', files);
    });
  alone.set(key, made);
  return copied(await made, shop, name);
}

async function inFolder(make: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-seed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await make(folder, isolatedEnvironment(folder));
  return folder;
}

async function copied(template: string, shop: Workshop, name: string): Promise<TempRepo> {
  const dir = shop.path(name);
  cpSync(join(template, 'repo'), dir, { recursive: true });
  const repo = tempRepo(dir, shop.env);
  // The index knows the inodes of the files that these are copies of.
  await repo.git('update-index', '--refresh');
  return repo;
}
