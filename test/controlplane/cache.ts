import { readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { partKey } from './key.ts';
import type { Part, Recipe } from './recipes.ts';

/** Written last: an entry without it, or with files of another size, was not finished. */
export interface Manifest {
  readonly part: Part;
  readonly go: string;
  readonly seconds: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export type Entry =
  | { readonly kind: 'complete'; readonly folder: string; readonly manifest: Manifest }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly why: string };

const manifestName = 'manifest.json';

export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env.QUIESCE_CACHE;
  if (own !== undefined && own !== '') return resolve(own, 'controlplane');
  const shared = env.XDG_CACHE_HOME;
  const base = shared !== undefined && shared !== '' ? shared : join(env.HOME ?? homedir(), '.cache');
  return resolve(base, 'quiesce', 'controlplane');
}

export async function entryFolder(recipe: Recipe, goVersion: string, env: NodeJS.ProcessEnv): Promise<string> {
  return join(cacheFolder(env), `${recipe.part}-${await partKey(recipe, goVersion)}`);
}

export async function readEntry(folder: string): Promise<Entry> {
  if ((await sizeOf(folder)) === undefined) return { kind: 'absent' };
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined);
  if (text === undefined) return { kind: 'broken', why: `no ${manifestName}` };
  const manifest = parseManifest(text);
  if (manifest === undefined) return { kind: 'broken', why: `an unreadable ${manifestName}` };
  for (const file of manifest.files) {
    const size = await sizeOf(join(folder, file.path));
    if (size === undefined) return { kind: 'broken', why: `no ${file.path}` };
    if (size !== file.size) return { kind: 'broken', why: `${file.path} has ${size} bytes of ${file.size}` };
  }
  return { kind: 'complete', folder, manifest };
}

export async function writeManifest(folder: string, facts: Omit<Manifest, 'files'>, paths: readonly string[]) {
  const files = await Promise.all(paths.map(async (path) => ({ path, size: (await stat(join(folder, path))).size })));
  const manifest: Manifest = { ...facts, files };
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest;
}

export function totalSize(manifest: Manifest): number {
  return manifest.files.reduce((sum, file) => sum + file.size, 0);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => found.size,
    () => undefined,
  );
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const manifest: Manifest = JSON.parse(text);
    return Array.isArray(manifest.files) && manifest.files.length > 0 ? manifest : undefined;
  } catch {
    return undefined;
  }
}
