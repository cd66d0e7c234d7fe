import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * The command as it is shipped, bundled from the sources as they are now: starts in a fifth of the time that it takes
 * through tsx, and there are many calls. Built once in each test file that asks for it.
 */
export function builtCommand(): Promise<string> {
  built ??= bundle();
  return built;
}

let built: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-command-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    entryPoints: { main: 'src/main.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // CommonJS libraries inside ES modules call require() for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return join(folder, 'main.js');
}
