// What is bundled with its libraries, each into a folder that is named: for `npm run build` and for tests, which run the
// same files from the sources as they are.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { kubernetesParts } from './kubernetes-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const bundle = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  // CommonJS libraries inside ES modules call require() for Node's own modules.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  plugins: [kubernetesParts],
  logLevel: 'warning',
};

/** Every command, in chunks, so that each loads only what it uses. @param {string} dist */
export async function bundleCommands(dist) {
  const entryPoints = { main: 'src/main.ts', synth: 'src/synth.ts' };
  await build({ ...bundle, entryPoints, outdir: `${dist}/cli`, splitting: true });
  copyTemplates(`${dist}/cli`);
}

/** `quiesce sidecar` as one file. @param {string} dist */
export async function bundleSidecar(dist) {
  await build({ ...bundle, entryPoints: { sidecar: 'src/sidecar/main.ts' }, outdir: dist });
}

/** `quiesce keepalive`: the page, and what works with git for it as chunks of their own. @param {string} dist */
export async function bundleKeepalive(dist) {
  const entryPoints = { main: 'src/keepalive/main.ts' };
  await build({ ...bundle, entryPoints, outdir: `${dist}/keepalive`, splitting: true });
}

/** They are read when a mail is written, from beside the file that holds that code. @param {string} folder */
export function copyTemplates(folder) {
  cpSync(`${root}src/mail/templates`, `${folder}/templates`, { recursive: true });
}
