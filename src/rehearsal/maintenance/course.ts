import type { Action, Decision } from '../../sidecar/maintenance/action.ts';
import { decideMaintenance } from '../../sidecar/maintenance/decide.ts';
import { recordOf } from '../../sidecar/maintenance/record.ts';
import { select } from '../../sidecar/maintenance/selection.ts';
import type { Pace } from '../pace.ts';
import { carryOut, type Memory } from '../simulate/carry-out.ts';
import type { SimulatedCluster } from '../simulate/cluster.ts';
import { Simulation } from '../simulate/simulation.ts';
import { type CourseRecord, openRecord } from './record.ts';

/** As many pods are asked to leave in one pass as the sidecar asks. */
const evictions = 250;

/** The sidecar sees what it did a moment later. */
const reaction = 100;

/** So often it is looked at what is in the way: what matters is there for a minute at least, or when a deadline passes. */
function looksEvery({ blocks }: SimulatedCluster): number {
  const deadlines = blocks.map(({ spec: { deadlineSeconds } }) => deadlineSeconds * 1000);
  return Math.min(5000, ...deadlines.map((deadline) => deadline / 20));
}

/** The sidecar's loop on a simulated cluster, until everything has come to rest. */
export function runCourse(scene: SimulatedCluster, pace: Pace): CourseRecord {
  const concerns = concernsOf(scene);
  const memory: Memory = { answers: {}, refusals: {} };
  const record = openRecord(scene);
  const simulation = new Simulation(scene, {
    among: concerns.all,
    witness: (happening, state) => {
      if (happening.what === 'gone') delete memory.answers[happening.pod.uid];
      record.witness(happening, state);
    },
  });
  const horizon = scene.now + horizonOf(scene, concerns.all.size);
  const stepAfter = coarseness(pace, simulation.observe().pods.length);
  const lookEvery = looksEvery(scene);
  let lookedAt = Number.NEGATIVE_INFINITY;
  for (let pass = 0; simulation.now < horizon; pass += 1) {
    const { now } = simulation;
    const isLook = now - lookedAt >= lookEvery;
    if (isLook) lookedAt = now;
    const shownBlockers = isLook ? Number.POSITIVE_INFINITY : 0;
    const decision = decideMaintenance(now, simulation.observe(memory), { evictions, shownBlockers });
    record.pass(now, decision, { simulation, isLook });
    const actions = decision.actions.filter(isDeed);
    for (const action of actions) carryOut(simulation, action, memory, now);
    const next = actions.length > 0 ? now + reaction : nextPass(simulation, decision, concerns);
    if (next === undefined) break;
    simulation.advance(Math.min(horizon, Math.max(next, now + stepAfter(pass))));
  }
  return record.end(simulation, { isCutOff: !isAtRest(simulation, concerns) });
}

/** What is shown only tells since when something has been in the way: everything is decided alike without it. */
function isDeed({ kind }: Action): boolean {
  return kind !== 'status';
}

interface Concerns {
  /** Names of nodes: what is selected or was, and those that report one address. Others do not matter to the decider. */
  readonly all: ReadonlySet<string>;
  readonly held: readonly string[];
  readonly leaving: readonly string[];
}

function concernsOf({ blocks, nodes }: SimulatedCluster): Concerns {
  const selection = select({ blocks, nodes });
  const held = [...selection.held.keys()];
  const leaving = selection.leaving.map(({ node }) => node.name);
  const others = [...selection.selected.values()].flat().flatMap((each) => each.others);
  return { all: new Set([...held, ...leaving, ...others.map(({ name }) => name)]), held, leaving };
}

/** Undefined: nothing happens any more but the telling of the time. */
function nextPass(simulation: Simulation, { requeueAt }: Decision, concerns: Concerns): number | undefined {
  const happens = simulation.nextAt();
  if (happens === undefined && isAtRest(simulation, concerns)) return undefined;
  const instants = [requeueAt, happens].filter((instant) => instant !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** Every node is in maintenance, or has nothing of ours any more. */
function isAtRest(simulation: Simulation, { held, leaving }: Concerns): boolean {
  const recordAt = (name: string) => {
    const node = simulation.node(name);
    return node && recordOf(node);
  };
  return (
    leaving.every((name) => recordAt(name) === undefined) && held.every((name) => recordAt(name)?.entered !== undefined)
  );
}

/** What a pass costs goes by the pods that it looks at: of so many of them together, every moment is seen. */
const seenExactly = 60_000;

/**
 * In milliseconds, by the number of the pass: a long course of many pods is followed less closely, but more often than a pod
 * takes to move at that pace. The latest least of all: what is seen too late there makes it later still, which is no promise
 * broken.
 */
function coarseness(pace: Pace, pods: number): (pass: number) => number {
  const crowd = Math.max(1, pods / 500);
  const exact = seenExactly / Math.max(1, pods) / (pace === 'soonest' ? 1 : crowd);
  const step = pace === 'soonest' ? 1000 * Math.max(1, pods / 1000) : 5000 * crowd;
  return (pass) => {
    if (pass < exact) return 0;
    return pass < exact + 500 ? step : 10 * step;
  };
}

/** Each turn takes its deadline at most; then pods end, and others start. */
function horizonOf({ blocks, pods }: SimulatedCluster, nodes: number): number {
  const turns = blocks.map(({ spec: { maxConcurrent = 0, deadlineSeconds } }) => {
    return deadlineSeconds * (maxConcurrent === 0 ? 1 : Math.ceil(nodes / maxConcurrent));
  });
  const grace = pods.reduce((longest, { pod }) => Math.max(longest, pod.graceSeconds), 0);
  return (Math.max(0, ...turns) + grace + 300) * 1000;
}
