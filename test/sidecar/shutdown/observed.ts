import type { ObservedNode } from '../../../src/sidecar/maintenance/observation.ts';
import type { ObservedPowerJob, ShutdownObservation, ShutdownSpec } from '../../../src/sidecar/shutdown/observation.ts';
import type { ShutdownStatus } from '../../../src/sidecar/shutdown/status.ts';
import { ago, instant, key, node } from '../maintenance/observed.ts';

/** Three control-plane nodes (the second leads etcd), one load balancer, three workers. */
export const declared: NonNullable<ShutdownSpec['nodes']> = [
  { address: '10.0.0.7', role: 'worker' },
  { address: '10.0.0.5', role: 'worker' },
  { address: '10.0.0.6', role: 'worker' },
  { address: '10.0.0.4', role: 'load-balancer' },
  { address: '10.0.0.1', role: 'control-plane' },
  { address: '10.0.0.2', role: 'control-plane' },
  { address: '10.0.0.3', role: 'control-plane' },
];

/** Two of the clusters that this one hosts. */
export const running = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'VClusterClaim', name: 'u', standing: 'Running' };
export const resting = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'VClusterClaim', name: 'v' };

export const hook = { name: 'ipmi', image: 'example.com/ipmi:1', timeoutSeconds: 120 };

const silent = { ready: { status: 'Unknown', since: ago(100) } } as const;

/** By number: as it was, drained on our behalf, or that and without power. */
type Machine = 'up' | 'draining' | 'drained' | 'off';

function machine(index: number, is: Machine): ObservedNode {
  const name = `n${index}`;
  if (is === 'up') return node(name);
  return node(name, {
    ...(is === 'off' && silent),
    annotations: {
      'quiesce.dev/maintenance-block': 'shutdown/metal',
      'quiesce.dev/maintenance-owns': `${key}:NoSchedule`,
      'quiesce.dev/maintenance-node-uid': `uid-${name}`,
      'quiesce.dev/maintenance-drain-started': instant(ago(60)),
      ...(is !== 'draining' && {
        'quiesce.dev/maintenance-entered': instant(ago(30)),
        'quiesce.dev/maintenance-entered-by': 'drained',
      }),
    },
  });
}

export interface Differs extends Partial<Omit<ShutdownObservation, 'shutdown'>> {
  readonly spec?: Partial<ShutdownSpec>;
  readonly status?: ShutdownStatus;
  readonly deletedAt?: number;
  /** Numbers of the machines that are not as they were. */
  readonly machines?: Readonly<Partial<Record<Exclude<Machine, 'up'>, readonly number[]>>>;
}

export function observed({
  spec,
  status,
  deletedAt,
  machines = {},
  drains = [],
  ...differs
}: Differs = {}): ShutdownObservation {
  const stateOf = (index: number): Machine =>
    (['draining', 'drained', 'off'] as const).find((is) => machines[is]?.includes(index)) ?? 'up';
  return {
    shutdown: {
      name: 'metal',
      uid: 'shutdown-uid',
      generation: 2,
      spec: { cluster: 'metal', action: 'Shutdown', backupAcknowledged: true, nodes: declared, ...spec },
      ...(status !== undefined && { status }),
      ...(deletedAt !== undefined && { deletedAt }),
    },
    nodes: [1, 2, 3, 4, 5, 6, 7].map((index) => machine(index, stateOf(index))),
    etcd: [1, 2, 3].map((index) => ({
      pod: `etcd-n${index}`,
      node: `n${index}`,
      isRunning: stateOf(index) !== 'off',
      isLeader: index === 2,
    })),
    jobs: [],
    refusals: {},
    blocks: [],
    drains: everyone.map(
      (index) =>
        drains.find(({ node }) => node === `n${index}`) ?? {
          address: `10.0.0.${index}`,
          node: `n${index}`,
          phase: 'InMaintenance',
          podsLeft: 0,
        },
    ),
    unread: [],
    ...differs,
  };
}

export function powerJob(
  index: number,
  state: ObservedPowerJob['state'],
  differs: Partial<ObservedPowerJob> = {},
): ObservedPowerJob {
  return {
    name: `job-${index}`,
    uid: `uid-job-${index}`,
    address: `10.0.0.${index}`,
    power: 'Off',
    generation: 2,
    state,
    startedAt: ago(60),
    ...differs,
  };
}

export const everyone = [1, 2, 3, 4, 5, 6, 7] as const;
