import type { Observation, ObservedBlock, ObservedPod } from '../../sidecar/maintenance/observation.ts';
import { compareNamed } from '../../sidecar/maintenance/order.ts';
import { Agenda } from './agenda.ts';
import { BudgetBook } from './budget-book.ts';
import type { PodTemplate, SimulatedCluster, SimulatedNode, Workload } from './cluster.ts';
import { dueByTaint } from './taint-manager.ts';
import { addUsage, noUsage, takesUp, type Usage } from './usage.ts';

/** What happened to a pod. */
export interface Happening {
  readonly at: number;
  readonly what: 'evicted' | 'removed-by-taint' | 'gone' | 'made';
  readonly pod: ObservedPod;
}

/** Told right before it happens, with the cluster as it is then. */
export type Witness = (happening: Happening, state: SimulatedState) => void;

export interface RunningPod {
  readonly pod: ObservedPod;
  readonly template: PodTemplate;
  readonly workload?: Workload;
  readonly readyAt: number;
  readonly goneAt?: number;
  /** When a taint removes it. */
  readonly dueAt: number;
}

/** With its place in the cluster's list. */
interface RankedWorkload {
  readonly workload: Workload;
  readonly rank: number;
}

/** Still mounted after its pod is gone. */
interface HeldVolume {
  readonly name: string;
  readonly freeAt: number;
}

type Memory = Pick<Observation, 'answers' | 'refusals'>;

const nothingRemembered: Memory = { answers: {}, refusals: {} };
const never = Number.POSITIVE_INFINITY;
const noPods: ReadonlyMap<string, RunningPod> = new Map();

/**
 * What etcd and the kubelets know. Objects are replaced, never changed, so what was observed stays as it was; who has
 * something to do because of a change is noted with it, so that nobody has to look at everything.
 */
export class SimulatedState {
  now: number;
  readonly cluster: SimulatedCluster;
  readonly nodes: Map<string, SimulatedNode>;
  readonly blocks: Map<string, ObservedBlock>;
  readonly pods = new Map<string, RunningPod>();
  readonly agenda = new Agenda<{ readonly pod: string } | { readonly node: string }>();
  readonly budgets: BudgetBook;
  /** By UID. */
  readonly workloads: ReadonlyMap<string, RankedWorkload>;
  readonly daemons: readonly RankedWorkload[];
  /** Without a node, in the order in which they came. */
  readonly queue = new Map<string, RunningPod>();
  /** Pods that the scheduler may have driven out for others so far, by UID. */
  readonly threatened = new Map<string, ObservedPod>();
  /** Workloads, by UID, whose pods have changed. */
  readonly stirred = new Set<string>();
  /** Nodes on which DaemonSets may have something to do. */
  readonly touched = new Set<string>();
  /** Nodes whose mounts have changed. */
  readonly remounted = new Set<string>();
  /** Pods that keep others away. */
  readonly repelling = new Map<string, RunningPod>();
  /** How many pods have been made. */
  made = 0;
  /** Somebody waiting in the queue may find room now. */
  hasRoomChanged = true;
  readonly #witness: Witness;
  readonly #onNode = new Map<string, Map<string, RunningPod>>();
  /** By name of the node; absent: something has changed since. Whoever is told sorts them, which is less work so. */
  readonly #inOrder = new Map<string, readonly ObservedPod[]>();
  readonly #ofWorkload = new Map<string, Map<string, RunningPod>>();
  readonly #byName = new Map<string, string>();
  readonly #byNameTemplates = new Map<string, PodTemplate>();
  readonly #usage = new Map<string, Usage>();
  readonly #executingSince = new Map<string, number>();
  readonly #heldVolumes = new Map<string, readonly HeldVolume[]>();
  #serial = 0;

  constructor(cluster: SimulatedCluster, witness: Witness) {
    this.cluster = cluster;
    this.now = cluster.now;
    this.#witness = witness;
    this.nodes = new Map(cluster.nodes.map((node) => [node.name, node]));
    this.blocks = new Map(cluster.blocks.map((block) => [block.name, block]));
    const ranked = cluster.workloads.map((workload, rank) => ({ workload, rank }));
    this.workloads = new Map(ranked.map((each) => [each.workload.uid, each]));
    this.daemons = ranked.filter(({ workload }) => workload.replaces === 'on-each-node');
    this.budgets = new BudgetBook(cluster.budgets, (owner) => this.workloads.get(owner)?.workload.scale);
    for (const { name, taints } of cluster.nodes) {
      this.touched.add(name);
      if (taints.some(({ effect }) => effect === 'NoExecute')) this.#executingSince.set(name, this.now);
    }
    for (const { uid } of cluster.workloads) this.stirred.add(uid);
    for (const { pod, template, workload: uid } of cluster.pods) {
      const workload = uid === undefined ? undefined : this.workloads.get(uid)?.workload;
      this.put(found(this.now, pod, template, workload));
    }
    for (const node of cluster.nodes) this.#holdUnclaimed(node);
  }

