import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimPath, commitAll, generateRepository } from './claims.ts';
import { atMost, type Figure, told } from './figures.ts';
import { fastest, type Run, runNode } from './measure.ts';
import type { Bench } from './suites.ts';

/** Whole processes as a person waits for them, from a repository whose output is committed, as it is in CI. */
export async function* planFigures({ base, root, claims }: Bench): AsyncGenerator<Figure> {
  const repository = join(base, 'plan');
  const quiesce = (...args: string[]): Run => runNode([join(root, 'dist', 'cli', 'main.js'), ...args], repository);
  generateRepository(repository, claims);
  quiesce('synth');
  commitAll(repository);
  putToSleep(repository, [2]);
  const one = fastest(5, () => quiesce('plan'));
  yield atMost(`plan of one change among ${claims} claims`, one.seconds, 's', 1);
  yield atMost(`plan of one change among ${claims} claims: peak memory`, one.megabytes, 'MB', 300);
  const objects = fastest(3, () => quiesce('plan', '--objects'));
  yield told('the same with --objects', objects.seconds, 's');
  yield* everything(repository, claims, quiesce);
}

/** Every claim that runs goes to sleep: few plans are larger. */
function* everything(repository: string, claims: number, quiesce: (...args: string[]) => Run): Generator<Figure> {
  putToSleep(
    repository,
    Array.from({ length: claims }, (_, index) => index),
  );
  const run = quiesce('plan', '--objects', '--report', 'plan.html', '--report', 'plan.md');
  yield told(`plan that puts all of ${claims} claims to sleep, with --objects`, run.seconds, 's');
  yield told('its peak memory', run.megabytes, 'MB');
  yield atMost('its HTML report', statSync(join(repository, 'plan.html')).size / 1e6, 'MB', 5);
  yield atMost('its comment', statSync(join(repository, 'plan.md')).size, 'bytes', 65_536);
}

function putToSleep(repository: string, claims: readonly number[]): void {
  for (const index of claims) {
    const file = claimPath(repository, index);
    writeFileSync(file, readFileSync(file, 'utf8').replace('state: Running', 'state: Sleeping'));
  }
}
