import { describe, expect, it } from 'vitest';
import { item } from './item.ts';
import { differences, figuresOf } from './tally.ts';

const told = item('deleted', 'configmap shop/front', ['gone'], 'gone');
const wrong = item('kept', 'volume shop/data', ['kept'], 'gone');
const of = (items: readonly (typeof told)[]) => ({
  clusters: 1,
  items: items.map((each) => ({ ...each, cluster: 7 })),
  failed: [],
  took: [],
});

describe('what a replay has shown', () => {
  it('is the share of items that came as they were said', () => {
    expect(figuresOf(of([told, wrong])).at(-1)).toMatchObject({ value: 50, goal: expect.anything(), ok: false });
    expect(figuresOf(of([told])).at(-1)).toMatchObject({ value: 100, ok: true });
    expect(differences(of([told, wrong]))).toEqual(['kept: cluster 7: volume shop/data: said kept, was gone']);
  });

  it('is nothing where nothing was compared', () => {
    expect(figuresOf(of([])).at(-1)).toMatchObject({ value: 0, ok: false });
  });
});
