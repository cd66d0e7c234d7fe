import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundlers } from '../cluster/sidecar/bundle.ts';
import { builtOnce } from '../support/bundles.ts';

/**
 * The command and `cdk8s synth` as they are shipped, bundled from the sources as they are now: starts in a fifth of the
 * time that it takes through tsx, and there are many calls.
 */
export async function builtCommand(): Promise<string> {
  built ??= builtOnce('command', bundle);
  return join(await built, 'main.js');
}

let built: Promise<string> | undefined;

async function bundle(folder: string): Promise<void> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts', synth: 'src/synth.ts' },
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
  const { copyTemplates } = await bundlers();
  copyTemplates(folder);
}
