import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { snapshotLines } from '../src/rehearsal/snapshot-text.ts';
import { largeSnapshot } from '../test/rehearsal/large.ts';
import { metalConfig } from '../test/rehearsal/metal-state.ts';
import { addressOf } from '../test/rehearsal/sample.ts';
import { settings } from '../test/support/state.ts';
import { commitAll, startRepository } from './claims.ts';
import { atMost, type Figure, told } from './figures.ts';
import { fastest, type Run, runNode } from './measure.ts';
import type { Bench } from './suites.ts';

/** Whole processes, from the file on disk to the text: a cluster with fifty pods on each node. */
export async function* rehearseFigures({ base, root, nodes }: Bench): AsyncGenerator<Figure> {
  const repository = join(base, 'rehearse');
  const file = join(base, 'main.snapshot.gz');
  const snapshot = largeSnapshot(nodes);
  writeFileSync(file, gzipSync([...snapshotLines(snapshot)].join('')));
  mkdirSync(join(repository, 'state', 'clusters'), { recursive: true });
  writeFileSync(join(repository, 'state', 'settings.yaml'), settings());
  const config = join(repository, 'state', 'clusters', 'main.yaml');
  writeFileSync(config, metalConfig('main', nodes, []));
  startRepository(repository);
  commitAll(repository);
  const quiesce = (): Run =>
    runNode([join(root, 'dist', 'cli', 'main.js'), 'rehearse', '--snapshot', file], repository);
  const size = `${nodes} nodes with ${snapshot.pods.length} pods`;
  yield told(`snapshot of ${size}`, statSync(file).size / 1000, 'kB');
  const few = Math.ceil(nodes / 10);
  writeFileSync(config, metalConfig('main', nodes, [`${addressOf(1)}-${addressOf(few)}`]));
  const some = fastest(3, quiesce);
  yield atMost(`rehearsal of ${size}: ${few} enter maintenance`, some.seconds, 's', 5);
  yield told('its peak memory', some.megabytes, 'MB');
  writeFileSync(config, metalConfig('main', nodes, [`${addressOf(1)}-${addressOf(Math.ceil(nodes / 2))}`]));
  yield atMost(`rehearsal of ${size}: half of them do`, fastest(2, quiesce).seconds, 's', 5);
}
