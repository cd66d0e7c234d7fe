import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Figure, printFigure, writeFigures } from './figures.ts';
import { type Bench, type Suite, suites } from './suites.ts';

const help = `Measures Quiesce against what it is compared with, both sides in one run.

  npm run bench -- [SUITE...] [--claims N] [--nodes N] [--json FILE]

${suites.map(({ name, about }) => `  ${name.padEnd(12)} ${about}\n`).join('')}
  Without a name: all of them.

  --claims N   size of the large instance (default 10000; everything is scaled to it)
  --nodes N    nodes of the large cluster (default 100)
  --json FILE  write the figures as a list of {name, value, unit, goal, ok}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    claims: { type: 'string', default: '10000' },
    nodes: { type: 'string', default: '100' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const unknown = positionals.filter((wanted) => !suites.some(({ name }) => name === wanted));
if (values.help === true || unknown.length > 0) {
  process.stdout.write(unknown.length > 0 ? `There is no suite ${unknown.join(', ')}.\n\n${help}` : help);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  const chosen = suites.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const figures = await measure(chosen, { claims: Number(values.claims), nodes: Number(values.nodes) });
  if (values.json !== undefined) writeFigures(values.json, figures);
  const missed = figures.filter((figure) => !figure.ok).length;
  process.stdout.write(missed === 0 ? 'every goal is met\n' : `${missed} of the goals are missed\n`);
}

async function measure(chosen: readonly Suite[], sizes: Pick<Bench, 'claims' | 'nodes'>): Promise<Figure[]> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const figures: Figure[] = [];
  for (const { figures: measured } of chosen) {
    const base = mkdtempSync(join(tmpdir(), 'quiesce-bench-'));
    try {
      for await (const figure of measured({ base, root, ...sizes })) {
        printFigure(figure);
        figures.push(figure);
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
  return figures;
}
