import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimPath, cloneRepository, commitAll, generateRepository } from './claims.ts';
import { atMost, type Figure, told } from './figures.ts';
import { propsOf, writeChart } from './helm-chart.ts';
import { fastest, type Run, runCommand, runNode } from './measure.ts';
import type { Bench } from './suites.ts';

/**
 * Goals are ratios within one run, since machines differ and are noisy. Times are of whole processes as a person
 * waits for them, Node's own start included; where that start is most of the time, the figure without it is told too.
 */
export async function* compilerFigures(bench: Bench): AsyncGenerator<Figure> {
  const { base, claims } = bench;
  const large = join(base, 'large');
  generateRepository(large, claims);
  const start = fastest(5, () => runNode(['-e', '0'], base)).seconds;
  yield told('node -e 0', start * 1000, 'ms');
  const cold = fastest(2, () => coldRun(bench, large));
  yield told(`${claims} claims, cold`, cold.seconds, 's');
  yield atMost(`${claims} claims, cold: peak memory`, cold.megabytes, 'MB', 300);
  yield* againstHelm(bench, large, cold);
  yield* againstPlainCdk8s(bench, cold);
  yield* incremental(bench, large, cold, start);
  yield* growth(bench);
  yield* startUp(bench, start);
}

function synth({ root }: Bench, repository: string): Run {
  return runNode([join(root, 'dist', 'cli', 'main.js'), 'synth'], repository);
}

function coldRun(bench: Bench, repository: string): Run {
  for (const folder of ['out', '.quiesce']) rmSync(join(repository, folder), { recursive: true, force: true });
  return synth(bench, repository);
}

async function* againstHelm({ base, claims }: Bench, repository: string, cold: Run): AsyncGenerator<Figure> {
  const helm = process.env.QUIESCE_HELM ?? 'helm';
  try {
    runCommand(helm, ['version'], base);
  } catch {
    process.stdout.write('helm is not there: the comparison with it is left out (QUIESCE_HELM names one)\n');
    return;
  }
  const chart = join(base, 'chart');
  writeChart(chart, await propsOf(repository));
  const run = fastest(2, () =>
    runCommand(helm, ['template', 'claims', chart, '--values', `${chart}-values.yaml`], base),
  );
  yield told(`helm template of the same objects`, run.seconds, 's');
  yield atMost(`${claims} claims, cold / helm template`, cold.seconds / run.seconds, '', 0.5);
}

/** Its cost has a quadratic part: a·n + b·n² through two measured points, carried on to the large instance. */
async function* againstPlainCdk8s({ base, root, claims }: Bench, cold: Run): AsyncGenerator<Figure> {
  const sizes = [claims / 10, claims / 5];
  const times = sizes.map((size) => {
    const repository = join(base, `plain-${size}`);
    generateRepository(repository, size);
    const program = join(root, 'bench', 'plain-cdk8s.ts');
    return runNode(['--import', 'tsx', program, repository, join(base, `plain-out-${size}`)], root).seconds;
  });
  const [n1 = 1, n2 = 1] = sizes;
  const [t1 = 0, t2 = 0] = times;
  const b = (t2 / n2 - t1 / n1) / (n2 - n1);
  const a = t1 / n1 - b * n1;
  const expected = a * claims + b * claims ** 2;
  yield told(`plain cdk8s, ${n1} charts`, t1, 's');
  yield told(`plain cdk8s, ${n2} charts`, t2, 's');
  yield told(`plain cdk8s, ${claims} charts, extrapolated`, expected, 's');
  yield atMost(`${claims} claims, cold / plain cdk8s`, cold.seconds / expected, '', 0.02);
}

async function* incremental(bench: Bench, repository: string, cold: Run, start: number): AsyncGenerator<Figure> {
  commitAll(repository);
  synth(bench, repository);
  const nothing = fastest(5, () => synth(bench, repository));
  yield* ofCold('nothing changed', nothing, cold, 0.03, start);
  let turn = 0;
  const one = fastest(5, () => {
    turn += 1;
    changeOne(repository, turn);
    return synth(bench, repository);
  });
  yield* ofCold('one claim changed', one, cold, 0.05, start);
  changeOne(repository, 0);
  commitAll(repository);
  const clones = [0, 1, 2].map((index) => {
    const clone = join(bench.base, `clone-${index}`);
    cloneRepository(repository, clone);
    changeOne(clone, 1);
    const run = synth(bench, clone);
    rmSync(clone, { recursive: true, force: true });
    return run;
  });
  const best = clones.reduce((a, b) => (a.seconds < b.seconds ? a : b));
  yield* ofCold('one claim changed, on a fresh clone', best, cold, 0.15, start);
}

/** Turns a claim between two versions of itself. */
function changeOne(repository: string, turn: number): void {
  const file = claimPath(repository, 2);
  const text = readFileSync(file, 'utf8').replace(/memory: \dGi/, `memory: ${(turn % 2) + 3}Gi`);
  writeFileSync(file, text);
}

function* ofCold(name: string, run: Run, cold: Run, limit: number, start: number): Generator<Figure> {
  yield told(name, run.seconds * 1000, 'ms');
  yield atMost(`${name} / cold`, run.seconds / cold.seconds, '', limit);
  yield told(`${name} / cold, both without node -e 0`, (run.seconds - start) / (cold.seconds - start), '');
}

/** Time for each claim at twice the size over that at a tenth; 1 is linear. */
async function* growth(bench: Bench): AsyncGenerator<Figure> {
  const sizes = [bench.claims / 10, bench.claims * 2];
  const perClaim = sizes.map((size) => {
    const repository = join(bench.base, `growth-${size}`);
    generateRepository(repository, size);
    const small = runNode([join(bench.root, 'dist', 'cli', 'main.js'), '--version'], bench.base).seconds;
    const run = fastest(2, () => coldRun(bench, repository));
    rmSync(repository, { recursive: true, force: true });
    return { seconds: (run.seconds - small) / size, megabytes: run.megabytes };
  });
  const [few, many] = perClaim;
  if (few === undefined || many === undefined) return;
  yield atMost(`time per claim, ${sizes[1]} / ${sizes[0]} claims`, many.seconds / few.seconds, '', 1.2);
  yield told(`${sizes[1]} claims, cold: peak memory`, many.megabytes, 'MB');
}

async function* startUp(bench: Bench, start: number): AsyncGenerator<Figure> {
  const main = join(bench.root, 'dist', 'cli', 'main.js');
  const help = fastest(5, () => runNode([main, '--help'], bench.base));
  yield atMost('quiesce --help / node -e 0', help.seconds / start, '', 3);
  const repository = join(bench.base, 'one');
  generateRepository(repository, 1);
  const one = fastest(5, () => coldRun(bench, repository));
  yield atMost('synth of one claim / node -e 0', one.seconds / start, '', 6);
}
