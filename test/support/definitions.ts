import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Access } from './access.ts';
import { create, type KubeObject, read } from './objects.ts';
import { waitFor } from './wait.ts';

interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * CustomResourceDefinitions from folders of files, and the wait until the API server serves them. They are created and
 * not applied: for those of Argo CD, a megabyte each, the server needs seconds to note who owns which field.
 */
export async function createDefinitions(access: Access, folders: readonly string[]): Promise<void> {
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((file) => join(folder, file))),
  );
  const definitions: KubeObject[] = [];
  for (const file of files.flat().sort()) {
    const definition = parse(await readFile(file, 'utf8')) as KubeObject;
    await create(access, definition);
    definitions.push(definition);
  }
  for (const definition of definitions) {
    await waitFor(`${definition.metadata.name} to be served`, { seconds: 30, everyMs: 50 }, async () => {
      const conditions = (await read<Definition>(access, definition))?.status?.conditions ?? [];
      const isServed = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
      return isServed ? { met: true } : { seen: JSON.stringify(conditions) };
    });
  }
}
