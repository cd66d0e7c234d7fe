import { describe, expect, it } from 'vitest';
import type { BlockSpec, ObservedNode } from '../../../src/sidecar/maintenance/observation.ts';
import { select } from '../../../src/sidecar/maintenance/selection.ts';
import { ago, block, blockSpec, bothTaints, draining, node, now } from './observed.ts';

function held(spec: Partial<BlockSpec>, ...nodes: ObservedNode[]): string[] {
  return [...select({ blocks: [block(spec)], nodes }).held.keys()];
}

const entry = (address: string): BlockSpec['nodes'][number] => ({
  address,
  pool: 'p',
  role: 'worker',
  taints: bothTaints,
});

describe('the nodes of a block', () => {
  it.each<[string, Partial<BlockSpec>, readonly string[], readonly string[]]>([
    ['by address', { nodes: [entry('10.0.0.1')] }, ['10.0.0.1'], ['n1']],
    ['by the second of two addresses', { nodes: [entry('2001:db8::1')] }, ['10.0.0.1', '2001:db8::1'], ['n1']],
    ['by an address in another spelling', { nodes: [entry('2001:db8::1')] }, ['2001:0DB8:0:0::0001'], ['n1']],
    ['not by what begins alike', { nodes: [entry('10.0.0.1')] }, ['10.0.0.11'], []],
    ['not by an address that is none', { nodes: [entry('10.0.0.1')] }, ['n1.example.com'], []],
    ['undeclared, by a single address', { nodes: [], unmatched: ['10.0.0.1'] }, ['10.0.0.1'], ['n1']],
    ['undeclared, by a range', { nodes: [], unmatched: ['10.0.0.1-10.0.0.3'] }, ['10.0.0.3'], ['n1']],
    ['undeclared, by a network', { nodes: [], unmatched: ['10.0.0.0/30'] }, ['10.0.0.4'], []],
    ['undeclared, by words that mean nothing', { nodes: [], unmatched: ['x'] }, ['10.0.0.1'], []],
    ['not undeclared where another block has it', { nodes: [], blocks: ['10.0.0.0/24'] }, ['10.0.0.1'], []],
  ])('%s', (_, spec, addresses, expected) => {
    expect(held(spec, node('n1', { addresses }))).toEqual(expected);
  });

  it('are there once, however often they are named', () => {
    const both = node('n1', { addresses: ['10.0.0.1', '2001:db8::1'] });
    const spec = { nodes: [entry('10.0.0.1'), entry('2001:db8::1')], unmatched: ['10.0.0.0/28'] };
    const { selected } = select({ blocks: [block(spec)], nodes: [both] });
    expect(selected.get('metal')?.map(({ address }) => address)).toEqual(['10.0.0.1']);
  });

  it('that are missing have an entry, except in a range', () => {
    const { selected } = select({ blocks: [block({ unmatched: ['10.0.0.8', '10.0.1.0/24'] })], nodes: [] });
    expect(selected.get('metal')?.map(({ address, node: there }) => [address, there])).toEqual([
      ['10.0.0.1', undefined],
      ['10.0.0.8', undefined],
    ]);
  });

  it('of one address: the one that is ready, then the younger one', () => {
    const silent = node('n1', { ready: { status: 'Unknown', since: now } });
    const old = node('n8', { addresses: ['10.0.0.1'], createdAt: ago(999_999) });
    const young = node('n9', { addresses: ['10.0.0.1'], createdAt: ago(10) });
    const { held: all } = select({ blocks: [block()], nodes: [silent, old, young] });
    expect(
      [...all.values()].map(({ node: { name }, selected }) => [name, selected.others.map((other) => other.name)]),
    ).toEqual([['n9', ['n8', 'n1']]]);
  });
});

describe('a node in two blocks', () => {
  const other = block({}, { name: 'zinc', uid: 'zinc' });
  const first = block({}, { name: 'iron', uid: 'iron' });

  it('is treated as the first by name says', () => {
    expect(select({ blocks: [other, first], nodes: [node('n1')] }).held.get('n1')?.block.name).toBe('iron');
  });

  it('stays with the one that has it', () => {
    const theirs = draining('n1', { annotations: { 'quiesce.dev/maintenance-block': 'zinc' } });
    expect(select({ blocks: [first, other], nodes: [theirs] }).held.get('n1')?.block.name).toBe('zinc');
  });
});

describe('a node leaves', () => {
  const ours = draining('n1');
  it.each([
    ['when its address is out of the block', [block({ nodes: [] })], ['n1']],
    ['when the block is being deleted', [block({}, { deletedAt: now })], ['n1']],
    ['when the block is gone', [], ['n1']],
    ['not while another block has it', [block({}, { name: 'other' })], []],
  ])('%s', (_, blocks, expected) => {
    expect(select({ blocks, nodes: [ours, node('n2')] }).leaving.map(({ node: { name } }) => name)).toEqual(expected);
  });

  it('also when only one of our annotations is left on it', () => {
    const left = node('n1', { annotations: { 'quiesce.dev/maintenance-owns': '' } });
    expect(select({ blocks: [block({ nodes: blockSpec([2]).nodes })], nodes: [left] }).leaving).toHaveLength(1);
  });
});
