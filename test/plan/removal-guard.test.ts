import { describe, expect, it } from 'vitest';
import type { InventoryLine } from '../../src/plan/inventory.ts';
import { removalFindings } from '../../src/plan/removal-guard.ts';
import type { ClaimState } from '../../src/resolve/state.ts';

const limits = { maxShare: 0.2, atLeast: 5 };

function claim(name: string, state: ClaimState = 'Running', objects = 10): InventoryLine {
  return {
    id: `claim/${name}`,
    path: `a/claims/${name}/claim.k8s.yaml`,
    source: `state/claims/${name}.yaml`,
    key: state,
    objects: Array.from({ length: state === 'Deleted' ? 1 : objects }, (_, index) => `/Thing/${name}/${index}`),
    facts: {
      kind: 'claim',
      name,
      cluster: 'a',
      state,
      owners: [],
      version: '0.30.0',
      replicas: 1,
      backingStore: 'embeddedDatabase',
      storage: '5Gi',
      protected: false,
      expiry: 'Never',
      schedules: 0,
      identity: name,
    },
  };
}

const claims = (from: number, to: number, state: ClaimState = 'Running'): InventoryLine[] =>
  Array.from({ length: to - from }, (_, index) => claim(`c${from + index}`, state));

const messages = (before: InventoryLine[], after: InventoryLine[], allowed?: number): string[] =>
  removalFindings(before, after, { ...limits, ...(allowed === undefined ? {} : { allowed }) }).map(
    (finding) => finding.message,
  );

describe('removal guard', () => {
  const all = claims(0, 40);

  it('says nothing when nothing goes', () => {
    expect(messages(all, all)).toEqual([]);
  });

  it('lets a share of up to 20 % of the claims go when their deletion is ordered', () => {
    expect(messages(all, [...claims(0, 8, 'Deleted'), ...all.slice(8)])).toEqual([]);
  });

  it('refuses more than 20 %, counting ordered deletions as claims and not as objects', () => {
    expect(messages(all, [...claims(0, 9, 'Deleted'), ...all.slice(9)])).toEqual([
      'This would remove 9 of 40 claims: c0, c1, c2, c3, c4 and 4 more.',
    ]);
  });

  it('does not count new claims against lost ones', () => {
    expect(messages(all, [...all.slice(9), ...claims(100, 140)])).toEqual([
      'This would remove 9 of 40 claims: c0, c1, c2, c3, c4 and 4 more.',
      'This would remove 90 of 400 objects: Thing 0 in c0 (a), Thing 1 in c0 (a), Thing 2 in c0 (a), Thing 3 in c0 (a), Thing 4 in c0 (a) and 85 more.',
    ]);
  });

  it('never holds back up to five', () => {
    const few = claims(0, 6);
    expect(messages(few, [...claims(0, 5, 'Deleted'), ...few.slice(5)])).toEqual([]);
    expect(messages(few, claims(0, 6, 'Deleted'))).toHaveLength(1);
  });

  it('lets through what the operator allowed, and no more', () => {
    const after = [...claims(0, 9, 'Deleted'), ...all.slice(9)];
    expect(messages(all, after, 9)).toEqual([]);
    expect(messages(all, after, 8)).toHaveLength(1);
  });

  it('notices that every claim lost half of its objects', () => {
    const after = claims(0, 40).map((line) => ({ ...line, objects: (line.objects ?? []).slice(0, 5) }));
    expect(messages(all, after)).toEqual([
      'This would remove 200 of 400 objects: Thing 5 in c0 (a), Thing 6 in c0 (a), Thing 7 in c0 (a), Thing 8 in c0 (a), Thing 9 in c0 (a) and 195 more.',
    ]);
  });
});
