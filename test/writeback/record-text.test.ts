import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditRefused } from '../../src/edit/refused.ts';
import { loadFile } from '../../src/load/documents.ts';
import { resolveRecord } from '../../src/resolve/record.ts';
import type { LifecycleRecord } from '../../src/resolve/state.ts';
import { validateFile } from '../../src/validate/file.ts';
import { mergeRecords } from '../../src/writeback/merge-records.ts';
import { readOwnRecord } from '../../src/writeback/own-record.ts';
import { recordText } from '../../src/writeback/record-text.ts';
import { runs } from '../support/runs.ts';

const file = 'state/records/ada.yaml';
const bytes = (text: string) => new TextEncoder().encode(text);

/** What the compiler and the runner read in a file. */
function read(text: string): LifecycleRecord | undefined {
  const { written, findings } = validateFile(loadFile(file, bytes(text)));
  expect(findings).toEqual([]);
  const [document] = written;
  return document?.kind === 'Record' ? resolveRecord(document).value : undefined;
}

const instant = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2040-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d{3}Z$/, 'Z'));
const address = fc.constantFrom('ada@example.edu', 'bob+x@example.edu', "o'hara@example.edu", 'yes@example.edu');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const words = fc.constantFrom('no', '550 5.1.1: "who" #1', "it's", 'a: b', 'null', '- x', '0x1f', 'grüß');

const records: fc.Arbitrary<LifecycleRecord> = fc
  .record({
    identity: optional(fc.constantFrom('0123456789abcdef', '12345678', 'ddd03e94304fdf1444bd')),
    firstSeen: optional(instant),
    renewals: fc.array(fc.record({ at: instant, by: optional(address) }), { maxLength: 3 }),
    warnings: fc.array(
      fc.record({
        about: fc.constantFrom('Sleep' as const, 'Deletion' as const),
        deadline: instant,
        deliveredAt: instant,
        to: fc.array(address, { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
    deadlines: optional(fc.record({ sleep: instant, delete: instant })),
    rejections: fc.array(fc.record({ to: address, at: instant, reply: words }), { maxLength: 2 }),
    deletion: optional(fc.record({ at: instant, by: fc.constantFrom('Expiry' as const, 'Kubectl' as const) })),
    observed: optional(fc.record({ phase: fc.constantFrom('Asleep', 'DeleteError'), since: instant })),
    uninstalled: optional(fc.record({ at: instant, data: fc.constantFrom('Deleted' as const, 'Kept' as const) })),
  })
  .map((record) => ({
    origin: { file, document: 0 },
    name: 'ada',
    notices: [],
    ...withoutUndefined(record),
    renewals: record.renewals.map(withoutUndefined),
  }));

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value));
}

describe('the text of a record', () => {
  it('says exactly what the record says', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(read(recordText(undefined, record))).toEqual(record);
      }),
    );
  });

  it('says it also after it said something else', () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const texts = [recordText(undefined, before), `# by hand\n${recordText(undefined, before)}`];
        for (const text of texts) expect(read(recordText(text, after))).toEqual(after);
      }),
      { numRuns: runs(60) },
    );
  });

  it('does not change where there is nothing to change', () => {
    fc.assert(
      fc.property(records, (record) => {
        const text = recordText(undefined, record);
        expect(recordText(text, record)).toBe(text);
      }),
    );
  });

  it('keeps comments, and adds where a reader looks for it', () => {
    const before = `# by hand
apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata: { name: ada }
spec:
  firstSeen: "2026-01-01T00:00:00Z" # a Thursday
  deadlines:
    sleep: "2026-04-01T00:00:00Z" # soon
    delete: "2026-06-01T00:00:00Z"
`;
    const record = read(before);
    const deadlines = { sleep: '2026-05-01T00:00:00Z', delete: '2026-06-01T00:00:00Z' };
    const renewals = [{ at: '2026-02-01T00:00:00Z' }];
    expect(record && recordText(before, { ...record, deadlines, renewals })).toBe(
      before
        .replace('2026-04-01', '2026-05-01')
        .replace('# a Thursday\n', '# a Thursday\n  renewals:\n    - at: "2026-02-01T00:00:00Z"\n'),
    );
  });

  it('of what is no record is refused', () => {
    const record = { origin: { file, document: 0 }, name: 'ada', renewals: [], warnings: [], notices: [] };
    expect(() => recordText('just text\n', { ...record, rejections: [] })).toThrow(EditRefused);
  });
});