  observe({ answers, refusals }: Memory = nothingRemembered, among?: ReadonlySet<string>): Observation {
    const { priorityClasses, terminatingNamespaces, csiDrivers, owners, volumes, unread } = this.cluster;
    const nodes = [...this.nodes.values()].filter(({ name }) => among?.has(name) !== false);
    const pods = nodes.flatMap(({ name }) => this.#inOrderOn(name));
    return {
      blocks: [...this.blocks.values()],
      nodes,
      pods,
      budgets: this.budgets.all(),
      priorityClasses,
      csiDrivers,
      terminatingNamespaces,
      owners,
      volumes,
      answers,
      refusals,
      unread,
    };
  }

  #inOrderOn(node: string): readonly ObservedPod[] {
    const known = this.#inOrder.get(node);
    if (known !== undefined) return known;
    const pods = Array.from(this.on(node).values(), ({ pod }) => pod).sort(compareNamed);
    this.#inOrder.set(node, pods);
    return pods;
  }

  on(node: string): ReadonlyMap<string, RunningPod> {
    return this.#onNode.get(node) ?? noPods;
  }

  of({ uid }: Workload): ReadonlyMap<string, RunningPod> {
    return this.#ofWorkload.get(uid) ?? noPods;
  }

  named(namespace: string, name: string): RunningPod | undefined {
    return this.pods.get(this.#byName.get(`${namespace}/${name}`) ?? '');
  }

  usage(node: string): Usage {
    const known = this.#usage.get(node) ?? noUsage();
    this.#usage.set(node, known);
    return known;
  }

  /** What has a name of its own comes back with its own volumes. */
  templateFor({ namespace, template }: Workload, name: string): PodTemplate {
    return this.#byNameTemplates.get(`${namespace}/${name}`) ?? template;
  }

  serial(): number {
    this.#serial += 1;
    return this.#serial;
  }

  happened(what: Happening['what'], pod: ObservedPod): void {
    this.#witness({ at: this.now, what, pod }, this);
  }

  /** A pod as it is from now on, new or changed. */
  put(pod: Omit<RunningPod, 'dueAt'>): void {
    const before = this.pods.get(pod.pod.uid);
    if (before !== undefined) this.#drop(before);
    const { node, uid, namespace, name } = pod.pod;
    const running = { ...pod, dueAt: this.#dueAt(pod.pod) };
    this.pods.set(uid, running);
    this.#byName.set(`${namespace}/${name}`, uid);
    this.#note(running);
    entry(this.#onNode, node).set(uid, running);
    this.#inOrder.delete(node);
    this.budgets.set(pod.pod);
    if (node === '') this.#await(running);
    else if (takesUp(pod.pod)) addUsage(this.usage(node), pod.template, 1);
    if (node !== '' && node !== before?.pod.node && pod.pod.volumes.length > 0) this.remounted.add(node);
    for (const at of [pod.pod.ready ? never : pod.readyAt, pod.goneAt ?? never, running.dueAt]) {
      this.agenda.add(Math.max(at, this.now), { pod: uid });
    }
  }

  /** Its kubelet ends it, unless nobody hears of that. */
  terminate(running: RunningPod): void {
    const { pod, template } = running;
    if (pod.deletionAt !== undefined) return;
    const deletionAt = this.now + pod.graceSeconds * 1000;
    const goneAt = this.now + this.#secondsToEnd(pod, template) * 1000;
    this.put({ ...running, pod: { ...pod, deletionAt, ready: false }, goneAt });
  }

  remove(running: RunningPod): void {
    const { pod } = running;
    this.happened('gone', pod);
    this.#drop(running);
    this.pods.delete(pod.uid);
    const key = `${pod.namespace}/${pod.name}`;
    if (this.#byName.get(key) === pod.uid) this.#byName.delete(key);
    this.budgets.delete(pod);
    if (running.workload !== undefined) this.stirred.add(running.workload.uid);
    if (pod.node !== '') this.touched.add(pod.node);
    this.hasRoomChanged = true;
    this.#hold(pod.node, pod.volumes);
  }

  writeNode(name: string, edit: Partial<SimulatedNode>): void {
    const node = this.nodes.get(name);
    if (node === undefined) return;
    this.nodes.set(name, { ...node, ...edit, resourceVersion: `${this.serial()}` });
    const concernsPods = Object.keys(edit).some((field) => field !== 'annotations' && field !== 'volumesInUse');
    if (!concernsPods) return;
    this.touched.add(name);
    this.hasRoomChanged = true;
    if (edit.taints === undefined) return;
    if (!edit.taints.some(({ effect }) => effect === 'NoExecute')) this.#executingSince.delete(name);
    else if (!this.#executingSince.has(name)) this.#executingSince.set(name, this.now);
    for (const running of [...this.on(name).values()]) this.put(running);
  }

  /** What a node has mounted for its pods, and has not let go of. */
  volumesInUse(node: string): string[] {
    const held = (this.#heldVolumes.get(node) ?? []).filter(({ freeAt }) => freeAt > this.now);
    this.#heldVolumes.set(node, held);
    const mounted = [...this.on(node).values()].flatMap(({ pod }) => pod.volumes);
    return [...new Set([...mounted, ...held.map(({ name }) => name)])].sort();
  }

  /** Whether something on the agenda is still to come as it was noted. */
  isDue(at: number, item: { readonly pod: string } | { readonly node: string }): boolean {
    if ('node' in item) return (this.#heldVolumes.get(item.node) ?? []).some(({ freeAt }) => freeAt === at);
    const running = this.pods.get(item.pod);
    if (running === undefined) return false;
    const { pod, readyAt, goneAt, dueAt } = running;
    return (goneAt ?? never) <= at || dueAt <= at || (isStarting(pod) && readyAt <= at);
  }

  #note(running: RunningPod): void {
    const { pod, template, workload } = running;
    if (template.placement.podAntiAffinity !== undefined) this.repelling.set(pod.uid, running);
    if (workload === undefined) return;
    entry(this.#ofWorkload, workload.uid).set(pod.uid, running);
    this.stirred.add(workload.uid);
    const keepsName = workload.replaces === 'by-name' || workload.replaces === 'in-order';
    if (keepsName) this.#byNameTemplates.set(`${pod.namespace}/${pod.name}`, template);
  }

  #await(running: RunningPod): void {
    this.queue.set(running.pod.uid, running);
    this.hasRoomChanged = true;
  }

  #drop({ pod, template, workload }: RunningPod): void {
    this.queue.delete(pod.uid);
    this.repelling.delete(pod.uid);
    this.#onNode.get(pod.node)?.delete(pod.uid);
    this.#inOrder.delete(pod.node);
    if (workload !== undefined) this.#ofWorkload.get(workload.uid)?.delete(pod.uid);
    if (pod.node !== '' && takesUp(pod)) addUsage(this.usage(pod.node), template, -1);
  }

  #dueAt(pod: ObservedPod): number {
    return dueByTaint(pod, this.nodes.get(pod.node), this.#executingSince.get(pod.node));
  }

  #secondsToEnd(pod: ObservedPod, template: PodTemplate): number {
    if (pod.node === '') return 0;
    if (this.nodes.get(pod.node)?.ready?.status === 'Unknown') return never;
    const { stopSeconds, cleanUpSeconds, finalizerSeconds } = template;
    const ends = Number.isFinite(stopSeconds) ? Math.min(stopSeconds, pod.graceSeconds) : never;
    return ends + cleanUpSeconds + (pod.finalizers.length > 0 ? finalizerSeconds : 0);
  }

  #hold(node: string, volumes: readonly string[]): void {
    if (volumes.length === 0) return;
    const freeAt = this.now + (this.nodes.get(node)?.unmountSeconds ?? 0) * 1000;
    const held = this.#heldVolumes.get(node) ?? [];
    this.#heldVolumes.set(node, [...held, ...volumes.map((name) => ({ name, freeAt }))]);
    this.remounted.add(node);
    this.agenda.add(freeAt, { node });
  }

  /** In use at the beginning, and no pod's that is known: on its way out. */
  #holdUnclaimed({ name, volumesInUse }: SimulatedNode): void {
    const mounted = new Set(this.volumesInUse(name));
    this.#hold(
      name,
      volumesInUse.filter((volume) => !mounted.has(volume)),
    );
  }
}

/** As it is found at the beginning: one that terminates already goes on with that. */
function found(
  now: number,
  pod: ObservedPod,
  template: PodTemplate,
  workload: Workload | undefined,
): Omit<RunningPod, 'dueAt'> {
  const running = { pod, template, readyAt: now + template.startSeconds * 1000, ...(workload && { workload }) };
  if (pod.deletionAt === undefined) return running;
  const seconds = Math.min(template.stopSeconds, Math.max(0, pod.deletionAt - now) / 1000);
  const finalizer = pod.finalizers.length > 0 ? template.finalizerSeconds : 0;
  return { ...running, goneAt: now + (seconds + template.cleanUpSeconds + finalizer) * 1000 };
}

/** It is on its way to be ready. */
export function isStarting({ node, phase, ready, deletionAt }: ObservedPod): boolean {
  return node !== '' && !ready && deletionAt === undefined && (phase === 'Pending' || phase === 'Running');
}

function entry<T>(map: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = map.get(key) ?? new Map<string, T>();
  map.set(key, known);
  return known;
}
