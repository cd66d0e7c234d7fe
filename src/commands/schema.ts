import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Finding } from '../validate/finding.ts';
import { type Context, findRoot, type Status } from './context.ts';
import { textAt } from './on-disk.ts';
import { finish, type OutputOptions } from './outcome.ts';
import { writeFailed } from './replace-files.ts';

export interface SchemaOptions extends OutputOptions {
  readonly out?: string;
  readonly dryRun?: boolean;
}

/** `quiesce schema` */
export async function schema(options: SchemaOptions, context: Context): Promise<Status> {
  const folder =
    options.out === undefined
      ? join(findRoot(context.directory), 'state', 'schemas')
      : resolve(context.directory, options.out);
  const files = await schemaFiles();
  const changed = files.filter(({ name, text }) => textAt(join(folder, name)) !== text);
  const failed = options.dryRun === true ? undefined : writeAll(folder, changed);
  if (failed !== undefined) {
    const { locate } = await import('../validate/locate.ts');
    return finish(
      { ok: false, problems: locate([failed], () => undefined), json: { folder }, text: () => '' },
      options,
      context,
    );
  }
  const verb = options.dryRun === true ? 'would be written' : 'written';
  return finish(
    {
      ok: true,
      problems: [],
      json: {
        folder,
        dryRun: options.dryRun === true,
        files: files.map(({ name }) => ({ name, changed: changed.some((other) => other.name === name) })),
      },
      text: () =>
        files
          .map(({ name }) => `${name} ${changed.some((other) => other.name === name) ? verb : 'is up to date'}\n`)
          .join(''),
    },
    options,
    context,
  );
}

export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** One file for each kind, sorted by name. */
export async function schemaFiles(): Promise<readonly SchemaFile[]> {
  const { jsonSchemas } = await import('../validate/json-schemas.ts');
  return Object.entries(jsonSchemas())
    .map(([name, document]) => ({ name, text: `${JSON.stringify(document, undefined, 2)}\n` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function writeAll(folder: string, files: readonly SchemaFile[]): Finding | undefined {
  try {
    if (files.length > 0) mkdirSync(folder, { recursive: true });
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    return undefined;
  } catch (error) {
    return writeFailed(folder, error, 'Mend the permissions, or name another folder with --out.');
  }
}
