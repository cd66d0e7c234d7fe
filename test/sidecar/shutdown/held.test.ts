import { describe, expect, it } from 'vitest';
import { shutdownBlock } from '../../../src/sidecar/shutdown/held.ts';
import { ago, block, blockSpec, node } from '../maintenance/observed.ts';
import { type Differs, declared, everyone, observed, resting, running } from './observed.ts';

/** Numbers of the machines that a shutdown holds in maintenance. */
function held(differs: Differs): number[] {
  return shutdownBlock(observed(differs))
    .spec.nodes.map(({ address }) => Number(address.split('.').at(-1)))
    .sort();
}

describe('a shutdown asks for', () => {
  const unready = [node('n7', { ready: { status: 'False', since: ago(5) } }), ...observed().nodes.slice(0, 6)];
  const stopped = observed().etcd.map((member) => ({ ...member, isRunning: false }));
  it.each<[string, Differs, readonly number[]]>([
    ['workers, when every gate is open', {}, [5, 6, 7]],
    ['nobody, while a node is not ready', { nodes: unready }, []],
    ['nobody, while etcd does not run', { etcd: stopped }, []],
    ['nobody, while no etcd is found', { etcd: [] }, []],
    ['nobody, without a backup', { spec: { backupAcknowledged: false } }, []],
    ['nobody, while a user cluster runs', { userClusters: { clusters: [running], unread: [] } }, []],
    ['nobody, while user clusters could not be read', { userClusters: { clusters: [], unread: ['Cluster'] } }, []],
    [
      'no more than it has, when a user cluster comes up again',
      { machines: { drained: [5], draining: [6] }, userClusters: { clusters: [running], unread: [] } },
      [5, 6],
    ],
    ['nobody, while something could not be read', { unread: ['Pod'] }, []],
    ['workers, once user clusters are down', { userClusters: { clusters: [resting], unread: [] } }, [5, 6, 7]],
    [
      'no node with etcd among the workers, whatever was declared',
      { spec: { nodes: declared.map(({ address }) => ({ address, role: 'worker' as const })) } },
      [4, 5, 6, 7],
    ],
    [
      'a worker that was made anew, before anybody else',
      {
        nodes: observed({ machines: { drained: [5, 6, 7] } }).nodes.map((each) =>
          each.name === 'n5' ? { ...each, uid: 'new' } : each,
        ),
      },
      [5, 6, 7],
    ],
    ['workers, until all of them are in maintenance', { machines: { drained: [5, 6], draining: [7] } }, [5, 6, 7]],
    ['everybody after that', { machines: { drained: [5, 6, 7] } }, everyone],
    ['everybody, also when a worker is silent', { machines: { drained: [5, 6], off: [7] } }, everyone],
    [
      'no more of the control plane, while etcd is not whole',
      { machines: { drained: [5, 6, 7], draining: [1] }, etcd: stopped },
      [1, 5, 6, 7],
    ],
    [
      'whom it has, when a node is not ready in the middle',
      {
        nodes: observed({ machines: { draining: [5, 6, 7] } }).nodes.map((each) =>
          each.name === 'n1' ? node('n1', { ready: { status: 'False', since: 0 } }) : each,
        ),
      },
      [5, 6, 7],
    ],
    [
      'no more than it has, when the backup is withdrawn',
      { machines: { drained: [5], draining: [6] }, spec: { backupAcknowledged: false } },
      [5, 6],
    ],
    [
      'no more than it has, while something could not be read',
      { machines: { drained: [5, 6, 7] }, unread: ['Pod'] },
      [5, 6, 7],
    ],
  ])('%s', (_, differs, expected) => expect(held(differs)).toEqual(expected));
});

describe('when nothing is asked for any more', () => {
  it('what is drained stays so, what is half drained is let go', () => {
    expect(held({ spec: { action: 'None' }, machines: { drained: [5, 6], draining: [7] } })).toEqual([5, 6]);
  });

  it('it holds nobody when it is deleted', () => {
    expect(shutdownBlock(observed({ deletedAt: 1, machines: { drained: [5] } })).deletedAt).toBe(1);
  });
});

describe('a restart', () => {
  const restart = { spec: { action: 'Restart' } } as const;
  const stopped = observed().etcd.map((member) => ({ ...member, isRunning: member.node !== 'n3' }));
  it.each<[string, Differs, readonly number[]]>([
    [
      'holds everybody until the control plane is back',
      { machines: { drained: [1, 2, 4], off: [3, 5, 6, 7] } },
      everyone,
    ],
    ['holds everybody until etcd is whole', { machines: { drained: everyone }, etcd: stopped }, everyone],
    [
      'holds everybody while something could not be read',
      { machines: { drained: everyone }, unread: ['Pod'] },
      everyone,
    ],
    ['lets the control plane go first', { machines: { drained: everyone } }, [5, 6, 7]],
    ['then one worker', { machines: { drained: [5, 6, 7] } }, [5, 6]],
    ['one that is ready', { machines: { drained: [5, 6], off: [7] } }, [6, 7]],
    ['then as many again', { machines: { drained: [5, 6] } }, [6]],
    ['until nobody is left', { machines: { drained: [6] } }, []],
    ['keeps whom nobody hears of', { machines: { off: [6] } }, [6]],
  ])('%s', (_, differs, expected) => expect(held({ ...restart, ...differs })).toEqual(expected));
});

describe('how it drains', () => {
  it('is as the source does it, where nobody has said anything', () => {
    expect(shutdownBlock(observed())).toMatchObject({
      name: 'shutdown/metal',
      uid: 'shutdown-uid',
      standsFor: { kind: 'ClusterShutdown', name: 'metal' },
      spec: { deadlineSeconds: 1200, ignorePdb: false, profile: '1.29', taintedBy: 'sidecar' },
    });
  });

  it('is as the most careful of the cluster’s blocks has it', () => {
    const specs = [
      blockSpec([], {
        deadlineSeconds: 60,
        ignorePdb: true,
        profile: '1.28',
        cordon: true,
        csiPodNames: ['b'],
        taintedBy: 'applier',
      }),
      blockSpec([], { deadlineSeconds: 900, csiPodNames: ['a', 'b'] }),
    ];
    const blocks = specs.map((spec, index) => block(spec, { name: `b${index}` }));
    expect(shutdownBlock(observed({ blocks })).spec).toMatchObject({
      deadlineSeconds: 900,
      ignorePdb: false,
      profile: '1.29',
      cordon: true,
      csiPodNames: ['a', 'b'],
      taintedBy: 'sidecar',
    });
    expect(shutdownBlock(observed({ blocks: blocks.slice(0, 1) })).spec).toMatchObject({
      ignorePdb: true,
      profile: '1.28',
    });
  });
});
