import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { printFigure, writeFigures } from '../../bench/figures.ts';
import { findAssets } from '../controlplane/assets.ts';
import { compareAgain } from './record.ts';
import { run } from './run.ts';
import { differences, figuresOf, type Tally } from './tally.ts';

const help = `Holds what "quiesce rehearse" says against what happens: random clusters and changes on a real control plane.

  npm run replay -- [--clusters N] [--first N] [--seed N] [--lanes N] [--only N] [--json FILE] [--keep FOLDER]
  npm run replay -- --again FOLDER [--json FILE]

  --clusters N  how many (default 200)
  --first N     the number of the first (default 0): a long run in parts, which --again counts together
  --seed N      another seed is other clusters (default 1)
  --lanes N     control planes side by side (default 3)
  --only N      this cluster of the seed alone
  --keep FOLDER write what was said and seen of each cluster into a file there
  --again FOLDER  rehearse clusters that were kept, and hold that against what came of them then
  --json FILE   write the figures as a list of {name, value, unit, goal, ok}
`;

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '200' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '3' },
    only: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'string' },
    again: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(help);
else await main();

async function main(): Promise<void> {
  const tally = values.again === undefined ? await replayed() : await compareAgain(values.again);
  if (tally === undefined) return;
  for (const line of differences(tally)) process.stdout.write(`${line}\n`);
  const figures = figuresOf(tally);
  for (const figure of figures) printFigure(figure);
  if (values.json !== undefined) writeFigures(values.json, figures);
  process.exitCode = figures.every(({ ok }) => ok) && tally.failed.length === 0 ? 0 : 1;
}

/** Undefined: there is no control plane. */
async function replayed(): Promise<Tally | undefined> {
  const found = await findAssets(process.env);
  if (found.kind === 'missing') {
    process.stderr.write(`${found.reason}. ${found.remedy}\n`);
    process.exitCode = 1;
    return undefined;
  }
  const seed = whole('seed', values.seed);
  const first = whole('first', values.first);
  const clusters =
    values.only === undefined
      ? Array.from({ length: whole('clusters', values.clusters) }, (_, n) => first + n)
      : [whole('only', values.only)];
  const total = clusters.length;
  if (values.keep !== undefined) await mkdir(values.keep, { recursive: true });
  return run({
    assets: found.assets,
    seed,
    clusters,
    lanes: Math.max(1, whole('lanes', values.lanes)),
    onReplayed: (done) => progress(done, total),
    ...(values.keep !== undefined && { keep: values.keep }),
  });
}

function whole(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  process.stderr.write(`--${option} takes a whole number, not "${text}".\n`);
  process.exit(2);
}

function progress({ clusters, items }: Tally, total: number): void {
  if (!process.stderr.isTTY && clusters % 10 !== 0) return;
  const wrong = items.filter(({ agrees }) => !agrees).length;
  process.stderr.write(`${clusters} of ${total} clusters, ${items.length} items, ${wrong} differ\n`);
}
