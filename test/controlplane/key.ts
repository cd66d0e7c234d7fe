import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildEnvironment, buildFlags, type Recipe } from './recipes.ts';

export function moduleFolder(recipe: Pick<Recipe, 'module'>): string {
  return join(import.meta.dirname, recipe.module);
}

/**
 * The same key means the same program: the module's files and the package's own (go.sum pins all others), the Go
 * version with its platform, and the flags. Sixteen hexadecimal digits are plenty among a handful of versions.
 */
export async function partKey(recipe: Recipe, goVersion: string, folder = moduleFolder(recipe)): Promise<string> {
  const names = ['go.mod', 'go.sum', ...(await sources(recipe, folder))].sort();
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
  const { part, program, crds } = recipe;
  const inputs = [part, recipe.package, program, crds, buildFlags(recipe), buildEnvironment, goVersion, files];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

/** A package that a `tool` line names has none here. */
async function sources(recipe: Recipe, folder: string): Promise<readonly string[]> {
  if (!recipe.package.startsWith('.')) return [];
  const names = await readdir(join(folder, recipe.package));
  return names.filter((name) => name.endsWith('.go')).map((name) => join(recipe.package, name));
}
