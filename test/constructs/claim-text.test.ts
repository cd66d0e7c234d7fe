import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClaimText } from '../../constructs/claim-props.ts';
import { fieldsOf, type Json, type PlainObject } from '../../constructs/plain-object.ts';
import type { BackingStore, Claim, ClaimState } from '../../src/resolve/state.ts';
import { runs } from '../support/runs.ts';
import { claimWith, propsOf, rendered, settingsWith } from './sample.ts';

/** Claims of every shape; their own strings come from `texts`. */
const claims: fc.Arbitrary<Claim> = fc
  .record({
    state: fc.constantFrom<ClaimState>('Running', 'Sleeping', 'Deleted'),
    backingStore: fc.constantFrom<BackingStore>('embeddedDatabase', 'embeddedEtcd', 'deployedEtcd', 'externalDatabase'),
    replicas: fc.constantFrom(1, 3),
    hostSync: fc.subarray(['nodes', 'toHost.ingresses', 'fromHost.storageClasses']),
    owners: fc.array(fc.constant({ name: '', email: '' }), { maxLength: 3 }),
    exposed: fc.boolean(),
    secret: fc.boolean(),
    labels: fc.dictionary(fc.constantFrom('course', 'term', 'zone'), fc.constant('')),
    annotations: fc.dictionary(fc.constantFrom('purpose', 'contact'), fc.constant('')),
  })
  .map(({ exposed, secret, ...rest }) => {
    const { exposure, ...claim } = claimWith(rest);
    return {
      ...claim,
      ...(exposed && exposure !== undefined && { exposure }),
      ...(secret && { externalDatabaseSecret: '' }),
    };
  });

const replaced = (text: ClaimText, value: (field: string) => string): ClaimText =>
  Object.fromEntries(Object.keys(text).map((field) => [field, value(field)])) as ClaimText;

const mark = (field: string) => `\ue000${field}\ue001`;

function filled(value: Json, text: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string')
    return value.replaceAll(/\ue000(\w+)\ue001/g, (_, field: string) => text[field] ?? '?');
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, item]) => [key, filled(item ?? null, text)]));
}

test('the claim’s own strings are only placed: filling in a rendering of marks gives the direct rendering', () => {
  fc.assert(
    fc.property(claims, fc.boolean(), fc.func(fc.string({ unit: 'grapheme' })), (claim, tls, textOf) => {
      const { shape, text } = propsOf(claim, settingsWith({ tls }));
      const own = replaced(text, (field) => textOf(field));
      const template = rendered({ shape, text: replaced(text, mark) });
      const direct: readonly PlainObject[] = rendered({ shape, text: own });
      expect(filled(template, own)).toEqual(direct);
    }),
    { numRuns: runs(300) },
  );
});
