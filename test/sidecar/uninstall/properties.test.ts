import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installation as definition } from '../../../constructs/crds/installation.ts';
import { belongs, keyOf } from '../../../src/sidecar/uninstall/belongs.ts';
import { decideUninstall } from '../../../src/sidecar/uninstall/decide.ts';
import { isConcluded } from '../../../src/sidecar/uninstall/report.ts';
import { isStaying } from '../../../src/sidecar/uninstall/staying.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { runs } from '../../support/runs.ts';
import { type Case, customers, mayEnd, randomCase } from './random-case.ts';
import { now as start } from './seen.ts';
import { Simulation } from './simulator.ts';

const numRuns = runs(40);
const seconds = Number(process.env.QUIESCE_SECONDS ?? 50);
/** What the plan allows, and what time is left to say so. */
const longest = 600_000 + 120_000;

interface Run {
  readonly simulation: Simulation;
  readonly faults: readonly string[];
}

/** To its end. */
function run({ plan, objects, faults, script }: Case): Run {
  const simulation = new Simulation(plan, objects, { faults, script });
  const found: string[] = [];
  while (simulation.now < start + longest && !isConcluded(plan, simulation.status)) {
    const observation = simulation.observe();
    const decision = decideUninstall(plan, observation, simulation.now);
    const again = decideUninstall(plan, structuredClone(observation), simulation.now);
    if (JSON.stringify(again) !== JSON.stringify(decision)) found.push('the same look led to something else');
    found.push(
      ...valueFaults(definition.status as WrittenSchema, structuredClone(decision.status) as never, 'status').map(
        (fault) => `status: ${fault}`,
      ),
    );
    if (observation.unread.length > 0 && decision.actions.length > 0) found.push('acted without knowing what is there');
    simulation.act(decision);
    if (decision.wakeAt === undefined && decision.actions.length === 0) found.push('nothing follows');
    const pause = decision.actions.length > 0 ? 50 : Math.max(50, (decision.wakeAt ?? 0) - simulation.now);
    if (pause > 30_000) found.push(`slept for ${pause} ms`);
    simulation.advance(simulation.now + pause);
  }
  return { simulation, faults: found };
}

describe('an uninstall of anything, whatever happens', () => {
  it('ends with nothing left but what is to stay, or names what is in the way; nothing of a customer goes', () => {
    fc.assert(
      fc.property(randomCase, (of) => {
        const { simulation, faults } = run(of);
        const { status, left, plan } = simulation;
        expect(faults).toEqual([]);
        const gone = customers(of).filter(({ uid }) => !left.some((each) => each.uid === uid));
        expect(gone.map(({ uid }) => uid)).toEqual([]);
        expect(unorderedDeletions(simulation)).toEqual([]);
        expect(deletedThoughTaken(simulation)).toEqual([]);
        expect(silences(simulation)).toEqual([]);
        expect(repeatedHooks(simulation)).toEqual([]);
        expect(simulation.untold).toEqual([]);
        if (mayEnd(of)) expect([status?.phase, status?.blockers]).toEqual(['Deleted', undefined]);
        if (status?.phase === 'Deleted') {
          const told = new Set((status.leftovers ?? []).map(keyOf));
          const untold = left.filter(
            (object) =>
              plan.components.some((component) => belongs(plan, component, object)) && !told.has(keyOf(object)),
          );
          expect(untold.map(({ uid }) => uid)).toEqual([]);
          const removable = left.filter((object) =>
            plan.components.some(
              (component) =>
                belongs(plan, component, object) && object.kind !== 'Namespace' && !isStaying(plan, component, object),
            ),
          );
          expect(removable.map(({ uid }) => uid)).toEqual([]);
        } else {
          expect(status?.phase).toBe('DeleteError');
          expect(status?.lastError?.code).toBe('timeout');
          expect(status?.blockers?.length).toBeGreaterThan(0);
        }
      }),
      { numRuns, interruptAfterTimeLimit: seconds * 1000 },
    );
  });
});

/** Asked to go while something of a component that needs it was still there. */
function unorderedDeletions({ asked, plan }: Simulation): string[] {
  if (plan.strategy === 'Quick') return [];
  return asked.flatMap(({ object, left }) => {
    const own = plan.components.find((component) => belongs(plan, component, object));
    if (own === undefined || object.kind === 'Namespace') return [];
    const dependents = plan.components.filter(({ name }) => own.after.includes(name));
    const early = left.filter((other) =>
      dependents.some(
        (component) =>
          belongs(plan, component, other) && other.kind !== 'Namespace' && !isStaying(plan, component, other),
      ),
    );
    return early.map((other) => `${object.uid} before ${other.uid}`);
  });
}

/** Longer than 30 s without a sign of life, refused writes aside. */
function silences({ writes, now }: Simulation): string[] {
  return writes.flatMap((at, index) => {
    const next = writes[index + 1];
    return next !== undefined && next - at > 200_000 ? [`${next - at} ms from ${at - start} of ${now - start}`] : [];
  });
}

function deletedThoughTaken({ asked, taken }: Simulation): string[] {
  return asked.flatMap(({ object }) =>
    taken.has(object.uid) && object.labels['quiesce.dev/component'] === undefined ? [object.uid] : [],
  );
}

function repeatedHooks({ started }: Simulation): string[] {
  return started.filter((each, index) => started.indexOf(each) !== index);
}
