import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../commit/environment.ts';
import { GitFailure, openGit } from '../commit/git.ts';
import { type GitConfig, quiet, readConfig } from '../commit/git-config.ts';
import { redact } from '../commit/redact.ts';
import { claimRunFolder, type RunFolder } from '../commit/run-folder.ts';
import { findingOf } from '../commit/stop.ts';
import { makeBareBeside, type Workplace } from '../commit/workplace.ts';
import { credentialSettings } from './credentials.ts';

export interface CloneOptions {
  /** Address of the repository that holds `state/` at its top. */
  readonly url: string;
  readonly branch: string;
  /** Folder for clones; others may use it, too, at the same time. */
  readonly work: string;
  /** Folder with credentials, as a mounted Secret: see `credentials.ts`. */
  readonly credentials?: string;
  /** Default: that of the process. */
  readonly environment?: Environment;
  readonly signal?: AbortSignal;
}

/** A clone as it is worked in. */
export interface ClonePlace extends Workplace {
  readonly remote: string;
  readonly branch: string;
  /** Read while the first fetch is under way. */
  readonly config: Promise<GitConfig>;
  /** For checkouts: removed with the clone. */
  readonly scratch: string;
}

/** Our own copy of the shared repository. It holds nothing that is not elsewhere: losing it costs one fetch. */
export interface StateClone {
  readonly branch: string;
  /** The repository as people know it, without credentials. */
  readonly name: string;
  /**
   * Works in the clone, which is made when it is first needed. One in which git fails (a lock that a killed git left
   * behind, a damaged object, a disk that it may have filled itself) is thrown away, and the work is done once more in a
   * new one.
   */
  with<Result>(work: (place: ClonePlace) => Promise<Result>): Promise<Result>;
  close(): void;
}

export function openClone(options: CloneOptions): StateClone {
  const { branch, url } = options;
  let current: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    current ??= makeClone(options).catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  };
  const retire = async (opened: Opened): Promise<void> => {
    opened.isRetired = true;
    if ((await current?.catch(() => undefined)) === opened) current = undefined;
  };
  const work = async <Result>(on: (place: ClonePlace) => Promise<Result>): Promise<Result> => {
    const opened = await open();
    opened.users += 1;
    opened.uses += 1;
    try {
      return await on(opened.place);
    } catch (error) {
      if (isOfTheClone(error)) await retire(opened);
      throw error;
    } finally {
      if (opened.uses >= mostUses) await retire(opened);
      opened.users -= 1;
      if (opened.isRetired && opened.users === 0) opened.folder.remove();
    }
  };
  return {
    branch,
    name: redact(url),
    with: async (on) => {
      try {
        return await work(on);
      } catch (error) {
        if (!isOfTheClone(error)) throw error;
        return work(on);
      }
    },
    close: () => {
      void current?.then(({ folder }) => folder.remove()).catch(() => {});
      current = undefined;
    },
  };
}

/** Each fetch leaves a little behind. A new clone is cheaper than keeping an old one tidy, and always sound. */
const mostUses = 1000;

interface Opened {
  readonly place: ClonePlace;
  readonly folder: RunFolder;
  /** At work in it now, and in all. */
  users: number;
  uses: number;
  /** No new work begins in it; the last one to leave removes it. */
  isRetired: boolean;
}

async function makeClone(options: CloneOptions): Promise<Opened> {
  const { url, branch, work, credentials, signal, environment = process.env } = options;
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const folder = claimRunFolder(work);
  try {
    const commonDir = join(folder.path, 'state.git');
    const scratch = join(folder.path, 'scratch');
    mkdirSync(scratch);
    const outside = openGit(folder.path, signal === undefined ? { environment } : { environment, signal });
    const settings = credentials === undefined ? '' : credentialSettings(credentials, url);
    const pusher = await makeBareBeside(outside, { dir: commonDir, url, settings });
    const git = pusher.with(quiet);
    const config = readConfig(git);
    // Whoever needs it hears of it.
    config.catch(() => undefined);
    const place = { git, pusher, commonDir, remote: 'target', name: redact(url), branch, config, scratch };
    return { place, folder, users: 0, uses: 0, isRetired: false };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** Not without git, or where nothing may be written: there a new clone would not help. */
function isOfTheClone(error: unknown): boolean {
  const code = findingOf(error)?.code;
  if (code === 'commit-no-space') return true;
  if (!(error instanceof GitFailure)) return false;
  return code === 'commit-git-failed' || code === 'commit-no-repository' || code === 'commit-index-locked';
}
