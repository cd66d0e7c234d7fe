import { describe, expect, test } from 'vitest';
import { fieldsOf, type Json } from '../../constructs/plain-object.ts';
import type { BackingStore, ClaimState } from '../../src/resolve/state.ts';
import { claimWith, render } from './sample.ts';

/** Paths at which two values differ, with what is on either side. */
function differences(a: Json | undefined, b: Json | undefined, path = ''): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const isLeaf = (value: Json | undefined) => typeof value !== 'object' || value === null;
  if (isLeaf(a) || isLeaf(b)) return [`${path}: ${JSON.stringify(a)} → ${JSON.stringify(b)}`];
  const [left, right] = [a, b].map((value) => fieldsOf(Array.isArray(value) ? { ...value } : value));
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].sort().flatMap((key) => differences(left?.[key], right?.[key], `${path}/${key}`));
}

const workloads: Record<BackingStore, readonly string[]> = {
  embeddedDatabase: ['StatefulSet/ada'],
  embeddedEtcd: ['StatefulSet/ada'],
  deployedEtcd: ['Deployment/ada', 'StatefulSet/ada-etcd'],
  externalDatabase: ['Deployment/ada'],
};

describe.each(Object.keys(workloads) as BackingStore[])('%s', (backingStore) => {
  const inState = (state: ClaimState, replicas = 3) =>
    Object.fromEntries(
      render(claimWith({ backingStore, state, replicas })).map((object) => [
        `${object.kind}/${object.metadata.name}`,
        object,
      ]),
    );

  test('asleep differs from running only in the replicas, the markers and the state of the claim', () => {
    const expected = workloads[backingStore].flatMap((workload) => [
      `/${workload}/metadata/annotations/loft.sh/paused: undefined → "true"`,
      `/${workload}/metadata/annotations/loft.sh/paused-replicas: undefined → "3"`,
      `/${workload}/metadata/annotations/plethos.cs.hm.edu/scaled-down-replicas: undefined → "3"`,
      `/${workload}/spec/replicas: 3 → 0`,
    ]);
    expect(differences(inState('Running'), inState('Sleeping'))).toEqual([
      ...expected,
      '/VClusterClaim/ada/spec/state: "Running" → "Sleeping"',
    ]);
  });

  test.each([1, 3, 5])('with %i replicas, any number of sleeps gives back the same bytes', (replicas) => {
    const bytes = (state: ClaimState) => JSON.stringify(inState(state, replicas));
    const [awake, asleep] = [bytes('Running'), bytes('Sleeping')];
    for (let round = 0; round < 3; round += 1) {
      expect(bytes('Running')).toBe(awake);
      expect(bytes('Sleeping')).toBe(asleep);
    }
    expect(asleep).toContain(`"plethos.cs.hm.edu/scaled-down-replicas":"${replicas}"`);
  });
});
