import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type ReadSnapshot, readSnapshot } from '../rehearsal/snapshot-text.ts';

/** A snapshot as it lies on disk, zipped or not. */
export function readSnapshotFile(file: string): ReadSnapshot {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'refused',
      why: `It cannot be read: ${why}.`,
      remedy: 'Name a file that "quiesce snapshot" has written.',
    };
  }
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isZipped) return readSnapshot(linesOf(bytes));
  try {
    return readSnapshot(linesOf(gunzipSync(bytes)));
  } catch {
    return {
      kind: 'refused',
      why: 'It is cut short or damaged: it cannot be unzipped.',
      remedy: 'Take it anew, or copy it again.',
    };
  }
}

/** One by one: that of a large cluster is longer than a text may be. */
function* linesOf(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end;
    yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}
