import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zodFindings } from '../../src/validate/zod-findings.ts';
import { runs } from '../support/runs.ts';
import { findings, lines, origin, schema } from './zod-sample.ts';

describe('what zod finds, in words', () => {
  it.each<[object, string[]]>([
    [
      { replicas: 'three' },
      ['spec.replicas wrong-type: `spec.replicas` must be a whole number, not the text "three". Write a whole number.'],
    ],
    [
      { replicas: '3' },
      ['spec.replicas wrong-type: `spec.replicas` must be a whole number, not the text "3". Remove the quotes.'],
    ],
    [
      { replicas: 1.5 },
      ['spec.replicas wrong-type: `spec.replicas` must be a whole number, not the number 1.5. Write a whole number.'],
    ],
    [{ replicas: 0 }, ['spec.replicas invalid-value: `spec.replicas` must be at least 1, not 0. Use a larger number.']],
    [{ replicas: 9 }, ['spec.replicas invalid-value: `spec.replicas` must be at most 7, not 9. Use a smaller number.']],
    [
      { replicas: null },
      [
        'spec.replicas wrong-type: `spec.replicas` is empty; it must be a whole number. Write a value, or remove the key.',
      ],
    ],
    [{ share: 1 }, ['spec.share invalid-value: `spec.share` must be less than 1, not 1. Use a smaller number.']],
    [
      { share: 0.3 },
      [
        'spec.share invalid-value: `spec.share` must be a multiple of 0.25, not the number 0.3. Write a value that fits.',
      ],
    ],
    [
      { protected: 'yes' },
      [
        'spec.protected wrong-type: `spec.protected` must be `true` or `false`, not the text "yes". Write `true`, without quotes.',
      ],
    ],
    [
      { protected: 'off' },
      [
        'spec.protected wrong-type: `spec.protected` must be `true` or `false`, not the text "off". Write `false`, without quotes.',
      ],
    ],
    [
      { state: 'sleeping' },
      [
        'spec.state invalid-value: `spec.state` must be `Running`, `Sleeping` or `Deleted`, not the text "sleeping". Did you mean `Sleeping`?',
      ],
    ],
    [
      { state: 'Off' },
      [
        'spec.state invalid-value: `spec.state` must be `Running`, `Sleeping` or `Deleted`, not the text "Off". Write `Running`, `Sleeping` or `Deleted`.',
      ],
    ],
    [
      { state: true },
      [
        'spec.state wrong-type: `spec.state` must be `Running`, `Sleeping` or `Deleted`, not `true`. Write `Running`, `Sleeping` or `Deleted`.',
      ],
    ],
    [
      { owner: 'Ada' },
      [
        'spec.owner wrong-type: `spec.owner` must be a mapping, not the text "Ada". Write its keys on lines of their own, indented further.',
      ],
    ],
    [
      { owner: [{ name: 'Ada' }] },
      [
        'spec.owner wrong-type: `spec.owner` must be a mapping, not a list. It takes one thing only: remove the dash or the brackets.',
      ],
    ],
    [
      { owner: { name: 7, email: 'ada' } },
      [
        'spec.owner.name wrong-type: `spec.owner.name` must be text, not the number 7. Put it in quotes: `"7"`.',
        'spec.owner.email invalid-value: `spec.owner.email` must be a mail address, not the text "ada". Write a value that fits.',
      ],
    ],
    [
      { owner: { name: 'Ada' } },
      ['spec.owner.email (key) missing-key: `spec.owner.email` is missing. Add `email:` below `spec.owner`.'],
    ],
    [
      { schedules: { sleep: 'x' } },
      [
        'spec.schedules wrong-type: `spec.schedules` must be a list, not a mapping. Make it a list: begin each entry with `- `.',
      ],
    ],
    [{ schedules: [] }, ['spec.schedules invalid-value: `spec.schedules` must not be empty. Add what is missing.']],
    [
      { schedules: [{ sleep: 'a' }, { sleep: 'a' }, { sleep: 'a' }] },
      ['spec.schedules invalid-value: `spec.schedules` must have at most 2 entries. Remove some.'],
    ],
    [
      { schedules: [{ slep: 'a' }] },
      ['spec.schedules.0.slep (key) unknown-key: `slep` is not known in `spec.schedules[0]`. Did you mean `sleep`?'],
    ],
    [
      { expiry: 'never' },
      [
        'spec.expiry invalid-value: `spec.expiry` must be `Never` or a mapping, not the text "never". Did you mean `Never`?',
      ],
    ],
    [
      { expiry: 90 },
      ['spec.expiry wrong-type: `spec.expiry` must be `Never` or a mapping, not the number 90. Write `Never`.'],
    ],
    [
      { expiry: { after: 90, grcae: '60d' } },
      [
        'spec.expiry.after wrong-type: `spec.expiry.after` must be text, not the number 90. Put it in quotes: `"90"`.',
        'spec.expiry.grcae (key) unknown-key: `grcae` is not known in `spec.expiry`. Did you mean `grace`?',
      ],
    ],
    [
      { limit: true },
      ['spec.limit wrong-type: `spec.limit` must be text or a number, not `true`. Write text or a number.'],
    ],
    [
      { source: { kind: 'helm', dir: 'x' } },
      [
        'spec.source.chart (key) missing-key: `spec.source.chart` is missing. Add `chart:` below `spec.source`.',
        'spec.source.dir (key) unknown-key: `dir` is not known in `spec.source`. Remove it, or use `chart`.',
      ],
    ],
    [
      { source: { kind: 'Helm', chart: 'x' } },
      [
        'spec.source.kind invalid-value: `spec.source.kind` must be `helm` or `manifests`, not the text "Helm". Did you mean `helm`?',
      ],
    ],
    [
      { source: { chart: 'x' } },
      ['spec.source.kind (key) missing-key: `spec.source.kind` is missing. Add `kind:` below `spec.source`.'],
    ],
    [
      { either: { helm: { chrt: 'x' } } },
      ['spec.either.helm.chrt (key) unknown-key: `chrt` is not known in `spec.either.helm`. Did you mean `chart`?'],
    ],
    [{ port: 'x' }, ['spec.port invalid-value: `spec.port` must be a port number. Write a value that fits.']],
    [
      { zone: 'us-1' },
      [
        'spec.zone invalid-value: `spec.zone` must be text that starts with `eu-`, not the text "us-1". Write a value that fits.',
      ],
    ],
    [{ note: 'hey!' }, ['spec.note invalid-value: No exclamation marks, please. Write a value that fits.']],
    [{ name: 'bad' }, ['spec.name (key) stray-file: "bad" is bad. Be good.']],
    [{ tuple: ['a', 'b'] }, ['spec.tuple invalid-value: `spec.tuple` must have at most 1 entry. Remove some.']],
    [{ replica: 3 }, ['spec.replica (key) unknown-key: `replica` is not known in `spec`. Did you mean `replicas`?']],
    [
      { email: 'x' },
      [
        'spec.email (key) unknown-key: `email` is not known in `spec`. `email` belongs into `spec.owner`: check its indentation.',
      ],
    ],
    [
      { owner: { name: 'a', email: 'a@b.eu', replicas: 3 } },
      [
        'spec.owner.replicas (key) unknown-key: `replicas` is not known in `spec.owner`. `replicas` belongs into `spec`: check its indentation.',
      ],
    ],
  ])('%j', (spec, expected) => expect(lines(spec)).toEqual(expected));

  it.each<[object, string[]]>([
    [{}, ['metadata.name (key) missing-key: `metadata.name` is missing. Add `name:` below `metadata`.']],
    [{ nmae: 'ada' }, ['metadata.nmae (key) unknown-key: `nmae` is not known in `metadata`. Did you mean `name`?']],
    [{ name: '' }, ['metadata.name invalid-value: `metadata.name` must not be empty. Write a longer text.']],
    [
      { name: 'a'.repeat(11) },
      ['metadata.name invalid-value: `metadata.name` must have at most 10 characters. Shorten it.'],
    ],
    [
      { name: 'a', labels: { 'UP per': 'x' } },
      [
        'metadata.labels.UP per (key) invalid-value: `metadata.labels["UP per"]` is not allowed as a key. Rename or remove the key.',
      ],
    ],
  ])('metadata %j', (metadata, expected) => expect(lines({}, metadata)).toEqual(expected));

  it('knows the top level', () => {
    expect(findings({ metadata: { name: 'a' } }).map(({ message, remedy }) => `${message} ${remedy}`)).toEqual([
      '`spec` is missing. Add `spec:` at the top level.',
    ]);
    expect(findings({ metadata: { name: 'a' }, spec: {}, replicas: 3 }).map(({ remedy }) => remedy)).toEqual([
      '`replicas` belongs into `spec`: check its indentation.',
    ]);
    expect(findings([]).map(({ message }) => message)).toEqual(['The document must be a mapping, not a list.']);
  });
  it('can do without the schema', () => {
    const value = { metadata: { name: 'a' }, spec: { replica: 3, replicas: 'x' } };
    const { error } = schema.safeParse(value);
    expect(
      zodFindings(error ?? { issues: [] }, value, origin).map(({ message, remedy }) => `${message} ${remedy}`),
    ).toEqual([
      '`spec.replicas` must be a number, not the text "x". Write a number.',
      '`replica` is not known in `spec`. Remove it.',
    ]);
  });
  it('never throws and never says nothing, whatever the value', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            metadata: fc.jsonValue(),
            spec: fc.dictionary(
              fc.constantFrom(...Object.keys(schema.shape.spec.shape), '__proto__', 'x'),
              fc.jsonValue(),
            ),
          }),
        ),
        (value) => {
          const { success } = schema.safeParse(value);
          expect(findings(value).length === 0).toBe(success);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
