import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The first executable of that name on the given PATH, not on that of this process. */
export async function onPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}