describe('reading what we have written', () => {
  it('gives what a YAML reader gives', () => {
    fc.assert(
      fc.property(records, (record) => {
        const text = bytes(recordText(undefined, record));
        const own = readOwnRecord(file, text);
        if (own !== undefined) expect(own).toEqual(loadFile(file, text));
      }),
    );
  });

  it('is what nearly always happens, also after edits', () => {
    const before = recordText(undefined, {
      origin: { file, document: 0 },
      name: 'ada',
      identity: 'ddd03e94304fdf1444bd',
      firstSeen: '2026-01-01T00:00:00Z',
      renewals: [],
      warnings: [],
      notices: [],
      rejections: [],
      deadlines: { sleep: '2026-04-01T00:00:00Z', delete: '2026-06-01T00:00:00Z' },
    });
    const record = read(before);
    const to = ['ada@example.edu', 'bob@example.edu'];
    const about = 'Sleep' as const;
    const warning = { about, deadline: '2026-04-01T00:00:00Z', deliveredAt: '2026-03-20T00:00:00Z', to };
    const after = record && recordText(before, { ...record, warnings: [warning], renewals: [{ at: to[0] ?? '' }] });
    expect([before, after ?? ''].map((text) => readOwnRecord(file, bytes(text)) !== undefined)).toEqual([true, true]);
  });

  it.each([
    ['a comment', (text: string) => text.replace('spec:\n', 'spec:\n  # a word\n')],
    ['a tab', (text: string) => text.replace('  firstSeen', '\tfirstSeen')],
    ['no end', (text: string) => text.trimEnd()],
    ['a number', (text: string) => `${text}  identity: 12345678\n`],
    ['an alias', (text: string) => `${text}  identity: *x\n`],
    ['a key twice', (text: string) => `${text}  firstSeen: "2026-01-02T00:00:00Z"\n`],
    ['other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('leaves a text with %s to a YAML reader', (_, change) => {
    const base = {
      origin: { file, document: 0 },
      name: 'ada',
      renewals: [],
      warnings: [],
      notices: [],
      rejections: [],
    };
    const text = recordText(undefined, { ...base, firstSeen: '2026-01-01T00:00:00Z' });
    expect(readOwnRecord(file, bytes(change(text)))).toBeUndefined();
  });
});

describe('two versions of a record', () => {
  it('are joined without losing what either knows, whichever comes first', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const [ours, theirs] = [
          { ...a, identity: '12345678' },
          { ...b, identity: '12345678' },
        ];
        const joined = read(mergeRecords(recordText(undefined, ours), recordText(undefined, theirs)));
        for (const renewal of [...ours.renewals, ...theirs.renewals]) expect(joined?.renewals).toContainEqual(renewal);
        for (const warning of [...ours.warnings, ...theirs.warnings]) expect(joined?.warnings).toContainEqual(warning);
        for (const key of ['sleep', 'delete'] as const) {
          const known = [ours.deadlines?.[key], theirs.deadlines?.[key]].filter((each) => each !== undefined).sort();
          expect(joined?.deadlines?.[key]).toBe(known.at(-1));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('of two claims that had one name are not joined', () => {
    const base = {
      origin: { file, document: 0 },
      name: 'ada',
      renewals: [],
      warnings: [],
      notices: [],
      rejections: [],
    };
    const ours = recordText(undefined, { ...base, identity: '12345678' });
    const theirs = recordText(undefined, { ...base, identity: '87654321', firstSeen: '2026-01-01T00:00:00Z' });
    expect(mergeRecords(ours, theirs)).toBe(ours);
  });
});
