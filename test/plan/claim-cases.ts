import type { Case } from './cases.ts';
import { claim, record } from './facts.ts';

const exposedAt = (host: string) => claim('ada', { host });
const evenings = 'sleeps at "0 20 * * *" and wakes at "0 7 * * *" (Europe/Berlin)';
const less =
  'quota-reduced: quota reduced: what runs goes on, but whatever is beyond the quota does not start again once it has ended';
const lost = 'data-lost: everything in it is uninstalled and its data is lost';

export const claimCases: readonly Case[] = [
  [
    'a claim sleeps',
    [claim('ada')],
    [claim('ada', { state: 'Sleeping' })],
    [
      [
        'sleeps',
        'Virtual cluster ada on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.',
      ],
    ],
  ],
  [
    'a claim wakes',
    [claim('ada', { state: 'Sleeping', replicas: 1 })],
    [claim('ada', { replicas: 1 })],
    [['wakes', 'Virtual cluster ada on west wakes up with 1 control-plane replica.']],
  ],
  [
    'a claim is created',
    [],
    [claim('ada', { host: 'ada.apps.example.edu' })],
    [
      [
        'created',
        'Virtual cluster ada on west is created: version 0.30.1, 3 replicas, embedded etcd, owned by ada@example.edu.',
      ],
      [
        'exposed',
        'Virtual cluster ada on west is exposed at ada.apps.example.edu.',
        'public-exposure: public exposure: whoever reaches the ingress of west reaches its Service "http"',
      ],
    ],
  ],
  [
    'a claim is created asleep',
    [],
    [claim('ada', { state: 'Sleeping' })],
    [
      [
        'created',
        'Virtual cluster ada on west is created, asleep: version 0.30.1, 3 replicas, embedded etcd, owned by ada@example.edu.',
      ],
    ],
  ],
  [
    'a claim is created only to be deleted',
    [],
    [claim('ada', { state: 'Deleted' })],
    [['created', 'Virtual cluster ada on west is declared and ordered to be deleted at once.']],
  ],
  [
    'a running claim is ordered to be deleted',
    [claim('ada')],
    [claim('ada', { state: 'Deleted' })],
    [
      [
        'deletion-ordered',
        'Virtual cluster ada on west is ordered to be deleted.',
        lost,
        'no-grace: it runs until now: there is no grace period of a sleep, in which somebody could miss it',
      ],
    ],
  ],
  [
    'a sleeping claim is ordered to be deleted',
    [claim('ada', { state: 'Sleeping' })],
    [claim('ada', { state: 'Deleted' })],
    [['deletion-ordered', 'Virtual cluster ada on west is ordered to be deleted.', lost]],
  ],
  [
    'a protected claim is ordered to be deleted',
    [claim('ada', { protected: true, state: 'Sleeping' })],
    [claim('ada', { protected: true, state: 'Deleted' })],
    [
      [
        'deletion-ordered',
        'Virtual cluster ada on west is ordered to be deleted.',
        lost,
        'protection-removed: it is, or was, marked as protected',
      ],
    ],
  ],
  [
    'a deletion is taken back',
    [claim('ada', { state: 'Deleted' })],
    [claim('ada', { state: 'Sleeping' })],
    [
      [
        'deletion-withdrawn',
        'Virtual cluster ada on west is no longer to be deleted and is to sleep again.',
        'data-lost: an uninstall that has begun is not undone: what it deleted so far, data included, does not come back',
      ],
    ],
  ],
  [
    'a claim is gone after its uninstall',
    [claim('ada', { state: 'Deleted' }), record('ada')],
    [record('ada', 'Deleted')],
    [
      [
        'gone',
        'Virtual cluster ada on west is gone: its uninstall was completed at 2026-03-01T08:00:00Z, its data was deleted.',
      ],
    ],
  ],
  [
    'a claim vanishes',
    [claim('ada')],
    [],
    [
      [
        'gone',
        'Virtual cluster ada on west is no longer declared.',
        'left-behind: no completed uninstall is recorded: what runs of it, and its data, would be left behind with nobody to look after it',
      ],
    ],
  ],
  [
    'a claim is renamed',
    [claim('ada', { identity: 'same' })],
    [claim('eve', { identity: 'same' })],
    [
      [
        'renamed',
        'Virtual cluster ada on west is renamed to eve.',
        'left-behind: nothing is moved: eve starts empty, and what runs of ada is left behind with its data',
      ],
    ],
  ],
  [
    'a claim that looks the same after a completed uninstall is a new one',
    [claim('ada', { identity: 'same' }), record('ada', 'Deleted')],
    [claim('eve', { identity: 'same' })],
    [
      [
        'gone',
        'Virtual cluster ada on west is gone: its uninstall was completed at 2026-03-01T08:00:00Z, its data was deleted.',
      ],
      [
        'created',
        'Virtual cluster eve on west is created: version 0.30.1, 3 replicas, embedded etcd, owned by ada@example.edu.',
      ],
    ],
  ],
  [
    'a claim moves',
    [claim('ada')],
    [claim('ada', { cluster: 'east' })],
    [
      [
        'moved',
        'Virtual cluster ada moves from west to east.',
        'left-behind: data is not moved: it starts empty on east, and what runs on west is left behind',
      ],
    ],
  ],
  [
    'a claim is exposed',
    [claim('ada')],
    [exposedAt('ada.a.edu')],
    [
      [
        'exposed',
        'Virtual cluster ada on west is exposed at ada.a.edu.',
        'public-exposure: public exposure: whoever reaches the ingress of west reaches its Service "http"',
      ],
    ],
  ],
  [
    'a claim is hidden',
    [exposedAt('ada.a.edu')],
    [claim('ada')],
    [['unexposed', 'Virtual cluster ada on west is no longer reachable at ada.a.edu.']],
  ],
  [
    'a host changes',
    [exposedAt('ada.a.edu')],
    [exposedAt('ada.b.edu')],
    [['host-changed', 'Virtual cluster ada on west is exposed at ada.b.edu and no longer at ada.a.edu.']],
  ],
  [
    'fewer replicas',
    [claim('ada')],
    [claim('ada', { replicas: 1 })],
    [
      [
        'ha-changed',
        'Virtual cluster ada on west has 1 control-plane replica in place of 3.',
        'ha-reduced: HA reduced: fewer replicas survive the loss of a node',
      ],
    ],
  ],
  [
    'more replicas',
    [claim('ada', { replicas: 1 })],
    [claim('ada')],
    [['ha-changed', 'Virtual cluster ada on west has 3 control-plane replicas in place of 1.']],
  ],
  [
    'an upgrade',
    [claim('ada')],
    [claim('ada', { version: '0.31.0' })],
    [['version-changed', 'Virtual cluster ada on west changes from version 0.30.1 to 0.31.0.']],
  ],
  [
    'a downgrade',
    [claim('ada', { version: '0.30.10' })],
    [claim('ada', { version: '0.30.9' })],
    [
      [
        'version-changed',
        'Virtual cluster ada on west changes from version 0.30.10 to 0.30.9.',
        'downgrade: downgrade: an older control plane may not read what the newer one stored',
      ],
    ],
  ],
  [
    'another store',
    [claim('ada')],
    [claim('ada', { backingStore: 'externalDatabase' })],
    [
      [
        'store-changed',
        'Virtual cluster ada on west changes from embedded etcd to external database.',
        'data-lost: data lost: the new store starts empty, nothing is copied',
      ],
    ],
  ],
  [
    'another volume size',
    [claim('ada')],
    [claim('ada', { storage: '1Gi' })],
    [
      [
        'storage-changed',
        'Virtual cluster ada on west asks for a volume of 1Gi in place of 5Gi.',
        'volume-shrunk: PVC shrunk: no volume can be made smaller, and what is on it may not fit in a new one',
        'immutable-field: immutable field: Kubernetes refuses another size in the volume claim template of a StatefulSet, so the applier will report an error',
      ],
    ],
  ],
  [
    'a larger volume',
    [claim('ada')],
    [claim('ada', { storage: '10Gi' })],
    [
      [
        'storage-changed',
        'Virtual cluster ada on west asks for a volume of 10Gi in place of 5Gi.',
        'immutable-field: immutable field: Kubernetes refuses another size in the volume claim template of a StatefulSet, so the applier will report an error',
      ],
    ],
  ],
  ['the same size in other words', [claim('ada')], [claim('ada', { storage: '5120Mi' })], []],
  [
    'rights in the host cluster',
    [claim('ada', { hostSync: ['sync.fromHost.nodes'] })],
    [claim('ada', { hostSync: ['sync.fromHost.nodes', 'sync.toHost.ingresses'] })],
    [
      [
        'host-access-changed',
        'Virtual cluster ada on west gets access to its host cluster: sync.toHost.ingresses.',
        'rbac-widened: RBAC widened: its control plane may read, or write, beyond its own namespace',
      ],
    ],
  ],
  [
    'fewer rights in the host cluster',
    [claim('ada', { hostSync: ['sync.fromHost.nodes'] })],
    [claim('ada')],
    [
      [
        'host-access-changed',
        'Virtual cluster ada on west no longer reads from its host cluster: sync.fromHost.nodes.',
      ],
    ],
  ],
  [
    'an extension',
    [claim('ada')],
    [claim('ada', { extendedUntil: '2027-01-01T00:00:00Z' })],
    [
      [
        'expiry-changed',
        'Virtual cluster ada on west is extended: it is not put to sleep before 2027-01-01T00:00:00Z.',
      ],
    ],
  ],
  [
    'a shorter extension',
    [claim('ada', { extendedUntil: '2027-01-01T00:00:00Z' })],
    [claim('ada', { extendedUntil: '2026-12-01T00:00:00Z' })],
    [
      [
        'expiry-changed',
        'Virtual cluster ada on west is extended: it is not put to sleep before 2026-12-01T00:00:00Z (before, until 2027-01-01T00:00:00Z).',
        'expires-sooner: it can be put to sleep, and then deleted, sooner',
      ],
    ],
  ],
  [
    'no extension any more',
    [claim('ada', { extendedUntil: '2027-01-01T00:00:00Z' })],
    [claim('ada')],
    [
      [
        'expiry-changed',
        'Virtual cluster ada on west is no longer extended (before, until 2027-01-01T00:00:00Z).',
        'expires-sooner: it can be put to sleep, and then deleted, sooner',
      ],
    ],
  ],
  [
    'another owner',
    [claim('ada')],
    [claim('ada', { owners: ['bob@example.edu', 'eve@example.edu'] })],
    [
      [
        'owner-changed',
        'Virtual cluster ada on west belongs to bob@example.edu, eve@example.edu; before, to ada@example.edu.',
      ],
    ],
  ],
  [
    'protection on',
    [claim('ada')],
    [claim('ada', { protected: true })],
    [['protected', 'Virtual cluster ada on west is protected: it never expires and cannot be deleted.']],
  ],
  [
    'protection off',
    [claim('ada', { protected: true })],
    [claim('ada')],
    [
      [
        'unprotected',
        'Virtual cluster ada on west is no longer protected.',
        'protection-removed: it can expire and be deleted from now on',
      ],
    ],
  ],
  [
    'a sooner expiry',
    [claim('ada', { expiry: 'Never' })],
    [claim('ada')],
    [
      [
        'expiry-changed',
        'Virtual cluster ada on west is put to sleep after 90 d and deleted 60 d later; before, it never expires.',
        'expires-sooner: its deletion can come sooner, though never without a warning that was delivered 7 days before',
      ],
    ],
  ],
  [
    'a later expiry',
    [claim('ada')],
    [claim('ada', { expiry: { after: 90 * 86_400, grace: 61 * 86_400 } })],
    [
      [
        'expiry-changed',
        'Virtual cluster ada on west is put to sleep after 90 d and deleted 61 d later; before, it is put to sleep after 90 d and deleted 60 d later.',
      ],
    ],
  ],
  [
    'a first schedule',
    [claim('ada')],
    [claim('ada', { schedules: 1, timetable: [evenings] })],
    [['schedules-changed', `Virtual cluster ada on west ${evenings}.`]],
  ],
  [
    'another hour of a schedule',
    [claim('ada', { schedules: 1, timetable: [evenings] })],
    [claim('ada', { schedules: 2, timetable: [evenings.replace('20', '22'), 'sleeps at "0 1 * * 6" (Etc/UTC)'] })],
    [
      [
        'schedules-changed',
        'Virtual cluster ada on west sleeps at "0 22 * * *" and wakes at "0 7 * * *" (Europe/Berlin); and sleeps at "0 1 * * 6" (Etc/UTC); before, it sleeps at "0 20 * * *" and wakes at "0 7 * * *" (Europe/Berlin).',
      ],
    ],
  ],
  [
    'no schedule any more',
    [claim('ada', { schedules: 1, timetable: [evenings] })],
    [claim('ada')],
    [['schedules-changed', `Virtual cluster ada on west has no sleep schedule any more; before, it ${evenings}.`]],
  ],
  [
    'a quota that is reduced, one that is raised and one that is written in another way',
    [claim('ada', { quota: { pods: '60', 'requests.cpu': '10', memory: '1Gi' } })],
    [claim('ada', { quota: { pods: '40', 'requests.cpu': '12', memory: '1024Mi' } })],
    [
      [
        'quota-changed',
        'Virtual cluster ada on west may use pods 40 in place of 60, requests.cpu 12 in place of 10.',
        less,
      ],
    ],
  ],
  [
    'a quota without room for the control plane',
    [claim('ada')],
    [claim('ada', { quota: { pods: '2', 'requests.cpu': '1', 'limits.cpu': '1' }, requests: { cpu: '500m' } })],
    [
      [
        'quota-changed',
        'Virtual cluster ada on west may use limits.cpu 1, pods 2, requests.cpu 1.',
        less,
        'ha-reduced: HA reduced: this leaves no room for its 3 control-plane replicas (pods, requests.cpu)',
      ],
    ],
  ],
  [
    'a quota that is lifted',
    [claim('ada', { quota: { pods: '60' } })],
    [claim('ada')],
    [['quota-changed', 'Virtual cluster ada on west may use pods without a limit (before, 60).']],
  ],
  [
    'values of its own',
    [claim('ada', { values: { 'a.b': 'true', 'a.c': '1' } })],
    [
      claim('ada', {
        values: { 'a.b': 'false', 'a.d': 'x', ...Object.fromEntries([1, 2, 3, 4].map((n) => [`e.${n}`, 'y'])) },
      }),
    ],
    [
      [
        'changed',
        'Virtual cluster ada on west gets other values: a.b false in place of true, a.c is gone (before, 1), a.d x, e.1 y, e.2 y and 2 more.',
      ],
    ],
  ],
  [
    'what facts do not tell',
    [claim('ada')],
    [claim('ada', { identity: 'other' })],
    [['changed', 'Virtual cluster ada on west gets another configuration.']],
  ],
];
