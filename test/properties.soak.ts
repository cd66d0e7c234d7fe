import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { vi } from 'vitest';

/** Every property that has no campaign of its own, over twenty times as many random cases as a gate has time for. */
process.env.QUIESCE_TIMES ??= '20';
const { runs } = await import('./support/runs.ts');
vi.setConfig({ testTimeout: 3_600_000 });
fc.configureGlobal({ numRuns: runs(100) });

const here = dirname(fileURLToPath(import.meta.url));
const others = ['pipeline', 'sidecar/claims', 'sidecar/maintenance', 'sidecar/uninstall', 'cluster'];
const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
for (const file of files.sort()) {
  if (others.some((folder) => file.startsWith(`${folder}/`))) continue;
  if (readFileSync(join(here, file), 'utf8').includes("from 'fast-check'")) await import(join(here, file));
}
