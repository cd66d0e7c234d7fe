import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Instance, openInstance } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({});
});
afterEach(() => instance.workshop.close());

describe('quiesce explain', () => {
  it.each(['Ada', 'state/claims/ada.yaml', ''])(
    'refuses %j before it asks for a cluster: nothing can have that name',
    async (name) => {
      const { status, stderr } = await instance.quiesce('explain', name, '--kubeconfig', 'nowhere');
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${JSON.stringify(name)} is no valid name`)]);
      expect(stderr).not.toContain('nowhere');
    },
  );

  it('then says that there is no such cluster', async () => {
    const { status, stderr } = await instance.quiesce('explain', 'ada', '--kubeconfig', 'nowhere');
    expect([status, stderr]).toEqual([2, expect.stringContaining('nowhere')]);
  });
});
