import { describe, expect, it } from 'vitest';
import { decideShutdown } from '../../../src/sidecar/shutdown/decide.ts';
import type { ShutdownStatus } from '../../../src/sidecar/shutdown/status.ts';
import { ago, instant, node, now } from '../maintenance/observed.ts';
import { statusOf, withHook } from './decided.ts';
import { type Differs, declared, everyone, hook, observed, powerJob, resting, running } from './observed.ts';

describe('the order', () => {
  const order = (differs: Differs) =>
    (statusOf(differs).powerOffOrder ?? []).map(({ node: name, address, etcd }) => [name ?? address, etcd ?? '']);

  it('is as declared, workers to control plane, the etcd leader last', () => {
    expect(order({})).toEqual([
      ['n7', ''],
      ['n5', ''],
      ['n6', ''],
      ['n4', ''],
      ['n1', 'Follower'],
      ['n3', 'Follower'],
      ['n2', 'Leader'],
    ]);
  });

  it('begins with nodes that nobody declared, unless they run etcd', () => {
    const spec = { nodes: declared.filter(({ address }) => address !== '10.0.0.6' && address !== '10.0.0.2') };
    expect(order({ spec }).map(([name]) => name)).toEqual(['n6', 'n7', 'n5', 'n4', 'n1', 'n3', 'n2']);
  });

  it('goes by what the cluster has, where nothing is declared', () => {
    expect(order({ spec: { nodes: [] } }).map(([name]) => name)).toEqual(['n4', 'n5', 'n6', 'n7', 'n1', 'n3', 'n2']);
  });

  it('has machines without a node in it, and each machine once', () => {
    const spec = {
      nodes: [
        ...declared,
        { address: '10.0.0.99', role: 'worker' as const },
        { address: '10.0.0.7', role: 'worker' as const },
      ],
    };
    expect(order({ spec }).map(([name]) => name)).toEqual(['n7', 'n5', 'n6', '10.0.0.99', 'n4', 'n1', 'n3', 'n2']);
  });
});

describe('the gates', () => {
  const closed = (differs: Differs) =>
    (statusOf(differs).gates ?? []).filter(({ open }) => !open).map(({ name, message }) => [name, message]);
  const unready = observed().nodes.map((each) =>
    each.name === 'n5' ? node('n5', { ready: { status: 'False', since: 0 } }) : each,
  );

  it.each<[string, Differs, readonly (readonly [string, string])[]]>([
    ['are open', {}, []],
    ['nodes', { nodes: unready }, [['nodes-ready', 'Not ready: n5.']]],
    [
      'many nodes',
      { nodes: [] },
      [['nodes-ready', 'Not ready: 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5 and 2 more.']],
    ],
    ['etcd', { etcd: [{ pod: 'etcd-n1', node: 'n1', isRunning: false }] }, [['etcd-running', 'Not running: etcd-n1.']]],
    ['no etcd', { etcd: [] }, [['etcd-running', 'No Pod with the label component=etcd was found.']]],
    ['what is not known', { unread: ['Pod', 'Node'] }, [['etcd-running', 'These could not be read: Pod, Node.']]],
    [
      'backup',
      { spec: { backupAcknowledged: false } },
      [['backup-acknowledged', 'Nobody has said that there is a backup: set spec.backupAcknowledged in git.']],
    ],
    [
      'user clusters',
      { userClusters: { clusters: [running, resting], unread: [] } },
      [['user-clusters-down', 'Still running: u (Running).']],
    ],
    [
      'user clusters that nobody could list',
      { userClusters: { clusters: [resting], unread: ['Cluster', 'NodePool'] } },
      [['user-clusters-down', 'These could not be read: Cluster, NodePool.']],
    ],
    ['not user clusters that are down', { userClusters: { clusters: [resting], unread: [] } }, []],
    [
      'not nodes once it has begun',
      {
        machines: { draining: [5] },
        nodes: [...unready.slice(0, 6), ...observed({ machines: { draining: [7] } }).nodes.slice(6)],
      },
      [],
    ],
    ['not etcd that has been turned off', { machines: { off: [1], drained: [2, 3, 4, 5, 6, 7] } }, []],
  ])('%s', (_, differs, expected) => expect(closed(differs)).toEqual(expected));

  it('are not asked of user clusters where there are none', () => {
    const names = (userClusters: Differs['userClusters']) =>
      (statusOf(userClusters === undefined ? {} : { userClusters }).gates ?? []).map(({ name }) => name);
    expect(names({ clusters: [], unread: [] })).toEqual(['nodes-ready', 'etcd-running', 'backup-acknowledged']);
    expect(names(undefined)).not.toContain('user-clusters-down');
    expect(names({ clusters: [resting], unread: [] })).toContain('user-clusters-down');
  });

  it('name each user cluster that runs as a blocker, with who has to act', () => {
    const { blockers, waitingFor, phase } = statusOf({ userClusters: { clusters: [running, resting], unread: [] } });
    expect([phase, waitingFor]).toEqual(['Waiting', 'user-clusters-down']);
    expect(blockers?.map(({ code, who, object }) => [code, who, object])).toEqual([
      ['user-cluster-up', 'workload-owner', { apiVersion: 'quiesce.dev/v1alpha1', kind: 'VClusterClaim', name: 'u' }],
    ]);
  });

  it('say since when', () => {
    const before: ShutdownStatus = {
      gates: [
        { name: 'nodes-ready', open: false, since: instant(ago(90)) },
        { name: 'backup-acknowledged', open: false, since: instant(ago(90)) },
      ],
    };
    const { gates = [] } = statusOf({ status: before, spec: { backupAcknowledged: false } });
    expect(gates.map(({ name, since }) => [name, since])).toEqual([
      ['nodes-ready', instant(now)],
      ['etcd-running', instant(now)],
      ['backup-acknowledged', instant(ago(90))],
    ]);
  });
});

