import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rehearseMaintenance } from '../../src/rehearsal/maintenance/rehearse.ts';
import type { NodeRehearsal, Span } from '../../src/rehearsal/rehearsal.ts';
import type { Snapshot, SnapshotController, SnapshotPod } from '../../src/rehearsal/snapshot.ts';
import { runs } from '../support/runs.ts';
import { asking, block, budget, controller, node, podsOf, snapshot } from './sample.ts';

const numRuns = runs(20);

const crew = (index: number, nodes: number) =>
  fc
    .record({
      kind: fc.constantFrom('ReplicaSet', 'ReplicaSet', 'StatefulSet', 'DaemonSet'),
      replicas: fc.integer({ min: 1, max: 4 }),
      on: fc.array(fc.integer({ min: 1, max: nodes }), { minLength: 1, maxLength: 4 }),
      graceSeconds: fc.constantFrom(0, 5, 30, 90),
      startedInSeconds: fc.constantFrom(0, 3, 40),
      priorityClassName: fc.constantFrom(undefined, undefined, 'low', 'high'),
      cpu: fc.constantFrom(10, 100, 9000),
      registersPlugins: fc.nat(6).map((die) => die === 0),
      limit: fc.constantFrom(undefined, { maxUnavailable: 0 }, { maxUnavailable: 1 }, { minAvailable: '50%' }),
    })
    .map(({ kind, replicas, on, priorityClassName, cpu, limit, ...rest }) => {
      const owner = controller(kind, `w${index}`, kind === 'DaemonSet' ? 0 : replicas);
      const places = kind === 'DaemonSet' ? [...new Set(on)] : on;
      const differs: Partial<SnapshotPod> = {
        ...rest,
        placement: asking(cpu, 0.1),
        ...(priorityClassName !== undefined && { priorityClassName }),
      };
      return {
        owner,
        pods: podsOf(owner, places, differs),
        budgets: limit === undefined ? [] : [budget(owner.name, limit)],
      };
    });

interface Case {
  readonly snapshot: Snapshot;
  readonly held: readonly number[];
  readonly maxConcurrent: number;
}

const cases: fc.Arbitrary<Case> = fc.integer({ min: 2, max: 4 }).chain((nodes) =>
  fc
    .record({
      crews: fc.tuple(crew(0, nodes), crew(1, nodes), crew(2, nodes)),
      held: fc.subarray(
        Array.from({ length: nodes }, (_, index) => index + 1),
        { minLength: 1 },
      ),
      maxConcurrent: fc.constantFrom(0, 1),
    })
    .map(({ crews, ...rest }) => ({
      ...rest,
      snapshot: snapshot({
        nodes: Array.from({ length: nodes }, (_, index) => node(index + 1)),
        pods: crews.flatMap(({ pods }) => pods),
        controllers: crews.map(({ owner }): SnapshotController => owner),
        budgets: crews.flatMap(({ budgets }) => budgets),
      }),
    })),
);

const rehearsed = ({ snapshot: picture, held, maxConcurrent }: Case) =>
  rehearseMaintenance(picture, [], [block(held, { maxConcurrent, deadlineSeconds: 300 })]);

const nodesOf = (each: Case): readonly NodeRehearsal[] => rehearsed(each).blocks.flatMap(({ nodes }) => nodes);

function isOrdered({ from, to }: Span): boolean {
  return to === null || (from !== null && from <= to);
}

describe('any rehearsal', () => {
  it('comes to rest, and gives the same bytes each time', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const result = rehearsed(each);
        expect(result.isCutOff).toBe(false);
        expect(JSON.stringify(rehearsed(each))).toBe(JSON.stringify(result));
      }),
      { numRuns },
    );
  });

  it('has every pod of a node move, be removed or stay, and brings every node there', () => {
    fc.assert(
      fc.property(cases, (each) => {
        for (const { node: name, moves, removed, untouched, reached } of nodesOf(each)) {
          const told = new Set([...moves, ...removed].filter(({ isNew }) => isNew !== true).map((pod) => pod.name));
          const there = each.snapshot.pods.filter((pod) => pod.node === name).map((pod) => pod.name);
          expect(there.filter((pod) => !told.has(pod))).toHaveLength(untouched);
          expect(reached?.to).not.toBeNull();
        }
      }),
      { numRuns },
    );
  });

  it('keeps the order of stages, gives ranges, and does not end a drain before its pods', () => {
    fc.assert(
      fc.property(cases, (each) => {
        for (const { moves, removed, reached, by } of nodesOf(each)) {
          expect(moves.map(({ stage }) => stage)).toEqual(moves.map(({ stage }) => stage).sort());
          const spans = [...moves.flatMap(({ evicted, gone }) => [evicted, gone]), ...removed.map(({ at }) => at)];
          expect(spans.filter((span) => !isOrdered(span))).toEqual([]);
          const last = Math.max(0, ...moves.map(({ gone }) => gone.to ?? 0));
          if (by === 'drained') expect(reached?.to).toBeGreaterThanOrEqual(last - 1);
          else expect(reached?.to).toBeGreaterThanOrEqual(300);
        }
      }),
      { numRuns },
    );
  });

  it('names a budget wherever one holds a pod past the deadline', () => {
    fc.assert(
      fc.property(cases, (each) => {
        for (const { removed, blockers } of nodesOf(each)) {
          for (const { name, pastBudget, certain, isNew } of removed) {
            if (pastBudget === undefined || !certain || isNew) continue;
            const codes = blockers.filter(({ pod }) => pod?.name === name).map(({ code }) => code);
            const others = blockers.filter(({ code }) => code.startsWith('pdb-')).length;
            expect(codes.some((code) => code.startsWith('pdb-')) || others > 0).toBe(true);
          }
        }
      }),
      { numRuns },
    );
  });
});
