import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtOnce } from '../../support/bundles.ts';

/** The sidecar as it is shipped, one file, from the sources as they are now. */
export async function sidecarFile(): Promise<string> {
  built ??= builtOnce('sidecar', async (folder) => (await bundlers()).bundleSidecar(folder));
  return join(await built, 'sidecar.js');
}

let built: Promise<string> | undefined;

interface Bundlers extends Readonly<Record<'bundleCommands' | 'bundleSidecar' | 'bundleKeepalive', Bundler>> {
  copyTemplates(folder: string): void;
}

type Bundler = (dist: string) => Promise<void>;

/** Of the build, which is plain JavaScript. */
export async function bundlers(): Promise<Bundlers> {
  return import(new URL('../../../scripts/bundle.mjs', import.meta.url).href);
}

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a bundle to its end. */
export async function runFile(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<Ran> {
  return promisify(execFile)(process.execPath, [file, ...args], { env, ...(cwd !== undefined && { cwd }) }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      status: error.code,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  );
}
