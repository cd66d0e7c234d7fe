import type { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import type { PowerAction } from '../../../src/sidecar/shutdown/action.ts';
import type { ObservedPowerJob, ShutdownObservation, ShutdownSpec } from '../../../src/sidecar/shutdown/observation.ts';
import type { ShutdownStatus } from '../../../src/sidecar/shutdown/status.ts';
import { decideNodes } from '../../../src/sidecar/shutdown/together.ts';
import { declared, hook } from './observed.ts';

/** What was turned over, and what was on the machine then. */
export interface Turned {
  readonly what: string;
  readonly podsLeft: number;
}

/** The loop of the sidecar for a whole cluster, on a simulated one. Every power Job succeeds. */
export class Course {
  readonly turned: Turned[] = [];
  /** Nodes in the order in which they began to drain, or came out of maintenance. */
  readonly moved: string[] = [];
  readonly #simulation: Simulation;
  #jobs: readonly ObservedPowerJob[] = [];
  #status: ShutdownStatus | undefined;
  #generation = 0;
  #spec: ShutdownSpec = {
    cluster: 'metal',
    action: 'None',
    backupAcknowledged: true,
    nodes: declared,
    powerHook: hook,
  };

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** What is left of every order. */
  get jobs(): readonly ObservedPowerJob[] {
    return this.#jobs;
  }

  get status(): ShutdownStatus | undefined {
    return this.#status;
  }

  /** As git asks for it. `dies` is asked before each action: the process may end there, and starts anew. */
  run(action: ShutdownSpec['action'], dies: () => boolean = () => false): void {
    this.#spec = { ...this.#spec, action };
    this.#generation += 1;
    for (let pass = 0; pass < 2000; pass++) {
      const [actions, requeueAt] = this.#pass(dies);
      const simulation = this.#simulation;
      const next = [requeueAt, simulation.nextAt()].filter((instant) => instant !== undefined);
      if (actions > 0) simulation.advance(simulation.now + 100);
      else if (next.length === 0) return;
      else simulation.advance(Math.min(...next));
      if (['Off', 'Done'].includes(this.#status?.phase ?? '') && actions === 0) return;
      if (this.#status?.blockers?.some(({ code }) => code === 'etcd-quorum') && actions === 0) return;
    }
    throw new Error('The course does not end.');
  }

  #pass(dies: () => boolean): [number, number | undefined] {
    const simulation = this.#simulation;
    const { now } = simulation;
    const cluster = simulation.observe();
    const shutdowns = [this.#observe(cluster.nodes)];
    const decision = decideNodes(now, { maintenance: cluster, shutdowns });
    const actions = [...decision.maintenance.actions, ...decision.shutdowns.flatMap((each) => each.actions)];
    for (const action of actions) {
      if (dies()) return [1, undefined];
      if (action.kind === 'node') {
        if (simulation.patchNode(action) === 200 && (action.why === 'start' || action.why === 'leave')) {
          this.moved.push(`${action.why} ${action.node}`);
        }
      } else if (action.kind === 'evict') simulation.evict(action);
      else if (action.kind === 'power') this.#turn(action);
      else if (action.kind === 'forget') this.#jobs = this.#jobs.filter(({ name }) => name !== action.job);
      else if ('shutdown' in action) this.#status = action.status;
    }
    return [actions.length, decision.requeueAt];
  }

  #observe(nodes: ShutdownObservation['nodes']): ShutdownObservation {
    const up = (name: string) => nodes.some((node) => node.name === name && node.ready?.status === 'True');
    return {
      shutdown: {
        name: 'metal',
        uid: 'shutdown-uid',
        generation: this.#generation,
        spec: this.#spec,
        ...(this.#status !== undefined && { status: this.#status }),
      },
      nodes,
      etcd: ['n1', 'n2', 'n3'].map((node) => ({
        pod: `etcd-${node}`,
        node,
        isRunning: up(node),
        isLeader: node === 'n2',
      })),
      jobs: this.#jobs,
      refusals: {},
      blocks: [],
      drains: [],
      unread: [],
    };
  }

  #turn({ job, node, address, power, generation }: PowerAction): void {
    const { now } = this.#simulation;
    const pods = this.#simulation.observe().pods.filter((pod) => pod.node === node && !pod.mirror);
    this.turned.push({ what: `${power} ${node}`, podsLeft: pods.length });
    this.turnByHand(node, power === 'On');
    this.#jobs = [
      ...this.#jobs,
      { name: job, uid: `uid-${job}`, address, power, generation, state: 'Complete', startedAt: now, finishedAt: now },
    ];
  }

  turnByHand(node: string, isOn: boolean): void {
    this.#simulation.editNode(node, { ready: { status: isOn ? 'True' : 'Unknown', since: this.#simulation.now } });
  }
}
