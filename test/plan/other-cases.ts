import type { Case } from './cases.ts';
import { claim, component, installation, maintenance, node, part, record, settings } from './facts.ts';

export const otherCases: readonly Case[] = [
  [
    'a setting changes that deserves a second look',
    [settings({ 'images.quiesce': 'q:1' })],
    [settings({ 'images.quiesce': 'q:2' })],
    [
      [
        'settings-changed',
        'Setting images.quiesce changes from q:1 to q:2.',
        'instance-wide: the programs that watch over everything are replaced',
      ],
    ],
  ],
  [
    'settings that come and go',
    [settings({ 'ingress.tls': 'true' })],
    [settings({ 'maintenance.cordon': 'true' })],
    [
      ['settings-changed', 'Setting ingress.tls is no longer set (it was true).'],
      ['settings-changed', 'Setting maintenance.cordon is now true.'],
    ],
  ],
  ['the first settings there are', [], [settings({ name: 'a' })], []],
  [
    'other manifests in a component',
    [installation(), component('web')],
    [installation(), component('web', { digest: 'd2' })],
    [['component-changed', 'Component web of shop on west gets other manifests.']],
  ],
  [
    'a policy changes',
    [settings({ 'policy.rules.data.dangers.0': 'data-lost' })],
    [settings({})],
    [
      [
        'settings-changed',
        'Setting policy.rules.data.dangers.0 is no longer set (it was data-lost).',
        'guard-changed: what needs an approval changes; the rules from before still hold for this change',
      ],
    ],
  ],
  [
    'a quick removal',
    [installation()],
    [installation({ strategy: 'Quick' })],
    [
      [
        'removal-changed',
        'Installation shop on west is to be uninstalled quickly, not in order.',
        'left-behind: quick: finalizers are dropped, so what they guard outside of the cluster is left behind',
      ],
    ],
  ],
  [
    'an uninstall that is quick',
    [installation({ strategy: 'Quick' })],
    [installation({ strategy: 'Quick', state: 'Deleted' })],
    [
      [
        'installation-deleted',
        'Installation shop on west is ordered to be uninstalled: 2 components, those that others need last.',
        'data-lost: everything it installed is deleted, and volumes with it where the component says so',
        'left-behind: quick: finalizers are dropped, so what they guard outside of the cluster is left behind',
      ],
    ],
  ],
  [
    'an ordered removal again',
    [installation({ strategy: 'Quick' })],
    [installation()],
    [['removal-changed', 'Installation shop on west is to be uninstalled in order again.']],
  ],
  [
    'hooks of a component: one more, one in another way, one less, one in place of the removal',
    [
      installation(),
      component('db', { hooks: { 'preDelete final': 'dump:1, at most 60 s', 'postDelete tell': 'mail:1' } }),
    ],
    [
      installation(),
      component('db', { hooks: { 'preDelete final': 'dump:2, at most 60 s', 'delete drop': 'psql:1' } }),
    ],
    [
      [
        'removal-changed',
        'Component db of shop on west is to run drop in place of deleting its objects: psql:1.',
        'left-behind: what the hook does not remove is left behind',
      ],
      [
        'removal-changed',
        'Component db of shop on west is to run final before it is uninstalled in another way: dump:2, at most 60 s; before, dump:1, at most 60 s.',
      ],
      [
        'removal-changed',
        'Component db of shop on west no longer runs tell after it is uninstalled: mail:1.',
        'left-behind: what the hook took care of is not done any more, and may be left behind or lost',
      ],
    ],
  ],
  [
    'volumes that go along',
    [installation(), component('db')],
    [installation(), component('db', { volumes: 'Delete' })],
    [
      [
        'removal-changed',
        'Component db of shop on west would take its volumes along when it is uninstalled.',
        'data-lost: an uninstall from now on deletes its data',
      ],
    ],
  ],
  [
    'volumes that stay',
    [installation(), component('db', { volumes: 'Delete' })],
    [installation(), component('db')],
    [['removal-changed', 'Component db of shop on west would leave its volumes when it is uninstalled.']],
  ],
  [
    'published deadlines that move',
    [{ ...record('ada'), deadlines: { sleep: '2026-05-01T00:00:00Z', delete: '2026-07-01T00:00:00Z' } }],
    [{ ...record('ada'), deadlines: { sleep: '2026-06-01T00:00:00Z', delete: '2026-06-30T00:00:00Z' } }],
    [
      [
        'deadline-moved',
        'Virtual cluster ada is to be deleted at 2026-06-30T00:00:00Z in place of 2026-07-01T00:00:00Z.',
        'expires-sooner: a published deadline moves earlier, which the lifecycle runner never does: owners rely on the later one',
      ],
      [
        'deadline-moved',
        'Virtual cluster ada is to be put to sleep at 2026-06-01T00:00:00Z in place of 2026-05-01T00:00:00Z.',
      ],
    ],
  ],
  [
    'a node enters maintenance',
    [maintenance()],
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [
      [
        'node-enters',
        'Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.',
      ],
    ],
  ],
  [
    'a node enters maintenance that ignores budgets',
    [maintenance({ ignorePdb: true })],
    [maintenance({ ignorePdb: true, nodes: [node('10.0.0.1')] })],
    [
      [
        'node-enters',
        'Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and its pods are removed at once.',
        'budgets-ignored: PodDisruptionBudgets are ignored and nothing is evicted in order: services can lose all replicas together',
      ],
    ],
  ],
  [
    'a node leaves maintenance',
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [maintenance()],
    [['node-leaves', 'Node 10.0.0.1 of pool workers leaves maintenance and takes pods again.']],
  ],
  [
    'the last node of a pool enters maintenance',
    [maintenance({ nodes: [node('10.0.0.1')], pools: { workers: 2 } })],
    [maintenance({ nodes: [node('10.0.0.1'), node('10.0.0.2')], pools: { workers: 2 } })],
    [
      [
        'mass-change',
        'All 2 nodes of pool workers of edge on west are in maintenance together.',
        'mass-change: mass change: are all of them meant at once?',
        'outage: what runs only there has nowhere to go',
      ],
      [
        'node-enters',
        'Node 10.0.0.2 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.',
      ],
    ],
  ],
  [
    'the only node of a pool, and a pool of which one is left',
    [maintenance()],
    [
      maintenance({
        nodes: [node('10.0.0.1'), { ...node('10.0.0.9'), pool: 'single' }],
        pools: { workers: 2, single: 1 },
      }),
    ],
    [
      [
        'node-enters',
        'Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.',
      ],
      [
        'node-enters',
        'Node 10.0.0.9 of pool single enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.',
      ],
    ],
  ],
  [
    'taints change',
    [maintenance({ nodes: [{ ...node('10.0.0.1'), taints: ['a:NoSchedule'] }] })],
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [
      [
        'node-taints',
        'Node 10.0.0.1 of pool workers, in maintenance, is to have the taints maintenance:NoSchedule, maintenance:NoExecute in place of a:NoSchedule.',
      ],
    ],
  ],
  [
    'a shorter deadline',
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [maintenance({ deadlineSeconds: 90, nodes: [node('10.0.0.1')] })],
    [
      [
        'deadline-changed',
        'Nodes of edge on west are drained within 1 min 30 s in place of 20 min. It holds for 1 node in maintenance.',
        'deadline-shortened: pods that a budget still protects after 1 min 30 s are removed all the same',
      ],
    ],
  ],
  [
    'a longer deadline',
    [maintenance()],
    [maintenance({ deadlineSeconds: 3600 })],
    [['deadline-changed', 'Nodes of edge on west are drained within 1 h in place of 20 min.']],
  ],
  [
    'budgets ignored',
    [maintenance()],
    [maintenance({ ignorePdb: true })],
    [
      [
        'budgets-ignored',
        'Maintenance of edge on west ignores PodDisruptionBudgets.',
        'budgets-ignored: pods are removed at once and without order: services can lose all replicas together',
      ],
    ],
  ],
  [
    'budgets respected',
    [maintenance({ ignorePdb: true })],
    [maintenance()],
    [['budgets-respected', 'Maintenance of edge on west respects PodDisruptionBudgets again.']],
  ],
  [
    'a config comes with a node in maintenance',
    [],
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [
      [
        'node-enters',
        'Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.',
      ],
      ['config-added', 'Cluster config edge on west is watched from now on.'],
    ],
  ],
  [
    'a config goes',
    [maintenance({ nodes: [node('10.0.0.1')] })],
    [],
    [
      ['node-leaves', 'Node 10.0.0.1 of pool workers leaves maintenance and takes pods again.'],
      ['config-removed', 'Cluster config edge on west is no longer watched.'],
    ],
  ],
  [
    'an installation is made',
    [],
    [installation(), component('db'), component('web')],
    [['installation-created', 'Installation shop on west is installed: 2 components (db, web).']],
  ],
  [
    'an installation is uninstalled',
    [installation(), component('db'), component('web')],
    [installation({ state: 'Deleted' })],
    [
      [
        'installation-deleted',
        'Installation shop on west is ordered to be uninstalled: 2 components, those that others need last.',
        'data-lost: everything it installed is deleted, and volumes with it where the component says so',
      ],
    ],
  ],
  [
    'an uninstall is taken back',
    [installation({ state: 'Deleted' })],
    [installation(), component('db'), component('web')],
    [
      [
        'installation-restored',
        'Installation shop on west is no longer to be uninstalled.',
        'data-lost: an uninstall that has begun is not undone: what it deleted is installed anew, without its data',
      ],
    ],
  ],
  [
    'an uninstalled installation goes',
    [installation({ state: 'Deleted' })],
    [record('shop', 'Deleted')],
    [['installation-gone', 'Installation shop on west is gone: its uninstall was completed at 2026-03-01T08:00:00Z.']],
  ],
  [
    'an installation vanishes',
    [installation(), component('db')],
    [],
    [
      [
        'installation-gone',
        'Installation shop on west is no longer declared.',
        'left-behind: no completed uninstall is recorded: what runs of it is left behind',
      ],
    ],
  ],
  [
    'an installation moves',
    [installation()],
    [installation({ cluster: 'east' })],
    [
      [
        'moved',
        'Installation shop moves from west to east.',
        'left-behind: what runs on west is left behind: nothing uninstalls it there',
      ],
    ],
  ],
  [
    'components come, go and change',
    [installation(), component('db'), component('web')],
    [installation(), component('web', { wave: 1, dependsOn: ['cache'], namespace: 'front' }), component('cache')],
    [
      [
        'component-removed',
        'Component db of shop on west is taken off the list.',
        'left-behind: its own steps of removal do not run: the applier prunes what it may, and the rest is left behind',
      ],
      ['component-added', 'Component cache of shop on west is added first.'],
      ['component-changed', 'Component web of shop on west is to be applied after cache.'],
      [
        'component-changed',
        'Component web of shop on west moves from namespace shop to front.',
        'left-behind: it is installed a second time: what runs in shop is left behind',
      ],
    ],
  ],
  [
    'a shutdown',
    [],
    [{ kind: 'shutdown', cluster: 'west', action: 'Shutdown' }],
    [
      [
        'shutdown-ordered',
        'Cluster west is to be shut down.',
        'outage: every workload on it stops, workers first, control plane last',
      ],
    ],
  ],
  [
    'a restart',
    [{ kind: 'shutdown', cluster: 'west', action: 'None' }],
    [{ kind: 'shutdown', cluster: 'west', action: 'Restart' }],
    [
      [
        'restart-ordered',
        'Cluster west is to be restarted.',
        'outage: every workload on it stops, workers first, control plane last',
      ],
    ],
  ],
  [
    'a shutdown is taken back',
    [{ kind: 'shutdown', cluster: 'west', action: 'Shutdown' }],
    [],
    [['shutdown-withdrawn', 'The shutdown of cluster west is no longer ordered.']],
  ],
  [
    'a claim that has expired is woken',
    [claim('ada', { state: 'Sleeping' })],
    [
      claim('ada'),
      { ...record('ada'), deadlines: { sleep: '2026-05-01T00:00:00Z', delete: '2026-07-01T00:00:00Z' }, expired: true },
    ],
    [
      [
        'wakes',
        'Virtual cluster ada on west wakes up with 3 control-plane replicas. It has expired, and its deletion at 2026-07-01T00:00:00Z stands until it is renewed: waking renews nothing.',
      ],
    ],
  ],
  [
    'an uninstall is recorded',
    [claim('ada', { state: 'Deleted' }), record('ada')],
    [claim('ada', { state: 'Deleted' }), record('ada', 'Kept')],
    [['uninstall-recorded', 'The uninstall of ada was completed at 2026-03-01T08:00:00Z, its data was kept.']],
  ],
  [
    'the record of kept data goes',
    [record('ada', 'Kept')],
    [],
    [
      [
        'record-removed',
        'The record that data of ada was kept is removed.',
        'guard-changed: a new claim of this name would come up on the old data',
      ],
    ],
  ],
  [
    'a host cluster comes',
    [part('sidecar')],
    [part('sidecar'), part('crds', 'east'), part('sidecar', 'east')],
    [['cluster-added', 'Host cluster east is added.']],
  ],
  [
    'a host cluster goes',
    [part('sidecar'), part('sidecar', 'east')],
    [part('sidecar')],
    [
      [
        'cluster-removed',
        'Host cluster east is removed.',
        'left-behind: nothing of ours is applied there any more: whatever it still runs is left behind',
      ],
    ],
  ],
  [
    'parts of the system',
    [part('sidecar'), part('lifecycle')],
    [part('sidecar'), part('keepalive')],
    [
      [
        'system-removed',
        'Part "lifecycle" is removed from west.',
        'left-behind: what it watched over is not looked after any more',
      ],
      ['system-added', 'Part "keepalive" is added on west.'],
    ],
  ],
];
