import fc from 'fast-check';
import type { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import type { BlockSpec, Taint } from '../../../src/sidecar/maintenance/observation.ts';
import { key } from './random-cluster.ts';

/** What others do while a drain goes on, by the pass before which they do it. */
export interface Meddling {
  readonly pass: number;
  readonly node: number;
  readonly what: keyof typeof deeds;
}

const foreign: Taint = { key: 'example.com/disk', value: 'slow', effect: 'NoSchedule' };

const deeds = {
  addTaint: (simulation, node) => {
    const taints = taintsOf(simulation, node);
    if (!taints.some((taint) => taint.key === foreign.key)) simulation.editNode(node, { taints: [foreign, ...taints] });
  },
  removeTaint: (simulation, node) => {
    simulation.editNode(node, { taints: taintsOf(simulation, node).filter((taint) => taint.key !== foreign.key) });
  },
  removeOurs: (simulation, node) => {
    const ours = (
      simulation.nodes().find(({ name }) => name === node)?.annotations['quiesce.dev/maintenance-owns'] ?? ''
    ).split(',');
    simulation.editNode(node, {
      taints: taintsOf(simulation, node).filter((taint) => !ours.includes(`${taint.key}:${taint.effect}`)),
    });
  },
  touch: (simulation, node) => simulation.editNode(node, {}),
  moveDeadline: (simulation) =>
    editBlocks(simulation, (spec) => ({ ...spec, deadlineSeconds: spec.deadlineSeconds / 2 + 20 })),
  ignoreBudgets: (simulation) => editBlocks(simulation, (spec) => ({ ...spec, ignorePdb: !spec.ignorePdb })),
  cordon: (simulation) => editBlocks(simulation, (spec) => ({ ...spec, cordon: spec.cordon !== true })),
} as const satisfies Record<string, (simulation: Simulation, node: string) => void>;

function taintsOf(simulation: Simulation, node: string): readonly Taint[] {
  return simulation.nodes().find(({ name }) => name === node)?.taints ?? [];
}

function editBlocks(simulation: Simulation, edit: (spec: BlockSpec) => BlockSpec): void {
  for (const { name, spec } of simulation.observe().blocks) simulation.editBlock(name, edit(spec));
}

export function meddlings(...what: readonly (keyof typeof deeds)[]): fc.Arbitrary<readonly Meddling[]> {
  return fc.array(
    fc.record({ pass: fc.nat(20), node: fc.integer({ min: 1, max: 5 }), what: fc.constantFrom(...what) }),
    { maxLength: 8 },
  );
}

/** For `drive`: does what is due, and nothing twice. */
export function meddler(all: readonly Meddling[]): (simulation: Simulation) => void {
  // Their taints are not there at the beginning; whoever compares takes them away again.
  let pass = 0;
  return (simulation) => {
    for (const each of all.filter((one) => one.pass === pass)) deeds[each.what](simulation, `n${each.node}`);
    pass += 1;
  };
}

/** What is on a node that is not ours: this has to be left when we are gone. */
export function foreignOf(simulation: Simulation): unknown {
  return simulation.nodes().map(({ name, taints, unschedulable, annotations }) => ({
    name,
    taints,
    unschedulable,
    annotations,
    hasKey: taints.some((taint) => taint.key === key),
  }));
}

/** Takes back what the deeds have added for good. */
export function undo(simulation: Simulation): void {
  for (const { name } of simulation.nodes()) deeds.removeTaint(simulation, name);
}
