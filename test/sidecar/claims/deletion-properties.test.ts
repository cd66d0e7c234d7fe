import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vclusterClaim } from '../../../constructs/crds/vcluster-claim.ts';
import type { ClaimDecision } from '../../../src/sidecar/claims/action.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { runs } from '../../support/runs.ts';
import { type Course, type Deed, DeletionSimulation, type State } from './deletion-simulator.ts';

const numRuns = runs(100);

const seconds = (max: number) => fc.integer({ min: 1, max });
const state = fc.constantFrom<State>('Running', 'Sleeping', 'Deleted', 'Deleted');

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at: seconds(120), what: fc.constant('git' as const), state }) },
  {
    weight: 2,
    arbitrary: fc.record({
      at: seconds(120),
      what: fc.constantFrom('kubectl-delete' as const, 'withdraw' as const, 'kill' as const, 'kill' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      at: seconds(120),
      what: fc.constantFrom('their-object' as const, 'delete-namespace' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      at: seconds(120),
      what: fc.constantFrom('refuse' as const, 'blind' as const),
      seconds: seconds(60),
    }),
  },
);

const gap = fc.oneof(seconds(2), seconds(12));

/** Ordered and taken back within seconds, which chance alone seldom brings together. */
const changeOfMind: fc.Arbitrary<readonly Deed[]> = fc
  .record({
    at: seconds(60),
    gaps: fc.tuple(gap, gap),
    isByKubectl: fc.boolean(),
    isLate: fc.boolean(),
  })
  .map(({ at, gaps: [first, then], isByKubectl, isLate }) => [
    { at: isLate ? at + first : at, what: 'git', state: 'Deleted' },
    ...(isByKubectl ? [{ at: isLate ? at : at + first, what: 'kubectl-delete' as const }] : []),
    { at: at + first + then, what: 'git', state: 'Running' },
  ]);

const course: fc.Arbitrary<Course> = fc.record({
  syncSeconds: fc.oneof(fc.constant(1), seconds(15)),
  stopSeconds: fc.integer({ min: 0, max: 12 }),
  pods: fc.nat(3),
  statusSeconds: fc.constantFrom(0, 0, 2, 5),
  deeds: fc
    .tuple(fc.array(deed, { maxLength: 6 }), fc.oneof(fc.constant([]), changeOfMind))
    .map(([some, more]) => [...some, ...more]),
  deaths: fc.oneof(
    { weight: 3, arbitrary: fc.array(seconds(40), { maxLength: 6 }) },
    // After each of the first so many.
    { weight: 1, arbitrary: fc.nat(40).map((length) => Array.from({ length }, (_, index) => index + 1)) },
  ),
});

/** Taken back before it could be written down that it was ordered. */
const statusTooLate: Course = {
  syncSeconds: 1,
  stopSeconds: 0,
  pods: 1,
  statusSeconds: 5,
  deaths: [],
  deeds: [
    { at: 6, what: 'kubectl-delete' },
    { at: 7, what: 'git', state: 'Deleted' },
    { at: 9, what: 'git', state: 'Running' },
  ],
};

/** Long after the last deed and whatever came of it. */
const end = 400;

describe('any history of deletions, restorations and what goes wrong between', () => {
  it('deletes nothing that git does not say is Deleted, keeps its order, and ends where git wants it', () => {
    fc.assert(
      fc.property(course, (random) => {
        const simulation = new DeletionSimulation(random);
        const faults: string[] = [];
        for (let second = 0; second < end; second += 1) {
          const decision = simulation.step();
          if (decision !== undefined) faults.push(...faultsOf(simulation, decision));
        }
        faults.push(...simulation.deletions.flatMap(deletionFaults), ...endFaults(simulation));
        expect(faults).toEqual([]);
      }),
      { numRuns, examples: [[statusTooLate]] },
    );
  });
});

function faultsOf(simulation: DeletionSimulation, { status, actions }: ClaimDecision): string[] {
  const left = simulation.own().filter(({ kind }) => kind !== 'Namespace' || !isTheirs(simulation));
  const isFalse = status?.phase === 'Deleted' && simulation.claim?.status?.phase !== 'Deleted' && left.length > 0;
  const shown = actions.flatMap((action) =>
    action.kind === 'status'
      ? valueFaults(vclusterClaim.status as WrittenSchema, JSON.parse(JSON.stringify(action.status)))
      : [],
  );
  return [...(isFalse ? ['Deleted with something left'] : []), ...shown];
}

/** Somebody else has something in the namespace, which keeps it. */
function isTheirs({ things }: DeletionSimulation): boolean {
  return things.some(({ labels }) => labels.theirs !== undefined);
}

function deletionFaults({ thing, claim, beside }: DeletionSimulation['deletions'][number]): string[] {
  const has = (kind: string, label?: string) =>
    beside.some((other) => other.kind === kind && (label === undefined || other.labels[label] !== undefined));
  const isLast = thing.kind === 'Service' || thing.kind === 'PersistentVolumeClaim';
  return [
    ...(claim.spec.state === 'Deleted' ? [] : [`${thing.name} of a claim that git does not say is Deleted`]),
    ...(thing.labels.theirs === undefined ? [] : ['what is theirs']),
    ...(isLast && (has('StatefulSet') || has('Pod')) ? [`${thing.kind} ${thing.name} before what runs`] : []),
    ...(thing.kind === 'Namespace' && beside.length > 1 ? ['a namespace with something in it'] : []),
    ...(thing.labels['vcluster.loft.sh/managed-by'] !== undefined && has('StatefulSet')
      ? ['pods before what makes them']
      : []),
  ];
}

/** A deletion with kubectl that git does not follow waits for ever, and everything runs on. */
function endFaults(simulation: DeletionSimulation): string[] {
  const { claim, git } = simulation;
  const phase = claim?.status?.phase;
  if (git === 'Deleted') {
    const left = simulation.own().filter(({ kind }) => kind !== 'Namespace' || !isTheirs(simulation));
    return phase === 'Deleted' && left.length === 0 ? [] : [`${phase} with ${left.map(({ name }) => name).join()}`];
  }
  const wanted = git === 'Running' ? 'Running' : 'Asleep';
  if (claim?.deletedAt !== undefined) {
    const mayWait = claim.status?.reason === 'NotInGit' && !simulation.begun.has(claim.uid) && !claim.isWithdrawn;
    return mayWait ? [] : [`${phase} ${claim.status?.reason}, and it is to be let go`];
  }
  return phase === wanted ? [] : [`${phase} and not ${wanted}`];
}