describe('the phase', () => {
  const restart = { action: 'Restart' } as const;
  it.each<[string, Differs, string, number, string | undefined]>([
    ['nothing asked for', { spec: { action: 'None' }, machines: { drained: [5] } }, 'Idle', 0, undefined],
    ['a gate is closed', { spec: { backupAcknowledged: false } }, 'Waiting', 7, 'backup-acknowledged'],
    ['workers leave', { machines: { drained: [5], draining: [6, 7] } }, 'Draining', 6, undefined],
    ['all are drained', { machines: { drained: everyone } }, 'PoweringOff', 7, 'power-by-hand'],
    ['some are off', { machines: { drained: [1, 2, 3, 4], off: [5, 6, 7] } }, 'PoweringOff', 4, 'power-by-hand'],
    ['all are off', { machines: { off: everyone } }, 'Off', 0, undefined],
    [
      'the control plane comes back',
      { spec: restart, machines: { drained: [1, 2, 4], off: [3, 5, 6, 7] } },
      'PoweringOn',
      7,
      'power-by-hand',
    ],
    ['nodes leave maintenance', { spec: restart, machines: { drained: [5, 6] } }, 'Leaving', 2, undefined],
    ['a worker is still off', { spec: restart, machines: { off: [6] } }, 'PoweringOn', 1, 'power-by-hand'],
    ['all is as before', { spec: restart }, 'Done', 0, undefined],
    [
      'a hook has failed',
      withHook({ machines: { drained: everyone }, jobs: [powerJob(7, 'Failed')] }),
      'Error',
      7,
      'power-hook-failed',
    ],
  ])('%s', (_, differs, phase, nodesLeft, waitingFor) => {
    const status = statusOf(differs);
    expect([status.phase, status.nodesLeft, status.waitingFor]).toEqual([phase, nodesLeft, waitingFor]);
  });

  it('shows what keeps the drain, as the drain shows it', () => {
    const blockers = [{ code: 'pdb-never' as const, message: 'no', since: instant(ago(50)), permanent: true }];
    const drains = [
      { address: '10.0.0.5', node: 'n5', phase: 'Draining' as const, blockers },
      {
        address: '10.0.0.9',
        node: 'of-others',
        phase: 'Draining' as const,
        blockers: [{ code: 'volume' as const, message: '' }],
      },
    ];
    const status = statusOf({ machines: { draining: [5, 6, 7] }, drains });
    expect([status.waitingFor, status.blockers]).toEqual(['pdb-never', blockers]);
  });
});

