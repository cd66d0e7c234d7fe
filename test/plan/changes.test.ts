import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, changeWords, durationText } from '../../src/plan/change.ts';
import { changes } from '../../src/plan/changes.ts';
import type { Facts } from '../../src/plan/facts.ts';
import { claimCases } from './claim-cases.ts';
import { claim, component, installation, maintenance, node, part, record } from './facts.ts';
import { otherCases } from './other-cases.ts';

describe('changes', () => {
  it.each([...claimCases, ...otherCases])('%s', (_, before, after, said) => {
    expect(
      changes(before, after).map(({ kind, text, dangers }) => [
        kind,
        text,
        ...dangers.map((danger) => `${danger.kind}: ${danger.why}`),
      ]),
    ).toEqual(said);
  });

  it('every kind has a case above, but what only rendered objects or a rehearsal show', () => {
    const told = new Set([...claimCases, ...otherCases].flatMap(([, , , said]) => said.map(([kind]) => kind)));
    expect(Object.keys(changeWords).filter((kind) => !told.has(kind as Change['kind']))).toEqual([
      'rehearsed',
      'object-changed',
    ]);
  });

  it('says who is meant', () => {
    const subjects = changes(
      [installation(), claim('ada')],
      [
        installation(),
        claim('ada', { state: 'Sleeping' }),
        component('db'),
        maintenance({ nodes: [node('10.0.0.1')] }),
      ],
    ).map(({ subject }) => subject);
    expect(subjects).toEqual([
      { kind: 'node', name: '10.0.0.1', cluster: 'west' },
      { kind: 'claim', name: 'ada', cluster: 'west' },
      { kind: 'component', name: 'shop/db', cluster: 'west' },
      { kind: 'config', name: 'edge', cluster: 'west' },
    ]);
  });

  it('counts many at once: more than a fifth of the claims, and at least five', () => {
    const many = (count: number, state: 'Running' | 'Sleeping') =>
      Array.from({ length: count }, (_, index) => claim(`c${index}`, { state }));
    const mass = (total: number, asleep: number) =>
      changes(many(total, 'Running'), [...many(asleep, 'Sleeping'), ...many(total, 'Running').slice(asleep)]).filter(
        ({ kind }) => kind === 'mass-change',
      );
    expect(mass(10, 4)).toEqual([]);
    expect(mass(25, 5)).toEqual([]);
    expect(mass(24, 5)).toEqual([
      {
        kind: 'mass-change',
        subject: { kind: 'all', name: 'sleeps', cluster: '' },
        text: '5 virtual clusters at once: put to sleep (24 were declared before).',
        dangers: [{ kind: 'mass-change', why: 'mass change: is each of them meant?' }],
        unit: '',
      },
    ]);
    expect(changes([], many(50, 'Running')).filter(({ kind }) => kind === 'mass-change')).toEqual([]);
  });
});

const anyFacts: fc.Arbitrary<readonly Facts[]> = fc
  .array(
    fc.oneof(
      fc
        .record({
          name: fc.constantFrom('a', 'b', 'c', 'd'),
          state: fc.constantFrom('Running' as const, 'Sleeping' as const, 'Deleted' as const),
          cluster: fc.constantFrom('east', 'west'),
          identity: fc.constantFrom('1', '2'),
          host: fc.constantFrom('x', 'y'),
        })
        .map(({ name, ...rest }) => claim(name, rest)),
      fc
        .record({
          cluster: fc.constantFrom('east', 'west'),
          nodes: fc.uniqueArray(fc.constantFrom('1', '2', '3').map(node), { selector: (each) => each.address }),
          ignorePdb: fc.boolean(),
        })
        .map(maintenance),
      fc
        .record({
          state: fc.constantFrom('Installed' as const, 'Deleted' as const),
          cluster: fc.constantFrom('east', 'west'),
        })
        .map(installation),
      fc.constantFrom('db', 'web').map((name) => component(name)),
      fc
        .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('Kept' as const, 'Deleted' as const, undefined))
        .map(([name, data]) => record(name, data)),
      fc
        .tuple(fc.constantFrom('crds', 'sidecar'), fc.constantFrom('east', 'west'))
        .map(([name, cluster]) => part(name, cluster)),
    ),
    { maxLength: 12 },
  )
  .map((facts) => [
    ...new Map(
      facts.map((each) => [
        JSON.stringify([each.kind, 'name' in each ? each.name : '', each.kind === 'system' ? each.cluster : '']),
        each,
      ]),
    ).values(),
  ]);

describe('for any two states', () => {
  it('the order of the facts does not matter, and the list survives JSON', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, fc.infiniteStream(fc.nat()), (before, after, numbers) => {
        const shuffled = (facts: readonly Facts[]) =>
          facts
            .map((each) => [numbers.next().value, each] as const)
            .sort(([a], [b]) => a - b)
            .map(([, each]) => each);
        const list = changes(before, after);
        expect(changes(shuffled(before), shuffled(after))).toEqual(list);
        expect(JSON.parse(JSON.stringify(list))).toEqual(list);
      }),
    );
  });

  it('nothing changes between a state and itself', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(changes(facts, facts)).toEqual([]);
      }),
    );
  });
});

describe('durationText', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [1200, '20 min'],
    [90_061, '1 d 1 h 1 min 1 s'],
    [90 * 86_400, '90 d'],
  ])('%d seconds', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
