import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import type { Workload } from './cluster.ts';
import { mayRunDaemon } from './fit.ts';
import { isStarting, type RunningPod, type SimulatedState } from './state.ts';
import { takesUp } from './usage.ts';

/** What kubelets and the taint manager have to do by now; false when it was nothing. */
export function dueNow(state: SimulatedState): boolean {
  let isBusy = false;
  for (let next = state.agenda.first(); next !== undefined && next.at <= state.now; next = state.agenda.first()) {
    state.agenda.removeFirst();
    if ('node' in next.item) state.remounted.add(next.item.node);
    else isBusy = livesOn(state, state.pods.get(next.item.pod)) || isBusy;
  }
  mount(state);
  return isBusy;
}

function livesOn(state: SimulatedState, running: RunningPod | undefined): boolean {
  if (running === undefined) return false;
  const { pod, readyAt, goneAt, dueAt } = running;
  if (goneAt !== undefined && goneAt <= state.now) state.remove(running);
  else if (dueAt <= state.now) {
    state.happened('removed-by-taint', pod);
    state.terminate(running);
  } else if (isStarting(pod) && readyAt <= state.now) {
    state.put({ ...running, pod: { ...pod, phase: 'Running', ready: true } });
  } else return false;
  return true;
}

function mount(state: SimulatedState): void {
  const nodes = [...state.remounted].sort();
  state.remounted.clear();
  for (const name of nodes) {
    const before = state.nodes.get(name)?.volumesInUse;
    const volumesInUse = state.volumesInUse(name);
    if (before !== undefined && volumesInUse.join() !== before.join()) state.writeNode(name, { volumesInUse });
  }
}

/** Pods that are missing are made; false when none was. */
export function control(state: SimulatedState): boolean {
  const before = state.made;
  const nodes = [...state.touched];
  const workloads = withSomethingToDo(state);
  state.touched.clear();
  state.stirred.clear();
  for (const workload of workloads) {
    if (workload.replaces === 'on-each-node') for (const node of nodes) runDaemonOn(state, workload, node);
    else replace(state, workload);
  }
  return state.made > before;
}

/** In the order in which the cluster lists them. */
function withSomethingToDo({ touched, stirred, workloads, daemons }: SimulatedState): readonly Workload[] {
  const found = touched.size === 0 ? [] : [...daemons];
  for (const uid of stirred) {
    const ranked = workloads.get(uid);
    if (ranked !== undefined && ranked.workload.replaces !== 'on-each-node') found.push(ranked);
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ workload }) => workload);
}

function runDaemonOn(state: SimulatedState, workload: Workload, name: string): void {
  const node = state.nodes.get(name);
  if (node === undefined || workload.among?.has(name) === false || !mayRunDaemon(workload.template, node)) return;
  for (const running of state.on(name).values()) if (running.workload === workload) return;
  make(state, workload, { name: serialName(state, workload), node: name });
}

function replace(state: SimulatedState, workload: Workload): void {
  const mine = state.of(workload);
  switch (workload.replaces) {
    case 'never':
    case 'on-each-node':
      return;
    case 'once':
      if (state.now > state.cluster.now) return;
      fill(state, workload, mine.size);
      return;
    case 'at-once':
      fill(state, workload, countActive(mine));
      return;
    case 'by-name':
    case 'in-order':
      fillNames(state, workload);
  }
}

function countActive(pods: ReadonlyMap<string, RunningPod>): number {
  let count = 0;
  for (const { pod } of pods.values()) if (pod.deletionAt === undefined && takesUp(pod)) count += 1;
  return count;
}

function fill(state: SimulatedState, workload: Workload, count: number): void {
  for (let made = count; made < workload.replicas; made += 1) {
    make(state, workload, { name: serialName(state, workload), node: '' });
  }
}

/** The name has to be free; in order, those before it have to be ready as well. */
function fillNames(state: SimulatedState, workload: Workload): void {
  const byName = new Map(Array.from(state.of(workload).values(), ({ pod }) => [pod.name, pod]));
  for (let ordinal = 0; ordinal < workload.replicas; ordinal += 1) {
    const name = `${workload.name}-${ordinal}`;
    const pod = byName.get(name);
    if (pod === undefined) make(state, workload, { name, node: '' });
    if (workload.replaces === 'in-order' && pod?.ready !== true) return;
  }
}

/** As no controller makes them, so that it is nobody else's. */
function serialName(state: SimulatedState, { name }: Workload): string {
  return `${name}-new-${state.serial()}`;
}

function make(state: SimulatedState, workload: Workload, { name, node }: { name: string; node: string }): void {
  const { apiVersion, kind, namespace, uid, template: like } = workload;
  const serial = state.serial();
  state.made += 1;
  const template = state.templateFor(workload, name);
  const { labels, tolerations, graceSeconds, finalizers, registersPlugins, priorityClassName, priority } = like;
  const pod: ObservedPod = {
    namespace,
    name,
    uid: `made-${serial}`,
    node,
    createdAt: state.now,
    labels,
    phase: 'Pending',
    ready: false,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(priority !== undefined && { priority }),
    owner: { apiVersion, kind, name: workload.name, uid },
    mirror: false,
    graceSeconds,
    finalizers,
    tolerations,
    volumes: [...template.volumes, ...(template.hasOwnVolume ? [`kubernetes.io/csi/disk.example.com^${serial}`] : [])],
    registersPlugins,
  };
  state.happened('made', pod);
  state.put({ pod, workload, template, readyAt: state.now + template.startSeconds * 1000 });
}
