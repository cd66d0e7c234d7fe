import { describe, expect, it } from 'vitest';
import type { StatusWrite } from '../../../src/sidecar/maintenance/action.ts';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';
import { block, budget, decided, instant, key, maintained, node, now, pod } from './observed.ts';

const noExecute = { key, effect: 'NoExecute' } as const;
const never = budget('web', {}, { maxUnavailable: 0 });

describe('a status is written', () => {
  const writes = (differs: Partial<Observation>, at = now): StatusWrite[] =>
    decided(differs, at).actions.flatMap((action) => (action.kind === 'status' ? [action] : []));
  const pods = [pod('p', { deletionAt: now + 10_000 }), pod('q', { deletionAt: now + 10_000 })];
  const written = (differs: Partial<Observation>) => {
    const [write] = writes(differs);
    return [block({}, { ...(write !== undefined && { status: write.status }) })];
  };

  it('when it differs, and then not again', () => {
    expect(writes({ pods })).toHaveLength(1);
    expect(writes({ pods, blocks: written({ pods }) })).toEqual([]);
  });

  it('whatever the order of the fields in which it comes back', () => {
    const [{ status, ...rest }] = written({ pods }) as [ReturnType<typeof block>];
    const turned = Object.fromEntries(Object.entries(status ?? {}).reverse());
    expect(writes({ pods, blocks: [{ ...rest, status: turned }] })).toEqual([]);
  });

  it('every 20 seconds while work runs, so that it is seen to run', () => {
    const blocks = written({ pods });
    expect(writes({ pods, blocks }, now + 19_000)).toEqual([]);
    expect(writes({ pods, blocks }, now + 20_000)[0]?.status.heartbeat).toBe(instant(now + 20_000));
    expect(decided({ pods, blocks }).requeueAt).toBe(now + 20_000);
  });

  it('not at all while nothing moves', () => {
    const nodes = [maintained('n1', { taints: [noExecute] })];
    const { requeueAt, actions } = decided({ nodes, blocks: written({ nodes }) }, now + 86_400_000);
    expect([requeueAt, actions]).toEqual([undefined, []]);
  });

  it('for mere progress only every two seconds', () => {
    const blocks = written({ pods });
    const fewer = pods.slice(1);
    expect(writes({ pods: fewer, blocks }, now + 1000)).toEqual([]);
    expect(decided({ pods: fewer, blocks }, now + 1000).requeueAt).toBe(now + 2000);
    expect(writes({ pods: fewer, blocks }, now + 2000)).toHaveLength(1);
  });

  it('with an Event for what stalls a node, once', () => {
    const stuck = { pods: [pod('p'), pod('q')], budgets: [never] };
    const [write] = writes(stuck);
    expect(write?.events).toMatchObject([
      {
        type: 'Warning',
        reason: 'MaintenanceBlocked',
        regarding: { kind: 'Node', name: 'n1', uid: 'uid-n1' },
        note: 'PodDisruptionBudget "web" never lets a/p go: of 4 pods 3 have to be healthy. And 1 more.',
      },
    ]);
    expect(writes({ ...stuck, blocks: written(stuck) }, now + 20_000)[0]?.events).toEqual([]);
  });

  it('with an Event for what may pass only when it has not for a minute', () => {
    const waiting = { pods: [pod('p')], budgets: [budget('web', {})] };
    const blocks = written(waiting);
    const events = [0, 40, 60].map((seconds) => writes({ ...waiting, blocks }, now + seconds * 1000)[0]?.events.length);
    expect(events).toEqual([undefined, 0, 1]);
  });

  it('not for what another resource asks for', () => {
    const standsFor = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', name: 'metal' };
    const { statuses, actions } = decided({
      blocks: [block({}, { name: 'shutdown/metal', standsFor })],
      nodes: [node('n1')],
    });
    expect(statuses).toHaveLength(1);
    expect(actions).toMatchObject([
      { kind: 'node', events: [{ note: 'ClusterShutdown metal selects this node: its pods are to leave.' }] },
    ]);
  });
});
