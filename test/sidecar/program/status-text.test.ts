import { expect, it } from 'vitest';
import { plainStyle } from '../../../src/report/style.ts';
import { span } from '../../../src/sidecar/span.ts';
import { statusText } from '../../../src/sidecar/status-text.ts';
import type { StatusView } from '../../../src/sidecar/status-view.ts';

const now = Date.parse('2026-03-01T09:00:00Z');
const nothing: StatusView = { maintenance: [], claims: [], installations: [], shutdowns: [], unread: [] };
const text = (view: Partial<StatusView>) => statusText({ ...nothing, ...view }, { now, style: plainStyle });

it('a block shows its counts, its nodes and what is in their way', () => {
  const shown = text({
    maintenance: [
      {
        name: 'atlas-metal',
        config: 'atlas-metal',
        deadlineSeconds: 1200,
        ignorePdb: false,
        deleting: false,
        status: {
          readyNodes: 1,
          reconcilingNodes: 0,
          stalledNodes: 1,
          underMaintenanceNodes: 1,
          unknownNodes: 0,
          heartbeat: '2026-03-01T08:55:00Z',
          nodes: [
            {
              address: '10.0.0.11',
              node: 'worker-1',
              phase: 'Draining',
              stage: 3,
              podsLeft: 12,
              since: '2026-03-01T08:56:00Z',
              deadline: '2026-03-01T09:16:00Z',
              blockers: [
                {
                  code: 'pdb-never',
                  message: 'PodDisruptionBudget "web" never lets shop/web-0 go.',
                  who: 'workload-owner',
                  since: '2026-03-01T08:57:00Z',
                  permanent: true,
                },
              ],
            },
            {
              address: '10.0.0.12',
              node: 'worker-2',
              phase: 'InMaintenance',
              overran: true,
              since: '2026-02-27T09:00:00Z',
            },
            {
              address: '10.0.0.99',
              phase: 'Pending',
              blockers: [{ code: 'node-missing', message: 'No Node has this address.' }],
            },
          ],
        },
      },
    ],
  });
  expect(shown).toBe(`Maintenance atlas-metal: 1 ready, 0 reconciling, 1 stalled, 1 under maintenance, 0 unknown
  Nothing was heard of the sidecar for 5m.
  NODE      ADDRESS    PHASE                    STAGE  PODS LEFT  SINCE  DEADLINE
  worker-1  10.0.0.11  Draining                 3/5    12         4m     in 16m
      pdb-never: PodDisruptionBudget "web" never lets shop/web-0 go. (for 3m; will not pass by waiting; to act: workload-owner)
  worker-2  10.0.0.12  InMaintenance (overran)  -      -          2d     -
  -         10.0.0.99  Pending                  -      -          -      -
      node-missing: No Node has this address.
`);
});

it('claims, installations and a shutdown have a line each, with their error and what they wait for', () => {
  const shown = text({
    claims: [
      { name: 'ada', state: 'Running', deleting: false, status: {} },
      {
        name: 'bob',
        state: 'Deleted',
        deleting: true,
        status: {
          phase: 'DeleteError',
          since: '2026-03-01T08:00:00Z',
          reason: 'hook-failed',
          lastError: { code: 'hook-failed', message: 'Job quiesce-bob-backup failed.' },
        },
      },
    ],
    installations: [
      {
        name: 'observability',
        state: 'Deleted',
        deleting: false,
        status: {
          phase: 'Deleting',
          step: 'objects',
          done: 3,
          total: 8,
          heartbeat: '2026-03-01T08:59:40Z',
          components: [
            { name: 'agents', phase: 'Deleted' },
            {
              name: 'operator',
              phase: 'Deleting',
              blockers: [{ code: 'finalizer', message: 'Held by example.edu/x.' }],
            },
          ],
        } as never,
      },
    ],
    shutdowns: [
      {
        name: 'borealis',
        action: 'Shutdown',
        status: { phase: 'Waiting', waitingFor: 'backup-acknowledged', nodesLeft: 7 },
      },
    ],
    unread: [{ resource: 'vclusterclaims', why: '403 no' }],
  });
  expect(shown).toBe(`Virtual clusters
  NAME  STATE                   PHASE        SINCE  STEP  REASON
  ada   Running                 -            -      -     -
  bob   Deleted, being deleted  DeleteError  1h     -     hook-failed
      hook-failed: Job quiesce-bob-backup failed.

Installations
  NAME           STATE    PHASE     SINCE  STEP           REASON
  observability  Deleted  Deleting  -      objects (3/8)  -
    agents: Deleted
    operator: Deleting
      finalizer: Held by example.edu/x.

Shutdown
  NAME      ACTION    PHASE    SINCE  NODES LEFT  WAITING FOR
  borealis  Shutdown  Waiting  -      7           backup-acknowledged

vclusterclaims cannot be read: 403 no
`);
});

it('a shutdown shows closed gates, what is in the way, and the order in which it is done', () => {
  const status = {
    phase: 'PoweringOff',
    nodesLeft: 2,
    waitingFor: 'etcd-quorum',
    gates: [
      { name: 'nodes-ready', open: true },
      { name: 'etcd-running', open: false, message: 'Not running: etcd-b.' },
    ],
    blockers: [{ code: 'etcd-quorum', message: 'Turn off node b by hand.', who: 'operators' }],
    powerOffOrder: [
      { address: '10.0.0.2', node: 'w', role: 'worker', state: 'Off', since: '2026-03-01T08:58:00Z' },
      { address: '10.0.0.1', node: 'b', role: 'control-plane', etcd: 'Leader', state: 'Ready' },
    ],
  } as const;
  expect(text({ shutdowns: [{ name: 'metal', action: 'Shutdown', status }] })).toBe(`Shutdown
  NAME   ACTION    PHASE        SINCE  NODES LEFT  WAITING FOR
  metal  Shutdown  PoweringOff  -      2           etcd-quorum
      etcd-running: Not running: etcd-b.
      etcd-quorum: Turn off node b by hand. (to act: operators)
    #  NODE  ADDRESS   ROLE           ETCD    STATE  SINCE
    1  w     10.0.0.2  worker         -       Off    2m
    2  b     10.0.0.1  control-plane  leader  Ready  -
`);
  const restart = text({ shutdowns: [{ name: 'metal', action: 'Restart', status }] });
  expect(restart).toMatch(/\n {4}1 {2}b .*\n {4}2 {2}w /);
});

it.each([
  [0, '0s'],
  [119_999, '119s'],
  [125_000, '2m5s'],
  [600_000, '10m'],
  [3_600_000, '1h'],
  [5_400_000, '1h30m'],
  [36_000_000, '10h'],
  [180_000_000, '2d2h'],
  [864_000_000, '10d'],
])('%d ms are %s', (ms, shown) => {
  expect(span(ms)).toBe(shown);
});
