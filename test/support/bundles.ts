import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of a run of all tests (bundles-setup.ts). */
export const bundlesVariable = 'QUIESCE_TEST_BUNDLES';

/** What `build` makes in a folder, from the sources as they are now: once in each run of tests, for all their files. */
export async function builtOnce(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  own ??= process.env[bundlesVariable] ?? ownFolder();
  const folder = join(own, name);
  if (existsSync(folder)) return folder;
  const making = mkdtempSync(join(own, 'making-'));
  // Tests run it as other users, too.
  for (const path of [own, making]) chmodSync(path, 0o755);
  writeFileSync(join(making, 'package.json'), '{"type":"module"}');
  await build(making);
  try {
    renameSync(making, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    // Another file of tests began at the same time, and was faster.
    rmSync(making, { recursive: true });
  }
  return folder;
}

let own: string | undefined;

/** Of this process: for a bench, and where tests run again whenever a source changes. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-bundles-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
