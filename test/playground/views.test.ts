import { describe, expect, it } from 'vitest';
import { blocks } from '../../playground/views/blocks.ts';
import { claims } from '../../playground/views/claims.ts';
import { nodes } from '../../playground/views/nodes.ts';
import { tellAll } from '../../playground/views/view.ts';
import { workloads } from '../../playground/views/workloads.ts';

const texts = (lines: readonly { readonly who: string; readonly text: string }[]) =>
  lines.map(({ who, text }) => `${who}: ${text}`);

describe('what the playground tells of', () => {
  it('nothing that is as it was', () => {
    const seen = new Map([['StatefulSet ada', { wanted: 3, pods: 3, ready: 3 }]]);
    expect(tellAll(workloads, seen, new Map(seen))).toEqual([]);
  });

  it('workloads, in the order of their names', () => {
    const before = new Map([
      ['StatefulSet web', { wanted: 3, pods: 3, ready: 3 }],
      ['StatefulSet bob', { wanted: 0, pods: 1, ready: 0 }],
      ['Deployment gone', { wanted: 1, pods: 1, ready: 1 }],
      ['StatefulSet cid', { wanted: 2, pods: 2, ready: 1 }],
    ]);
    const after = new Map([
      ['StatefulSet web', { wanted: 0, pods: 2, ready: 2 }],
      ['StatefulSet bob', { wanted: 0, pods: 0, ready: 0 }],
      ['StatefulSet cid', { wanted: 2, pods: 2, ready: 2 }],
      ['StatefulSet new', { wanted: 1, pods: 0, ready: 0 }],
    ]);
    expect(texts(tellAll(workloads, before, after))).toEqual([
      'cluster: Deployment gone is gone',
      'cluster: StatefulSet bob has no Pod left',
      'cluster: StatefulSet cid: 2 of 2 Pods ready',
      'cluster: StatefulSet new is there, for 1 replica',
      'cluster: StatefulSet web is scaled: 3 → 0',
    ]);
  });

  it('a node: its taints and its cordon', () => {
    const node = { address: '10.0.0.1', taints: ['a:NoSchedule', 'b:NoSchedule'], cordoned: false };
    const after = { ...node, taints: ['b:NoSchedule', 'c:NoExecute'], cordoned: true };
    expect(texts(nodes.tell('one', node, after))).toEqual([
      'cluster: node one: + taint c:NoExecute, - taint a:NoSchedule, cordoned',
    ]);
    expect(texts(nodes.tell('one', after, node))).toEqual([
      'cluster: node one: + taint a:NoSchedule, - taint c:NoExecute, no longer cordoned',
    ]);
  });

  it('a node on its way into maintenance and out of it, and what blocks it', () => {
    const node = { address: '10.0.0.1', node: 'one' };
    const blocked = {
      ...node,
      phase: 'Draining',
      podsLeft: 1,
      blockers: [{ code: 'pdb-budget', message: 'the budget of web allows none' }],
    } as const;
    const tell = (...pair: Parameters<typeof blocks.tell> extends [string, ...infer Rest] ? Rest : never) =>
      texts(blocks.tell('10.0.0.1', ...pair));
    expect(tell(undefined, { ...node, phase: 'Pending' })).toEqual(['sidecar: node one: Pending']);
    expect(tell({ ...node, phase: 'Pending' }, { ...node, phase: 'Draining', podsLeft: 2 })).toEqual([
      'sidecar: node one: Draining, 2 Pods left',
    ]);
    expect(tell({ ...node, phase: 'Draining', podsLeft: 2 }, blocked)).toEqual([
      'sidecar: node one: Draining, 1 Pod left',
      'sidecar: node one is blocked: the budget of web allows none',
    ]);
    expect(tell(blocked, blocked)).toEqual([]);
    expect(tell(blocked, { ...node, phase: 'InMaintenance' })).toEqual(['sidecar: node one: InMaintenance']);
    expect(tell({ ...node, phase: 'InMaintenance' }, undefined)).toEqual(['sidecar: node one: out of maintenance']);
  });

  it('a claim: what is wanted of it, and how far the sidecar is', () => {
    const running = { state: 'Running', phase: undefined };
    expect(texts(claims.tell('ada', running, { state: 'Deleted', phase: 'DeletePending' }))).toEqual([
      'cluster: VClusterClaim ada: Running → Deleted',
      'sidecar: VClusterClaim ada: DeletePending',
    ]);
    expect(texts(claims.tell('ada', undefined, running))).toEqual(['cluster: VClusterClaim ada is there: Running']);
    expect(texts(claims.tell('ada', running, undefined))).toEqual(['cluster: VClusterClaim ada is gone']);
  });
});
