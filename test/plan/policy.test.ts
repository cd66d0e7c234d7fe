import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/plan/change.ts';
import { dangerWords } from '../../src/plan/danger.ts';
import { type Approval, approvalsIn, needsOf, type PolicyRule, unknownRules } from '../../src/plan/policy.ts';

const change: Change = {
  kind: 'deletion-ordered',
  subject: { kind: 'claim', name: 'ada', cluster: 'west' },
  text: 'ada goes.',
  dangers: [{ kind: 'data-lost', why: 'data is lost' }],
  unit: 'claim/ada',
};
const rule = (different: Partial<PolicyRule> = {}): PolicyRule => ({
  name: 'data',
  dangers: ['data-lost'],
  changes: [],
  clusters: [],
  labelOnly: false,
  ...different,
});
const trailer = (text: string): readonly Approval[] => approvalsIn([text], []);

type Case = readonly [
  what: string,
  rules: readonly PolicyRule[],
  approvals: readonly Approval[],
  needs: readonly string[],
  of?: Partial<Change>,
];

const cases: readonly Case[] = [
  ['a danger', [rule()], [], ['data missing']],
  ['another danger', [rule({ dangers: ['downgrade'] })], [], []],
  ['a kind of change', [rule({ dangers: [], changes: ['deletion-ordered'] })], [], ['data missing']],
  ['any of both', [rule({ dangers: ['downgrade'], changes: ['deletion-ordered'] })], [], ['data missing']],
  ['with neither: every danger', [rule({ dangers: [] })], [], ['data missing']],
  ['with neither: no harmless change', [rule({ dangers: [] })], [], [], { dangers: [] }],
  ['its cluster', [rule({ clusters: ['west'] })], [], ['data missing']],
  ['another cluster', [rule({ clusters: ['east'] })], [], []],
  [
    'no cluster: all of them',
    [rule({ clusters: ['east'] })],
    [],
    ['data missing'],
    { subject: { kind: 'all', name: 'x', cluster: '' } },
  ],
  ['a trailer', [rule()], trailer('data'), ['data approved']],
  ['a trailer for another rule', [rule()], trailer('rights'), ['data missing']],
  ['a trailer that names it', [rule()], trailer('data bob, ada'), ['data approved']],
  ['a trailer that names others', [rule()], trailer('data bob'), ['data missing']],
  [
    'a trailer that names the claim of an object',
    [rule()],
    trailer('data ada'),
    ['data approved'],
    { subject: { kind: 'object', name: 'Role x', cluster: 'west' } },
  ],
  ['a label', [rule()], approvalsIn([], ['bug', 'quiesce-approve/data']), ['data approved']],
  ['a scoped label', [rule()], approvalsIn([], ['quiesce-approve::data']), ['data approved']],
  [
    'a label that only looks like one',
    [rule()],
    approvalsIn([], ['not-quiesce-approve/data', 'quiesce-approve/data x']),
    ['data missing'],
  ],
  ['a trailer where only a label counts', [rule({ labelOnly: true })], trailer('data'), ['data missing']],
  [
    'a label where only a label counts',
    [rule({ labelOnly: true })],
    approvalsIn([], ['quiesce-approve/data']),
    ['data approved'],
  ],
  [
    'one name in both states: the stricter one holds',
    [rule({ labelOnly: true }), rule()],
    trailer('data'),
    ['data missing'],
  ],
  ['two rules', [rule({ name: 'z' }), rule({ name: 'a' })], trailer('z'), ['a missing', 'z approved']],
];

describe('needsOf', () => {
  it.each(cases)('%s', (...row: unknown[]) => {
    const [, rules, approvals, needs, of = {}] = row as unknown as Case;
    const found = needsOf({ ...change, ...of }, rules, approvals);
    expect(found.map(({ rule: name, approved }) => `${name} ${approved ? 'approved' : 'missing'}`)).toEqual(needs);
  });

  it('more rules never need less, more approvals never need more', () => {
    const anyRule = fc.record({
      name: fc.constantFrom('a', 'b'),
      dangers: fc.constantFrom<PolicyRule['dangers']>([], ['data-lost'], ['downgrade']),
      changes: fc.constantFrom<PolicyRule['changes']>([], ['deletion-ordered'], ['sleeps']),
      clusters: fc.constantFrom<readonly string[]>([], ['west'], ['east']),
      labelOnly: fc.boolean(),
    });
    const anyApproval = fc.record({
      rule: fc.constantFrom('a', 'b', 'c'),
      names: fc.constantFrom<readonly string[]>([], ['ada'], ['bob']),
      by: fc.constantFrom('trailer' as const, 'label' as const),
    });
    const missing = (rules: readonly PolicyRule[], approvals: readonly Approval[]) =>
      needsOf(change, rules, approvals)
        .filter(({ approved }) => !approved)
        .map(({ rule: name }) => name);
    fc.assert(
      fc.property(fc.array(anyRule), anyRule, fc.array(anyApproval), anyApproval, (rules, more, approvals, another) => {
        const before = missing(rules, approvals);
        expect(missing([...rules, more], approvals)).toEqual(expect.arrayContaining([...before]));
        expect(before).toEqual(expect.arrayContaining([...missing(rules, [...approvals, another])]));
      }),
    );
  });

  it('names approvals that no rule asks for', () => {
    expect(unknownRules(approvalsIn(['data', 'typo ada', 'typo'], ['quiesce-approve/label']), [rule()])).toEqual([
      'label',
      'typo',
    ]);
  });
});

describe('docs/plan.md', () => {
  it('explains every kind of danger', () => {
    const text = readFileSync(new URL('../../docs/plan.md', import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    expect(Object.keys(dangerWords).filter((kind) => !rows.some((row) => row.includes(`\`${kind}\``)))).toEqual([]);
  });
});
