import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vclusterClaim } from '../../../constructs/crds/vcluster-claim.ts';
import type { ClaimDecision } from '../../../src/sidecar/claims/action.ts';
import type { Observation } from '../../../src/sidecar/claims/observation.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { runs } from '../../support/runs.ts';
import { type Deed, Simulation, type World } from './simulator.ts';

const numRuns = runs(80);

const seconds = (max: number) => fc.integer({ min: 1, max });

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ at: seconds(200), what: fc.constant('git'), state: fc.constantFrom('Running', 'Sleeping') }),
  fc.record({ at: seconds(200), what: fc.constant('git'), state: fc.constantFrom('Running', 'Sleeping') }),
  fc.record({ at: seconds(300), what: fc.constant('scale'), replicas: fc.nat(4) }),
  fc.record({ at: seconds(300), what: fc.constantFrom('pause', 'resume') }),
  fc.record({ at: seconds(300), what: fc.constant('ghost'), seconds: seconds(60) }),
  fc.record({ at: seconds(300), what: fc.constant('kill') }),
  fc.record({ at: seconds(300), what: fc.constantFrom('refuse', 'blind'), seconds: seconds(60) }),
) as fc.Arbitrary<Deed>;

const world: fc.Arbitrary<World> = fc.record({
  replicas: fc.integer({ min: 1, max: 3 }),
  pods: fc.nat(4),
  syncSeconds: seconds(20),
  startSeconds: seconds(10),
  stopSeconds: fc.integer({ min: 0, max: 20 }),
  deeds: fc.array(deed, { maxLength: 10 }),
  deaths: fc.array(seconds(30), { maxLength: 10 }),
});

/** Long after the last deed and whatever came of it. */
const end = 700;

describe('any history of a claim', () => {
  it('removes pods only while its control plane is seen to be gone, and ends where git wants it', () => {
    fc.assert(
      fc.property(world, (random) => {
        const simulation = new Simulation(random);
        const faults: string[] = [];
        for (let second = 0; second < end; second += 1) {
          const { observation, decision } = simulation.step();
          faults.push(...faultsOf(observation, decision), ...falseRest(simulation, observation, decision));
        }
        expect(faults).toEqual([]);
        const { state } = simulation.claim.spec;
        expect(simulation.claim.status?.phase).toBe(state === 'Sleeping' ? 'Asleep' : 'Running');
        expect(simulation.step().decision.actions).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('is shown in a way that the CRD takes', () => {
    fc.assert(
      fc.property(world, (random) => {
        const simulation = new Simulation(random);
        for (let second = 0; second < 320; second += 1) {
          const { decision } = simulation.step();
          for (const action of decision.actions) {
            if (action.kind !== 'status') continue;
            const plain = JSON.parse(JSON.stringify(action.status));
            expect(valueFaults(vclusterClaim.status as WrittenSchema, plain)).toEqual([]);
          }
        }
      }),
      { numRuns: Math.ceil(numRuns / 10) },
    );
  });
});

/** What no decision may ever do, by what it was made from. */
function faultsOf({ claim, workloads, pods, unread }: Observation, { actions, status }: ClaimDecision): string[] {
  const faults: string[] = [];
  if (unread.length > 0 && actions.length > 0) faults.push('acted without knowing what is there');
  const ready = workloads[0]?.ready ?? 0;
  for (const action of actions) {
    if (action.kind === 'finalizer') faults.push('the finalizer is there already');
    if (action.kind !== 'pod') continue;
    const target = pods.find(({ uid }) => uid === action.uid);
    const isGone = workloads.every(
      (each) => each.replicas === 0 && each.observed === 0 && each.observedGeneration === each.generation,
    );
    if (claim.spec.state !== 'Sleeping') faults.push(`${action.name} is removed from a claim that is to run`);
    if (target?.part !== 'synced') faults.push(`${action.name} was not synced`);
    if (!isGone || pods.some(({ part }) => part === 'control-plane')) faults.push('the control plane is not gone');
    if (action.namespace !== claim.spec.namespace) faults.push('not in its namespace');
  }
  if (status?.phase === 'Running' && ready === 0) faults.push('shown as running while nothing is ready');
  if (status?.phase === 'Running' && claim.status?.phase !== 'Running' && ready < claim.spec.replicas)
    faults.push('waking ended before all were ready');
  if (status?.phase === 'Asleep' && pods.length > 0) faults.push('asleep with pods');
  return faults;
}

/**
 * Nothing comes to be shown as asleep before a quiet period has passed without any pod. What is shown as asleep already
 * stays so until something is seen to run: what ran only while nothing was heard of pods left no trace.
 */
function falseRest(
  { now, lastAlive }: Simulation,
  { claim, aliveAt = 0 }: Observation,
  { status }: ClaimDecision,
): string[] {
  const alive = claim.status?.phase === 'Asleep' ? aliveAt : lastAlive;
  return status?.phase === 'Asleep' && now - alive < 19_000 ? ['asleep too early'] : [];
}
