import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The sidecar as it is shipped, one file, from the sources as they are now; built once in each test file. */
export function sidecarFile(): Promise<string> {
  built ??= bundle();
  return built;
}

let built: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-sidecar-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { bundleSidecar } = await bundlers();
  await bundleSidecar(folder);
  return join(folder, 'sidecar.js');
}

type Bundler = (dist: string) => Promise<void>;

/** Of the build, which is plain JavaScript. */
export async function bundlers(): Promise<
  Readonly<Record<'bundleCommands' | 'bundleSidecar' | 'bundleKeepalive', Bundler>>
> {
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
