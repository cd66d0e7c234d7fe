// Four outputs: dist/cli, bundled with its libraries so that a command starts in the time Node itself needs, in chunks so
// that it loads only what it uses; dist/lib, plain modules with their types, for those who use the functions; and for
// the image dist/sidecar.js, `quiesce sidecar` as one file, and dist/keepalive, where the page and what works with git
// for it are chunks of their own.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundleCommands, bundleKeepalive, bundleSidecar, copyTemplates } from './bundle.mjs';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
rmSync(dist, { recursive: true, force: true });
await bundleCommands(dist);
await bundleSidecar(dist);
await bundleKeepalive(dist);

const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc');
execFileSync(process.execPath, [tsc, '--project', 'tsconfig.build.json'], { stdio: 'inherit' });
copyTemplates(`${dist}/lib/src/mail`);
