import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';
import { ago, answered, block, budget, draining, key, node, now, pod, shownBlockers } from './observed.ts';

const silent = { ready: { status: 'Unknown', since: ago(300) } } as const;
const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'load', uid: 'load' };
const hook = ['example.com/hold'];
const volume = 'kubernetes.io/csi/disk.example.com^7';
const one = [pod('p')];

type Row = readonly [string, Partial<Observation>, string, string, boolean, string];

const rows: readonly Row[] = [
  [
    'a budget that is used up',
    { pods: one, budgets: [budget('web', {})] },
    'pdb-budget',
    'workload-owner',
    false,
    'a/p waits for PodDisruptionBudget "web": it needs 3 healthy pods and has 3.',
  ],
  [
    'a budget of pods that are ill',
    { pods: [pod('p', { ready: false })], budgets: [budget('web', { currentHealthy: 1 })] },
    'pdb-unhealthy',
    'workload-owner',
    false,
    'a/p is not ready, and too few others are for PodDisruptionBudget "web": it needs 3 healthy pods and has 1. With "unhealthyPodEvictionPolicy: AlwaysAllow" it could go.',
  ],
  [
    'a budget that never allows it',
    { pods: one, budgets: [budget('web', { desiredHealthy: 4 }, { maxUnavailable: 0 })] },
    'pdb-never',
    'workload-owner',
    true,
    'PodDisruptionBudget "web" never lets a/p go: of 4 pods 4 have to be healthy.',
  ],
  [
    'two budgets',
    { pods: one, budgets: [budget('web', {}), budget('all', {}, { selector: {} })] },
    'pdb-several',
    'workload-owner',
    true,
    'a/p is in 2 PodDisruptionBudgets, "all" and "web": the eviction API refuses such a pod for ever.',
  ],
  [
    'a budget that nobody has looked at',
    { pods: one, budgets: [budget('web', undefined)] },
    'pdb-unobserved',
    'operators',
    false,
    'a/p waits until the disruption controller has worked out PodDisruptionBudget "web".',
  ],
  [
    'a budget that cannot be worked out',
    { pods: one, budgets: [budget('web', { reason: 'SyncFailed', message: 'no scale' })] },
    'pdb-sync-failed',
    'workload-owner',
    true,
    'PodDisruptionBudget "web" lets nobody go, since its controller cannot work it out: "no scale". a/p waits for it.',
  ],
  [
    'a pod that does not end',
    { pods: [pod('p', { deletionAt: ago(31) })] },
    'stuck-terminating',
    'operators',
    false,
    'a/p has not ended although its grace period is over: restart the node. Deleting it by force could corrupt its data.',
  ],
  [
    'a finalizer',
    { pods: [pod('p', { deletionAt: ago(31), finalizers: hook })] },
    'finalizer',
    'controller',
    false,
    'a/p has ended, but its finalizer "example.com/hold" holds it.',
  ],
  [
    'a finalizer of somebody who is gone',
    { pods: [pod('p', { finalizers: hook, owner: job })], owners: [{ ...job, namespace: 'a', missing: true }] },
    'finalizer',
    'workload-owner',
    true,
    'a/p has the finalizer "example.com/hold", and its Job load is gone: remove the finalizer.',
  ],
  [
    'no permission',
    { pods: one, answers: { 'uid-p': answered({ kind: 'forbidden', text: 'no\u001b[31m' }, 1) } },
    'forbidden',
    'operators',
    false,
    'Evicting a/p is forbidden: "no\\u001b[31m".',
  ],
  [
    'a budget without sense',
    { pods: one, answers: { 'uid-p': answered({ kind: 'budgetRefuses', text: 'negative' }, 1) } },
    'pdb-refused',
    'operators',
    false,
    'Evicting a/p is refused by its budget: "negative".',
  ],
  [
    'a budget that we do not see',
    { pods: one, answers: { 'uid-p': answered({ kind: 'blockedByBudget', budget: 'new' }, 1, 2) } },
    'pdb-budget',
    'workload-owner',
    false,
    'a/p waits for PodDisruptionBudget "new".',
  ],
  [
    'two budgets that we do not see',
    { pods: one, answers: { 'uid-p': answered({ kind: 'misconfigured' }, 1) } },
    'pdb-several',
    'workload-owner',
    true,
    'a/p is in more than one PodDisruptionBudget.',
  ],
  [
    'a namespace that is deleted',
    { pods: one, answers: { 'uid-p': answered({ kind: 'namespaceTerminating' }, 1, 2) } },
    'namespace-terminating',
    'operators',
    false,
    'Namespace a is being deleted, which refuses evictions: a/p goes when that deletes it.',
  ],
  [
    'a server that fails',
    { pods: one, answers: { 'uid-p': answered({ kind: 'serverError', status: 500, text: 'etcd' }, 1, 2) } },
    'server-error',
    'operators',
    false,
    'Evicting a/p fails (HTTP 500): "etcd".',
  ],
  [
    'a server that is not there',
    { pods: one, answers: { 'uid-p': answered({ kind: 'serverError', status: 0, text: 'reset' }, 1, 2) } },
    'server-error',
    'operators',
    false,
    'Evicting a/p fails (no answer): "reset".',
  ],
  [
    'a server with too much to do',
    { pods: one, answers: { 'uid-p': answered({ kind: 'slowDown', retryAfterSeconds: 5 }, 1, 3) } },
    'slow-down',
    'operators',
    false,
    'The API server has too much to do to evict pods.',
  ],
  [
    'a pod past the scheduler',
    { pods: [pod('p', { createdAt: now })], nodes: [draining('n1', {}, 120)] },
    'bound-anyway',
    'workload-owner',
    false,
    'a/p was put on this node after its taint: something sets spec.nodeName past the scheduler.',
  ],
  [
    'a volume',
    {
      nodes: [draining('n1', { volumesInUse: [volume] })],
      volumes: [{ name: volume, persistentVolume: 'pv-7', claim: { namespace: 'a', name: 'data' } }],
    },
    'volume',
    'operators',
    false,
    'Volume "pv-7" of PersistentVolumeClaim a/data is still in use on node n1: its driver has to unmount it.',
  ],
  [
    'a volume of which nothing is known',
    { nodes: [draining('n1', { volumesInUse: [volume] })] },
    'volume',
    'operators',
    false,
    'Volume "kubernetes.io/csi/disk.example.com^7" is still in use on node n1: its driver has to unmount it.',
  ],
  [
    'a node that nobody hears of',
    { nodes: [draining('n1', silent)], pods: [pod('p', { deletionAt: ago(300) })] },
    'node-unreachable',
    'operators',
    false,
    "Nobody hears of node n1, so it confirms no pod's end: bring it back or restart it.",
  ],
  [
    'a node that is not ready',
    { nodes: [node('n1', { ready: { status: 'False', since: ago(300) } })] },
    'node-not-ready',
    'operators',
    false,
    'Node n1 is not ready.',
  ],
  ['no node', { nodes: [] }, 'node-missing', 'operators', false, 'No node has the address 10.0.0.1.'],
  [
    'two nodes of one address',
    { nodes: [draining('n1'), node('n9', { addresses: ['10.0.0.1'], createdAt: 0 })], pods: one },
    'address-shared',
    'operators',
    false,
    'Node n9 has the address 10.0.0.1, too, and is left alone; n1 is taken.',
  ],
  [
    'a node that cannot be written',
    { nodes: [node('n1')], refusals: { n1: { status: 403, text: 'webhook', at: ago(1), attempts: 3 } } },
    'node-refused',
    'operators',
    false,
    'Node n1 cannot be written (HTTP 403): "webhook".',
  ],
  [
    'a taint of the applier',
    { blocks: [block({ taintedBy: 'applier' })], nodes: [{ ...draining('n1'), taints: [] }] },
    'taint-missing',
    'applier',
    false,
    `The applier has not put the taint ${key}:NoSchedule on node n1 yet.`,
  ],
  [
    'what could not be read',
    { pods: one, unread: ['PodDisruptionBudget', 'Pod', 'Owner'] },
    'unread',
    'operators',
    false,
    'No pod is evicted until these can be read: Pod, PodDisruptionBudget.',
  ],
];

describe('what is in the way', () => {
  it.each(rows)('%s', (_, differs, code, who, permanent, message) => {
    const [blocker, ...others] = shownBlockers(differs);
    expect(others).toEqual([]);
    expect(blocker).toMatchObject({ code, who, message });
    expect(blocker?.permanent ?? false).toBe(permanent);
  });

  it('has the numbers of the budget', () => {
    expect(
      shownBlockers({ pods: one, budgets: [budget('web', { disruptionsAllowed: -1, currentHealthy: 2 })] })[0],
    ).toMatchObject({
      pod: { namespace: 'a', name: 'p' },
      pdb: { namespace: 'a', name: 'web', disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 3 },
    });
  });
});
