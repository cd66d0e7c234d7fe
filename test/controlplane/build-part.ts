import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Entry, entryFolder, type Manifest, readEntry, totalSize, writeManifest } from './cache.ts';
import { type BuildOptions, compile, interrupted, logFile } from './compile.ts';
import { cacheFailure, errorCode } from './failures.ts';
import { type LockResult, takeLock } from './lock.ts';
import { type Missing, missing } from './missing.ts';
import { withProgress } from './progress.ts';
import { duration, megabytes } from './quantities.ts';
import type { Recipe } from './recipes.ts';

export interface BuiltPart {
  readonly kind: 'built' | 'cached';
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Longer than any build may take, so that who waits sees the outcome of the one that builds. */
const lockSeconds = 60 * 60;

/** The part from the cache, or built into it. A build of the same part by another process is waited for. */
export async function buildPart(recipe: Recipe, options: BuildOptions): Promise<BuiltPart | Missing> {
  const folder = await entryFolder(recipe, options.go.version, options.env);
  const entry = await readEntry(folder);
  if (entry.kind === 'complete') return { ...entry, kind: 'cached' };
  try {
    await makeFolder(dirname(folder));
    return await buildLocked(recipe, folder, options);
  } catch (error) {
    return cacheFailure(error, dirname(folder));
  }
}

async function buildLocked(recipe: Recipe, folder: string, options: BuildOptions): Promise<BuiltPart | Missing> {
  const path = `${folder}.lock`;
  const lock = await withProgress(recipe.part, options.progress, (say) => {
    const onWait = ({ pid }: { pid: number }) => say(`waiting for process ${pid}, which builds it`);
    return takeLock(path, { limitSeconds: lockSeconds, signal: options.signal, onWait });
  });
  if (lock.kind === 'busy') return options.signal?.aborted ? interrupted(recipe.part) : stillBusy(recipe, path, lock);
  try {
    const entry = await readEntry(folder);
    if (entry.kind === 'complete') return { ...entry, kind: 'cached' };
    await removeLeftovers(recipe, folder, entry, options);
    return await buildInto(recipe, folder, options);
  } finally {
    await lock.release();
  }
}

function stillBusy({ part }: Recipe, path: string, { holder }: LockResult & { kind: 'busy' }): Missing {
  return missing(
    `${part} is being built by process ${holder.pid} on ${holder.host} for more than ${duration(lockSeconds)}`,
    `end that process, or remove ${path} if it is none of ours`,
  );
}

/** Only the holder of the lock comes here, so whatever lies there is of a build that ended early. */
async function removeLeftovers(recipe: Recipe, folder: string, entry: Entry, { progress }: BuildOptions) {
  if (entry.kind === 'broken') progress(`${recipe.part}: half written in the cache (${entry.why}), building it again`);
  const drafts = (await readdir(dirname(folder))).filter((name) => name.startsWith(`${basename(folder)}.tmp-`));
  for (const name of [basename(folder), ...drafts]) await removeFolder(join(dirname(folder), name));
}

/** Everything is made in a folder beside the entry, the manifest last; then the folder gets the entry's name. */
async function buildInto(recipe: Recipe, folder: string, options: BuildOptions): Promise<BuiltPart | Missing> {
  const started = performance.now();
  const draft = `${folder}.tmp-${process.pid}`;
  try {
    await mkdir(draft);
    options.progress(`${recipe.part}: building ${recipe.holds}`);
    const failure = await compile(recipe, draft, options);
    if (failure !== undefined) return failure;
    await removeFolder(join(draft, 'work'));
    const seconds = Math.round((performance.now() - started) / 1000);
    const facts = { part: recipe.part, go: options.go.version, seconds };
    const manifest = await writeManifest(draft, facts, await filesIn(draft));
    await rename(draft, folder);
    await rm(logFile(recipe.part, dirname(folder)), { force: true });
    options.progress(`${recipe.part}: built in ${duration(seconds)}, ${megabytes(totalSize(manifest))}`);
    return { kind: 'built', folder, manifest };
  } finally {
    await removeFolder(draft);
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.flatMap((file) => (file.isFile() ? relative(folder, join(file.parentPath, file.name)) : [])).sort();
}

/** Node's own recursive mkdir never returns where a folder cannot be made in an existing one (in /proc, for one). */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}

/** With retries, because the compilers of an interrupted build may still be writing while they are being ended. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
