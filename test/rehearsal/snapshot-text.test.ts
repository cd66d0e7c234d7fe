import { describe, expect, it } from 'vitest';
import { readSnapshot, snapshotLines } from '../../src/rehearsal/snapshot-text.ts';
import { largeSnapshot } from './large.ts';
import { snapshot } from './sample.ts';

const written = () => [...snapshotLines(largeSnapshot(3))];

describe('a snapshot as text', () => {
  it('is read as it was written', () => {
    expect(readSnapshot(written())).toEqual({ kind: 'ok', snapshot: largeSnapshot(3) });
  });

  it('is refused when it is cut short, between lines or within one', () => {
    const lines = written();
    expect(readSnapshot(lines.slice(0, -1))).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/cut short after \d+ lines/),
    });
    expect(readSnapshot([...lines.slice(0, 5), '{"pods":{"na'])).toMatchObject({ why: 'It is damaged in line 6.' });
    expect(readSnapshot([...lines.slice(0, 5), ...lines.slice(6)])).toMatchObject({
      why: expect.stringMatching(/damaged/),
    });
  });

  it('is refused when a newer Quiesce has taken it', () => {
    const [head = '', ...rest] = written();
    const newer = head.replace('"quiesceSnapshot":1', '"quiesceSnapshot":2');
    expect(readSnapshot([newer, ...rest])).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('newer Quiesce: its format is 2'),
    });
  });

  it('is refused when it is something else', () => {
    for (const text of [[], [''], ['{}'], ['kind: Snapshot'], ['null'], ['[1]']]) {
      expect(readSnapshot(text)).toMatchObject({ kind: 'refused', why: 'It is no snapshot of Quiesce.' });
    }
  });

  it('passes over what a later version of the same format adds', () => {
    const lines = [...snapshotLines(snapshot())];
    const more = [...lines.slice(0, -1), '{"moods":{"name":"calm"}}\n', `{"end":${lines.length}}\n`];
    expect(readSnapshot(more)).toEqual({ kind: 'ok', snapshot: snapshot() });
  });
});
