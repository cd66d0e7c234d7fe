import type { Action, Decision } from '../../../src/sidecar/maintenance/action.ts';
import { decideMaintenance } from '../../../src/sidecar/maintenance/decide.ts';
import type { EvictionAnswer } from '../../../src/sidecar/maintenance/eviction-answer.ts';
import type {
  AnsweredEviction,
  BlockSpec,
  Observation,
  ObservedBlock,
  ObservedBudget,
  ObservedNode,
  ObservedPod,
} from '../../../src/sidecar/maintenance/observation.ts';
import type { Blocker, NodeStatus } from '../../../src/sidecar/maintenance/status.ts';
import { blockSpec, bothTaints, key, start } from './random-cluster.ts';

export { blockSpec, bothTaints, key };

/** Every table is told at this moment. */
export const now = start;
export const ago = (seconds: number): number => now - seconds * 1000;
export const instant = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

export function node(name: string, differs: Partial<ObservedNode> = {}): ObservedNode {
  return {
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    createdAt: ago(86_400),
    addresses: [`10.0.0.${name.slice(1)}`],
    taints: [],
    unschedulable: false,
    annotations: {},
    ready: { status: 'True', since: ago(3600) },
    volumesInUse: [],
    csiDrivers: ['disk.example.com'],
    ...differs,
  };
}

/** As we leave a node when its drain has begun. */
export function draining(name: string, differs: Partial<ObservedNode> = {}, seconds = 60): ObservedNode {
  const { annotations, taints = [], ...rest } = differs;
  return node(name, {
    taints: [...taints, { key, effect: 'NoSchedule' }],
    annotations: {
      'quiesce.dev/maintenance-block': 'metal',
      'quiesce.dev/maintenance-owns': `${key}:NoSchedule`,
      'quiesce.dev/maintenance-node-uid': `uid-${name}`,
      'quiesce.dev/maintenance-drain-started': instant(ago(seconds)),
      ...annotations,
    },
    ...rest,
  });
}

/** As we leave a node when it is in maintenance. */
export function maintained(name: string, differs: Partial<ObservedNode> = {}): ObservedNode {
  const { annotations, ...rest } = differs;
  return draining(name, {
    taints: [],
    ...rest,
    annotations: {
      'quiesce.dev/maintenance-owns': `${key}:NoSchedule,${key}:NoExecute,mark`,
      'quiesce.dev/maintenance-entered': instant(ago(30)),
      'quiesce.dev/maintenance-entered-by': 'drained',
      [key]: 'true',
      ...annotations,
    },
  });
}

export function pod(name: string, differs: Partial<ObservedPod> = {}): ObservedPod {
  return {
    namespace: 'a',
    name,
    uid: `uid-${name}`,
    node: 'n1',
    createdAt: ago(7200),
    labels: { app: 'web' },
    phase: 'Running',
    ready: true,
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web' },
    mirror: false,
    graceSeconds: 30,
    finalizers: [],
    tolerations: [],
    volumes: [],
    registersPlugins: false,
    ...differs,
  };
}

export const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };

type Numbers = Partial<NonNullable<ObservedBudget['status']>>;

export function budget(
  name: string,
  numbers: Numbers | undefined,
  differs: Partial<ObservedBudget> = {},
): ObservedBudget {
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 3,
    desiredHealthy: 3,
    expectedPods: 4,
    ...numbers,
  };
  return {
    namespace: 'a',
    name,
    generation: 1,
    selector: { matchLabels: { app: 'web' } },
    maxUnavailable: 1,
    ...(numbers !== undefined && { status }),
    ...differs,
  };
}

export function block(spec: Partial<BlockSpec> = {}, differs: Partial<ObservedBlock> = {}): ObservedBlock {
  return { name: 'metal', uid: 'block', generation: 3, spec: blockSpec([1], spec), ...differs };
}

export function observed(differs: Partial<Observation> = {}): Observation {
  return {
    blocks: [block()],
    nodes: [draining('n1')],
    pods: [],
    budgets: [],
    priorityClasses: { low: 10, high: 1000 },
    csiDrivers: ['disk.example.com'],
    terminatingNamespaces: [],
    owners: [],
    volumes: [],
    answers: {},
    refusals: {},
    unread: [],
    ...differs,
  };
}

export function answered(answer: EvictionAnswer, seconds: number, attempts = 1): AnsweredEviction {
  return { answer, at: ago(seconds), attempts };
}

export function decided(differs: Partial<Observation> = {}, at = now): Decision {
  return decideMaintenance(at, observed(differs));
}

/** In the order in which they are decided. */
export function evicted(differs: Partial<Observation> = {}, at = now): string[] {
  return decided(differs, at).actions.flatMap((action) => (action.kind === 'evict' ? [action.name] : []));
}

type Changed = Extract<Action, { kind: 'node' }>;

export function changes(differs: Partial<Observation> = {}, at = now): readonly Changed[] {
  return decided(differs, at).actions.flatMap((action) => (action.kind === 'node' ? [action] : []));
}

/** As the status of the first block shows it. */
export function shownNodes(differs: Partial<Observation> = {}, at = now): readonly NodeStatus[] {
  return decided(differs, at).statuses[0]?.status.nodes ?? [];
}

export function shownBlockers(differs: Partial<Observation> = {}, at = now): readonly Blocker[] {
  return shownNodes(differs, at)[0]?.blockers ?? [];
}