describe('what is seen of a machine', () => {
  const restart = { action: 'Restart', powerHook: hook } as const;
  it.each<[Differs, string]>([
    [{}, 'Ready'],
    [{ nodes: [node('n7', { ready: { status: 'False', since: 0 } })] }, 'On'],
    [{ machines: { off: [7] } }, 'Off'],
    [{ nodes: [] }, 'Off'],
    [withHook({ jobs: [powerJob(7, 'Active')] }), 'TurningOff'],
    [withHook({ jobs: [powerJob(7, 'Failed')] }), 'Failed'],
    [withHook({ jobs: [powerJob(7, 'Active')], machines: { off: [7] } }), 'Off'],
    [{ spec: restart, machines: { off: [7] }, jobs: [powerJob(7, 'Active', { power: 'On' })] }, 'TurningOn'],
    [{ spec: restart, jobs: [powerJob(7, 'Active', { power: 'On' })] }, 'Ready'],
    [
      withHook({ jobs: [powerJob(7, 'Failed', { startedAt: ago(90) }), powerJob(7, 'Active', { name: 'newer' })] }),
      'TurningOff',
    ],
  ])('%#: %s', (differs, state) => {
    const { powerOffOrder = [] } = statusOf(differs);
    expect(powerOffOrder.find(({ address }) => address === '10.0.0.7')?.state).toBe(state);
  });
});

describe('conditions', () => {
  it.each<[string, Differs, readonly string[]]>([
    [
      'at rest',
      { spec: { action: 'None' } },
      ['Ready True Idle', 'Reconciling False Idle', 'Stalled False NothingPermanent'],
    ],
    [
      'at a gate',
      { spec: { backupAcknowledged: false } },
      ['Ready False Waiting', 'Reconciling False Waiting', 'Stalled False NothingPermanent'],
    ],
    [
      'on its way',
      { machines: { draining: [5, 6, 7] } },
      ['Ready False Draining', 'Reconciling True Draining', 'Stalled False NothingPermanent'],
    ],
    [
      'after a hook that failed',
      withHook({ machines: { drained: everyone }, jobs: [powerJob(7, 'Failed')] }),
      ['Ready False Error', 'Reconciling False Error', 'Stalled True PowerHookFailed'],
    ],
  ])('%s', (_, differs, expected) => {
    expect(statusOf(differs).conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual(
      expected,
    );
  });
});

describe('a status is written', () => {
  it('when it differs, and while work runs', () => {
    const machines = { drained: [5], draining: [6, 7] };
    const { status, actions, requeueAt } = decideShutdown(now, observed({ machines }));
    expect([actions.map(({ kind }) => kind), requeueAt]).toEqual([['status'], now + 20_000]);
    expect(decideShutdown(now + 19_000, observed({ machines, status })).actions).toEqual([]);
    expect(decideShutdown(now + 20_000, observed({ machines, status })).actions).toHaveLength(1);
  });

  it('with an Event for each phase that begins, and why it waits', () => {
    const events = (differs: Differs) =>
      decideShutdown(now, observed(differs)).actions.flatMap((action) =>
        action.kind === 'status' ? action.events.map(({ type, note }) => `${type}: ${note}`) : [],
      );
    const machines = { draining: [5, 6, 7] };
    expect(events({ machines })).toEqual(['Normal: Nodes go into maintenance, workers first.']);
    expect(events({ machines, status: { phase: 'Draining' } })).toEqual([]);
    expect(events({ spec: { backupAcknowledged: false } })).toEqual([
      'Warning: The shutdown waits for a gate. Nobody has said that there is a backup: set spec.backupAcknowledged in git.',
    ]);
    expect(events({ spec: { action: 'None' } })).toEqual([]);
  });

  it('once, when there is nothing to do', () => {
    const spec = { action: 'None' } as const;
    const { status } = decideShutdown(now, observed({ spec }));
    const again = decideShutdown(now + 86_400_000, observed({ spec, status }));
    expect(again).toEqual({ shutdown: 'metal', actions: [], status });
  });
});
