import { describe, expect, it } from 'vitest';
import { type BilledNode, type BillingReason, bill } from '../../src/billing/bill.ts';
import { milliCpu } from '../../src/billing/cpu-quantity.ts';
import { billingText } from '../../src/billing/text.ts';
import { billText, cpuText, reasonText } from '../../src/billing/words.ts';
import { plainStyle } from '../../src/report/style.ts';

const noSchedule = { key: 'baremetal.cluster.gke.io/maintenance', effect: 'NoSchedule' };
const noExecute = { ...noSchedule, effect: 'NoExecute' };

function node(name: string, differs: Partial<BilledNode> = {}): BilledNode {
  return { name, cpu: '8', unschedulable: false, taints: [], ...differs };
}

describe('what counts', () => {
  it.each<[string, Partial<BilledNode>, BillingReason, boolean]>([
    ['a node that can run work', {}, 'runs-work', true],
    ['one with a taint of its own', { taints: [{ key: 'example.com/gpu', effect: 'NoSchedule' }] }, 'runs-work', true],
    ['one in maintenance', { taints: [noSchedule, noExecute] }, 'maintenance-without-cordon', true],
    ['one that is being drained', { taints: [noSchedule] }, 'maintenance-without-cordon', true],
    ['one that is cordoned', { unschedulable: true }, 'cordon-without-maintenance', true],
    [
      'one in maintenance and cordoned',
      { unschedulable: true, taints: [noSchedule, noExecute] },
      'maintenance-and-cordon',
      false,
    ],
    [
      'the control plane',
      { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
      'control-plane',
      false,
    ],
    [
      'the control plane of before',
      { taints: [{ key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' }] },
      'control-plane',
      false,
    ],
    [
      'a control plane that takes work',
      { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'PreferNoSchedule' }] },
      'runs-work',
      true,
    ],
    ['one of unknown size', { cpu: 'many' }, 'capacity-unreadable', false],
  ])('%s', (_, differs, why, counts) => {
    expect(bill('metal', [node('a', differs)]).nodes[0]).toMatchObject({ why, counts });
  });
});

describe('the bill', () => {
  it('is by name, whatever the order of the nodes', () => {
    const nodes = [node('b'), node('a', { cpu: '3920m' })];
    const metal = bill('metal', nodes);
    expect(bill('metal', [...nodes].reverse())).toEqual(metal);
    expect(metal.nodes.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(metal).toMatchObject({ allMilliCpu: 11_920, countedMilliCpu: 11_920, inMaintenanceMilliCpu: 0 });
  });

  it('tells what maintenance without a cordon still costs, and what is missing from the sum', () => {
    const cluster = bill('metal', [
      node('a'),
      node('b', { taints: [noSchedule, noExecute] }),
      node('c', { taints: [noSchedule, noExecute], unschedulable: true }),
      node('d', { cpu: '' }),
    ]);
    expect(billText(cluster)).toBe(
      'metal: 16 vCPU of 24 vCPU count. 8 vCPU of them are in maintenance and would not, were they cordoned as well. Of 1 more it is not known how many vCPU they have.',
    );
    expect(cluster.nodes.map(({ name, why }) => `${name} ${reasonText(why)}`)).toEqual([
      'a can run work',
      'b is in maintenance, which alone does not stop billing: a cordon as well would',
      'c is in maintenance and cordoned',
      'd does not say how many vCPU it has',
    ]);
  });

  it('of no nodes is nothing', () => expect(bill('metal', [])).toMatchObject({ countedMilliCpu: 0, nodes: [] }));

  it('is shown node by node with why, and in all where there are several clusters', () => {
    const metal = bill('metal', [node('a'), node('b', { taints: [noSchedule] }), node('c', { cpu: 'x' })]);
    expect(
      billingText([metal], plainStyle),
    ).toBe(`metal: 16 vCPU of 16 vCPU count. 8 vCPU of them are in maintenance and would not, were they cordoned as well. Of 1 more it is not known how many vCPU they have.
  NODE  VCPU  COUNTS  WHY
  a     8     yes     can run work
  b     8     yes     is in maintenance, which alone does not stop billing: a cordon as well would
  c     ?     ?       does not say how many vCPU it has
`);
    const both = billingText([metal, bill('other', [node('d')])], plainStyle);
    expect(both).toMatch(/\nIn all: 24 vCPU of 24 vCPU count\.\n$/);
  });
});

describe('quantities of CPU', () => {
  it.each([
    ['4', 4000],
    ['3920m', 3920],
    ['0.5', 500],
    ['.25', 250],
    ['1.0005', 1001],
    ['1.1', 1100],
    ['2k', 2_000_000],
    ['1500000u', 1500],
  ])('%s', (text, expected) => expect(milliCpu(text)).toBe(expected));

  it.each(['', 'm', '4 cores', '-1', '1e3', '1.2.3', '4Ki'])('not %j', (text) =>
    expect(milliCpu(text)).toBeUndefined(),
  );

  it('are shown with no more digits than they have', () =>
    expect([12_000, 3920].map(cpuText)).toEqual(['12 vCPU', '3.92 vCPU']));
});
