import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { counted } from '../plan/change.ts';
import type { Snapshot } from '../rehearsal/snapshot.ts';
import { snapshotLines } from '../rehearsal/snapshot-text.ts';
import { snapshotRbac } from '../rehearsal/take/rbac.ts';
import { printable } from '../report/escape.ts';
import { version } from '../version.ts';
import { type ClusterOptions, connectCluster } from './cluster-connection.ts';
import { type Context, type Status, UsageError } from './context.ts';

export interface SnapshotOptions extends ClusterOptions {
  readonly output?: string;
  /** Host cluster of the settings. */
  readonly cluster?: string;
  /** Look into the records of Helm releases. */
  readonly helm?: boolean;
  /** Print what it takes, and take nothing. */
  readonly rbac?: boolean;
  readonly json?: boolean;
}

/** `quiesce snapshot` */
export async function snapshot(options: SnapshotOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  if (options.rbac === true) {
    terminal.answer(snapshotRbac);
    return 0;
  }
  const { output } = options;
  if (output === undefined) throw new UsageError('name the file to write to: -o atlas.snapshot.gz');
  const { client, name } = connectCluster(options, context);
  const { takeSnapshot } = await import('../rehearsal/take/take.ts');
  const taken = await takeSnapshot({
    client,
    cluster: options.cluster ?? name,
    takenBy: version,
    now: Date.now,
    releases: options.helm === true,
    onProgress: (done, total) => terminal.progress(`${done} of ${total} kinds`),
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (taken instanceof Error) return failed(`The cluster cannot be read: ${taken.message}`, options, context);
  const bytes = await write(resolve(context.directory, output), taken);
  if (bytes instanceof Error) return failed(`${output} could not be written: ${bytes.message}`, options, context);
  tell(taken, { output, bytes, json: options.json === true }, context);
  // Without these there is nothing to rehearse on.
  return taken.unread.some(({ what }) => what === 'v1/Node' || what === 'v1/Pod') ? 1 : 0;
}

/**
 * Aside first: half a snapshot would take the place of a whole one. Bit by bit: that of a large cluster is longer than a
 * text may be.
 */
async function write(file: string, taken: Snapshot): Promise<number | Error> {
  const aside = `${file}.${process.pid}`;
  try {
    const form = file.endsWith('.gz') ? createGzip() : new PassThrough();
    await pipeline(Readable.from(chunksOf(snapshotLines(taken))), form, createWriteStream(aside, { mode: 0o600 }));
    renameSync(aside, file);
    return statSync(file).size;
  } catch (error) {
    rmSync(aside, { force: true });
    return error instanceof Error ? error : new Error(String(error));
  }
}

const chunkLength = 65_536;

function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkLength) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

interface Written {
  readonly output: string;
  readonly bytes: number;
  readonly json: boolean;
}

function tell(taken: Snapshot, { output, bytes, json }: Written, { terminal }: Context): void {
  const { cluster, nodes, pods, objects, unread } = taken;
  const counts = { nodes: nodes.length, pods: pods.length, objects: objects.length };
  if (json) {
    terminal.answer(
      `${JSON.stringify({ ok: unread.length === 0, cluster, file: output, bytes, ...counts, unread }, undefined, 2)}\n`,
    );
  } else {
    const what = `${counted(counts.nodes, 'node')}, ${counted(counts.pods, 'pod')}, ${counted(counts.objects, 'other object')}`;
    terminal.answer(printable(`${output}: ${what} of ${cluster.name} in ${Math.ceil(bytes / 1000)} kB`));
    terminal.answer('\n');
  }
  if (unread.length === 0) return;
  const [first] = unread;
  const names = unread.map(({ what }) => what).join(', ');
  terminal.note(`${printable(`These cannot be listed, so the snapshot says nothing of them: ${names}`)}\n`);
  terminal.note(`${printable(`The first of them: ${first?.why}`)}\n`);
  terminal.note('"quiesce snapshot --rbac" prints the permissions that it takes.\n');
}

function failed(why: string, { json }: SnapshotOptions, { terminal }: Context): Status {
  if (json === true) terminal.answer(`${JSON.stringify({ ok: false, why }, undefined, 2)}\n`);
  else terminal.note(`${printable(why)}\n`);
  return 1;
}
