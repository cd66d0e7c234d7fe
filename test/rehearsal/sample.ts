import type {
  Placement,
  Snapshot,
  SnapshotController,
  SnapshotNode,
  SnapshotPod,
} from '../../src/rehearsal/snapshot.ts';
import type { BlockSpec, ObservedBudget } from '../../src/sidecar/maintenance/observation.ts';

export const takenAt = Date.parse('2026-03-01T08:00:00Z');
const hour = 3_600_000;
export const key = 'baremetal.cluster.gke.io/maintenance';
const gibibyte = 2 ** 30;

/** `n7` has the address 10.0.0.7. */
export function node(index: number, differs: Partial<SnapshotNode> = {}): SnapshotNode {
  return {
    name: `n${index}`,
    uid: `node-${index}`,
    resourceVersion: '7',
    createdAt: takenAt - 24 * hour,
    addresses: [addressOf(index)],
    taints: [],
    unschedulable: false,
    annotations: {},
    ready: { status: 'True', since: takenAt - hour },
    volumesInUse: [],
    csiDrivers: ['disk.example.com'],
    labels: { 'kubernetes.io/hostname': `n${index}`, zone: index % 2 === 0 ? 'even' : 'odd' },
    allocatable: { cpu: 16_000, memory: 64 * gibibyte, pods: 110 },
    ...differs,
  };
}

export function addressOf(index: number): string {
  return `10.0.${Math.floor(index / 250)}.${index % 250}`;
}

export function pod(name: string, on: number | '', differs: Partial<SnapshotPod> = {}): SnapshotPod {
  return {
    namespace: 'shop',
    name,
    uid: `pod-${differs.namespace ?? 'shop'}-${name}`,
    node: on === '' ? '' : `n${on}`,
    createdAt: takenAt - 2 * hour,
    labels: { app: 'web' },
    phase: on === '' ? 'Pending' : 'Running',
    ready: on !== '',
    mirror: false,
    graceSeconds: 30,
    finalizers: [],
    tolerations: [],
    claims: [],
    registersPlugins: false,
    placement: asking(100, 0.25),
    startedInSeconds: 10,
    ...differs,
  };
}

/** Thousandths of a CPU, and gibibytes. */
export function asking(cpu: number, gibibytes: number, more: Partial<Placement> = {}): Placement {
  return { requests: { cpu, memory: gibibytes * gibibyte }, ...more };
}

export function controller(kind: string, name: string, replicas: number, namespace = 'shop'): SnapshotController {
  return { apiVersion: 'apps/v1', kind, namespace, name, uid: `${kind}-${namespace}-${name}`, replicas };
}

/** So many pods of a controller, on these nodes in turn. */
export function podsOf(
  { apiVersion, kind, namespace, name, uid, replicas = 0 }: SnapshotController,
  on: readonly (number | '')[],
  differs: Partial<SnapshotPod> = {},
): SnapshotPod[] {
  const count = kind === 'DaemonSet' ? on.length : replicas;
  return Array.from({ length: count }, (_, index) =>
    pod(`${name}-${index}`, on[index % on.length] ?? '', {
      namespace,
      labels: { app: name },
      owner: { apiVersion, kind, name, uid },
      ...differs,
    }),
  );
}

export function budget(app: string, limit: Partial<ObservedBudget>, namespace = 'shop'): ObservedBudget {
  return { namespace, name: app, generation: 1, selector: { matchLabels: { app } }, ...limit };
}

export function snapshot(differs: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    takenBy: '0.1.0',
    takenAt,
    tookMs: 500,
    cluster: { name: 'main', uid: 'c0ffee', serverVersion: 'v1.35.4' },
    nodes: [node(1), node(2), node(3)],
    pods: [],
    controllers: [],
    budgets: [],
    priorityClasses: { low: 10, high: 1000 },
    csiDrivers: ['disk.example.com'],
    volumes: [],
    namespaces: [{ name: 'shop', terminating: false }],
    kinds: [],
    unserved: [],
    objects: [],
    releases: [],
    claims: [],
    installations: [],
    claimWorkloads: [],
    unread: [],
    ...differs,
  };
}

/** The block of config `metal` on nodes of these numbers. */
export function block(nodes: readonly number[], differs: Partial<BlockSpec> = {}) {
  const spec: BlockSpec = {
    config: 'metal',
    nodes: nodes.map((index) => ({
      address: addressOf(index),
      pool: 'general',
      role: 'worker',
      taints: [
        { key, effect: 'NoSchedule' },
        { key, effect: 'NoExecute' },
      ],
    })),
    deadlineSeconds: 1200,
    ignorePdb: false,
    profile: '1.29',
    ...differs,
  };
  return { name: 'metal', spec };
}
