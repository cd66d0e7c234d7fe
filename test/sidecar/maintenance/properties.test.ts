import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maintenanceBlock } from '../../../constructs/crds/maintenance-block.ts';
import type { SimulatedCluster } from '../../../src/rehearsal/simulate/cluster.ts';
import type { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import type { Witness } from '../../../src/rehearsal/simulate/state.ts';
import type { Decision } from '../../../src/sidecar/maintenance/action.ts';
import { decideMaintenance } from '../../../src/sidecar/maintenance/decide.ts';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';
import type { BlockStatus } from '../../../src/sidecar/maintenance/status.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { runs } from '../../support/runs.ts';
import { drive } from './drive.ts';
import { grown } from './grown.ts';
import { foreignOf, meddler, meddlings, undo } from './meddling.ts';
import { budgetDeadlines, budgetFaults, faultsOf, pacingFaults, type Removal, silenceFaults } from './oracle.ts';
import { randomCluster, start } from './random-cluster.ts';

const numRuns = runs(60);

const dice = fc.array(fc.nat(4), { minLength: 20, maxLength: 200 });

/** Long enough for every node to overrun its deadline, one after the other. */
function end({ nodes, blocks }: SimulatedCluster): number {
  const longest = Math.max(...blocks.map(({ spec }) => spec.deadlineSeconds));
  return start + (nodes.length * longest + 300) * 1000;
}

function phases(simulation: Simulation): string[] {
  const { statuses } = decideMaintenance(simulation.now, simulation.observe());
  return statuses
    .flatMap(({ status }) => (status.nodes ?? []).map(({ address, phase }) => `${address} ${phase}`))
    .sort();
}

describe('a drain of any cluster', () => {
  it('keeps its order, foreign taints, budgets and pauses, and ends or says why not', () => {
    fc.assert(
      fc.property(randomCluster, (cluster) => {
        const removals: Removal[] = [];
        const witness: Witness = ({ at, what, pod }, { budgets }) => {
          if (what === 'removed-by-taint') removals.push({ at, pod, budgets: budgets.all() });
        };
        const simulation = grown(cluster, witness);
        const [isTooSoon, isSilent] = [pacingFaults(), silenceFaults()];
        const faults: string[] = [];
        const onPass = (observation: Observation, decision: Decision, now: number) => {
          faults.push(...faultsOf(observation, decision), ...isTooSoon(decision, now));
          faults.push(...isSilent(observation, decision, now));
        };
        drive(simulation, { until: end(cluster), onPass });
        faults.push(...budgetFaults(removals, budgetDeadlines(cluster, simulation.observe())));
        expect(faults).toEqual([]);
        expect(phases(simulation).filter((phase) => !phase.endsWith('InMaintenance'))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('keeps what is not ours while others write, and its order on whatever it sees', () => {
    const deeds = meddlings(
      'addTaint',
      'removeTaint',
      'removeOurs',
      'touch',
      'moveDeadline',
      'ignoreBudgets',
      'cordon',
    );
    fc.assert(
      fc.property(randomCluster, deeds, (cluster, all) => {
        const simulation = grown(cluster);
        const faults: string[] = [];
        const onPass = (observation: Observation, decision: Decision) =>
          faults.push(...faultsOf(observation, decision));
        drive(simulation, { until: end(cluster), onPass, meanwhile: meddler(all) });
        expect(faults).toEqual([]);
        expect(phases(simulation).filter((phase) => !phase.endsWith('InMaintenance'))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('leaves nothing behind, however its blocks go', () => {
    fc.assert(
      fc.property(
        randomCluster,
        meddlings('removeOurs', 'touch', 'cordon'),
        fc.nat(60),
        fc.boolean(),
        (cluster, all, passes, isEdited) => {
          const simulation = grown(cluster);
          const before = foreignOf(simulation);
          let pass = 0;
          const until = {
            until: end(cluster),
            onPass: () => {
              pass += 1;
            },
            meanwhile: meddler(all),
            stops: () => pass > passes,
          };
          drive(simulation, until);
          for (const { name, spec } of simulation.observe().blocks) {
            simulation.editBlock(name, isEdited ? { ...spec, nodes: [] } : undefined);
          }
          drive(simulation, { until: simulation.now + 60_000 });
          expect(foreignOf(simulation)).toEqual(before);
          expect(phases(simulation)).toEqual([]);
        },
      ),
      { numRuns },
    );
  });

  it('harms nothing of others on a view that is old, and still ends', () => {
    fc.assert(
      fc.property(randomCluster, meddlings('addTaint', 'removeTaint', 'touch'), dice, (cluster, all, lags) => {
        const simulation = grown(cluster);
        const before = foreignOf(simulation);
        const throws = [...lags];
        drive(simulation, { until: end(cluster), meanwhile: meddler(all), lags: () => (throws.pop() ?? 0) > 2 });
        expect(phases(simulation).filter((phase) => !phase.endsWith('InMaintenance'))).toEqual([]);
        for (const { name } of simulation.observe().blocks) simulation.editBlock(name, undefined);
        drive(simulation, { until: simulation.now + 60_000 });
        undo(simulation);
        expect(foreignOf(simulation)).toEqual(before);
      }),
      { numRuns },
    );
  });

  it('keeps its order and ends while its clock jumps to and fro', () => {
    fc.assert(
      fc.property(randomCluster.map(withoutReturns), dice, (cluster, all) => {
        const simulation = grown(cluster);
        const faults: string[] = [];
        const onPass = (observation: Observation, decision: Decision) =>
          faults.push(...faultsOf(observation, decision));
        const jumps = [...all];
        let clockError = 0;
        const jump = () => {
          const die = jumps.pop();
          if (die === 0) clockError += 3_600_000;
          if (die === 1) clockError -= 3_600_000;
          return clockError;
        };
        drive(simulation, { until: end(cluster) + 10 * 300_000, onPass, clockError: jump });
        expect(faults).toEqual([]);
        const { statuses } = decideMaintenance(simulation.now + clockError, simulation.observe());
        expect(
          statuses.flatMap(({ status }) => (status.nodes ?? []).filter(({ phase }) => phase !== 'InMaintenance')),
        ).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('comes to the same end when the process dies again and again', () => {
    fc.assert(
      fc.property(randomCluster, dice, (cluster, deaths) => {
        const [whole, broken] = [grown(cluster), grown(cluster)];
        drive(whole, { until: end(cluster) });
        const throws = [...deaths];
        const onPass = (observation: Observation, decision: Decision) =>
          faults.push(...faultsOf(observation, decision));
        const faults: string[] = [];
        drive(broken, { until: end(cluster), dies: () => throws.pop() === 0, onPass });
        expect(faults).toEqual([]);
        expect(foreignOf(broken)).toEqual(withTimesOf(foreignOf(whole), foreignOf(broken)));
        expect(phases(broken)).toEqual(phases(whole));
      }),
      { numRuns },
    );
  });

  it('decides by what it is told alone: the order of a list, JSON and the clock of a process make no difference', () => {
    fc.assert(
      fc.property(randomCluster, fc.nat(), (cluster, seed) => {
        const simulation = grown(cluster);
        const onPass = (observation: Observation, decision: Decision, now: number) => {
          const told = JSON.parse(JSON.stringify(shuffled(observation, seed)));
          expect(decideMaintenance(now, told)).toEqual(decision);
          expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
          expect(decision.statuses.flatMap(({ status }) => statusFaults(status))).toEqual([]);
        };
        drive(simulation, { until: end(cluster), onPass });
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
});

/**
 * Without pods that may come back: whether one has is told by its creation, which the API server dates, and a sidecar
 * whose clock is an hour off takes it for one that has. It is left to the taint then, and its budget counts all the same.
 */
function withoutReturns(cluster: SimulatedCluster): SimulatedCluster {
  return {
    ...cluster,
    pods: cluster.pods.filter(({ pod }) => pod.labels.profile !== 'scheduling'),
    workloads: cluster.workloads.filter(({ kind, template }) => {
      return kind === 'DaemonSet' || template.labels.profile !== 'scheduling';
    }),
  };
}

/** What the API server would say of a status. */
function statusFaults(status: BlockStatus): string[] {
  return valueFaults(maintenanceBlock.status as WrittenSchema, JSON.parse(JSON.stringify(status)));
}

function shuffled(observation: Observation, seed: number): Observation {
  const lists = ['blocks', 'nodes', 'pods', 'budgets', 'owners', 'volumes', 'csiDrivers'] as const;
  const turned = lists.map((name) => {
    const list = observation[name];
    const at = list.length === 0 ? 0 : seed % list.length;
    return [name, [...list.slice(at), ...list.slice(0, at)].reverse()] as const;
  });
  return { ...observation, ...Object.fromEntries(turned) };
}

/** The instants may differ by what a new start takes, and with them what came first, end or deadline; nothing else. */
function withTimesOf(nodes: unknown, times: unknown): unknown {
  const instant = /"quiesce\.dev\/maintenance-(?:drain-started|entered|entered-by)":"[^"]*"/g;
  const found = JSON.stringify(times).match(instant) ?? [];
  let index = 0;
  return JSON.parse(JSON.stringify(nodes).replace(instant, (own) => found[index++] ?? own));
}
