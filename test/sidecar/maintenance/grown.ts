import type { SimulatedCluster } from '../../../src/rehearsal/simulate/cluster.ts';
import { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import type { Witness } from '../../../src/rehearsal/simulate/state.ts';

const hour = 3_600_000;

/** The cluster when its controllers have long done their work: its pods are an hour old, and ready if they ever are. */
export function grown(cluster: SimulatedCluster, witness: Witness = () => {}): Simulation {
  const simulation = new Simulation({ ...cluster, now: cluster.now - hour }, { witness });
  simulation.advance(cluster.now);
  return simulation;
}
