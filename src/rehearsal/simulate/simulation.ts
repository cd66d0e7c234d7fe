import type { Eviction, NodeChange, StatusWrite } from '../../sidecar/maintenance/action.ts';
import type { Observation, ObservedBlock, ObservedBudget, ObservedPod } from '../../sidecar/maintenance/observation.ts';
import type { SimulatedCluster, SimulatedNode } from './cluster.ts';
import { control, dueNow } from './controllers.ts';
import { type ApiAnswer, evictionAnswer } from './eviction.ts';
import type { Misfit } from './fit.ts';
import { misfits, schedule } from './scheduler.ts';
import { SimulatedState, type Witness } from './state.ts';

interface SimulationOptions {
  /** Names of the nodes that are observed, with what is on them; absent: all. */
  readonly among?: ReadonlySet<string>;
  readonly witness?: Witness;
}

/**
 * A cluster as far as a drain can tell: kubelets, the taint manager, the scheduler, the controllers of workloads and
 * of budgets, and the part of the API server that is spoken to. It has no clock of its own and throws no dice: the same
 * start and the same calls give the same course. Whatever is to be done now is done at once, in a fixed order.
 */
export class Simulation {
  readonly #state: SimulatedState;
  readonly #among: ReadonlySet<string> | undefined;

  constructor(cluster: SimulatedCluster, { among, witness = () => {} }: SimulationOptions = {}) {
    this.#state = new SimulatedState(cluster, witness);
    this.#among = among;
    this.#settle();
  }

  get now(): number {
    return this.#state.now;
  }

  observe(memory?: Pick<Observation, 'answers' | 'refusals'>): Observation {
    return this.#state.observe(memory, this.#among);
  }

  nodes(): readonly SimulatedNode[] {
    return [...this.#state.nodes.values()];
  }

  node(name: string): SimulatedNode | undefined {
    return this.#state.nodes.get(name);
  }

  pods(): readonly ObservedPod[] {
    return [...this.#state.pods.values()].map(({ pod }) => pod);
  }

  /** Pods that no node takes, with why each does not. */
  waiting(): readonly { readonly pod: ObservedPod; readonly misfits: readonly Misfit[] }[] {
    return [...this.#state.queue.values()].map((running) => ({
      pod: running.pod,
      misfits: misfits(this.#state, running),
    }));
  }

  /** Pods that may have been driven out for others of more priority. */
  threatened(): readonly ObservedPod[] {
    return [...this.#state.threatened.values()];
  }

  evict({ namespace, name, uid }: Eviction): ApiAnswer {
    const state = this.#state;
    const running = state.named(namespace, name);
    const { terminatingNamespaces } = state.cluster;
    const budgets: readonly ObservedBudget[] = running === undefined ? [] : state.budgets.of(running.pod);
    const answer = evictionAnswer({ pod: running?.pod, name, uid, cluster: { budgets, terminatingNamespaces } });
    if (running !== undefined && answer.status === 201 && answer.body.status === 'Success') {
      state.happened('evicted', running.pod);
      state.terminate(running);
      this.#settle();
    }
    return answer;
  }

  /** HTTP status. */
  patchNode({ node: name, uid, resourceVersion, taints, unschedulable, annotations }: NodeChange): number {
    const node = this.#state.nodes.get(name);
    if (node === undefined) return 404;
    if (node.uid !== uid || node.resourceVersion !== resourceVersion) return 409;
    const merged = Object.entries({ ...node.annotations, ...annotations }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    this.editNode(name, {
      ...(taints !== undefined && { taints }),
      ...(unschedulable !== undefined && { unschedulable }),
      annotations: Object.fromEntries(merged),
    });
    return 200;
  }

  writeStatus({ block: name, uid, status }: StatusWrite): number {
    const block = this.#state.blocks.get(name);
    if (block === undefined) return 404;
    if (block.uid !== uid) return 409;
    this.#state.blocks.set(name, { ...block, status });
    return 200;
  }

  /** Anybody's write to a node. */
  editNode(name: string, edit: Partial<SimulatedNode>): void {
    this.#state.writeNode(name, edit);
    this.#settle();
  }

  /** A new spec, as the applier writes it; nothing: the block is deleted. */
  editBlock(name: string, spec: ObservedBlock['spec'] | undefined): void {
    const { blocks } = this.#state;
    const block = blocks.get(name);
    if (block === undefined) return;
    if (spec === undefined) blocks.delete(name);
    else blocks.set(name, { ...block, spec, generation: block.generation + 1 });
  }

  /** When something happens next by itself. */
  nextAt(): number | undefined {
    const { agenda } = this.#state;
    for (let next = agenda.first(); next !== undefined; next = agenda.first()) {
      if (next.at > this.now && this.#state.isDue(next.at, next.item)) return next.at;
      agenda.removeFirst();
    }
    return undefined;
  }

  advance(to: number): void {
    for (let next = this.nextAt(); next !== undefined && next <= to; next = this.nextAt()) {
      this.#state.now = next;
      this.#settle();
    }
    this.#state.now = Math.max(this.now, to);
  }

  /** Until nobody has anything to do at this moment. */
  #settle(): void {
    for (let round = 0; round < 1000; round += 1) if (!this.#isBusy()) return;
    throw new Error('The simulated cluster does not come to rest.');
  }

  #isBusy(): boolean {
    return [dueNow(this.#state), control(this.#state), schedule(this.#state)].includes(true);
  }
}
