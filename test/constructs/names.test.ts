import { describe, expect, test } from 'vitest';
import { claimProps } from '../../constructs/claim-props.ts';
import type { BackingStore, Claim } from '../../src/resolve/state.ts';
import { claimWith, pick, propsOf, render, settingsWith, sha256 } from './sample.ts';

describe('names', () => {
  // The longest that their own objects allow: a StatefulSet's pods carry its name and ten characters as a label.
  const longest: Record<BackingStore, number> = {
    embeddedDatabase: 52,
    embeddedEtcd: 52,
    externalDatabase: 52,
    deployedEtcd: 47,
  };
  const budgets: Readonly<Record<string, number>> = {
    Namespace: 63,
    Service: 63,
    StatefulSet: 52,
    ClusterRole: 63,
    ClusterRoleBinding: 63,
  };

  test.each(Object.keys(longest) as BackingStore[])(
    '%s: of the longest claim stay within their budgets',
    (backingStore) => {
      const name = 'a'.repeat(longest[backingStore]);
      const objects = render(
        claimWith({ name, backingStore, replicas: 3, hostSync: ['nodes'], exposure: translated(name) }),
      );
      for (const { kind, metadata } of objects) {
        expect(metadata.name.length, `${kind} ${metadata.name}`).toBeLessThanOrEqual(budgets[kind] ?? 253);
      }
    },
  );

  test('of the cluster-wide role end in a hash where they are too long, so that two claims never share one', () => {
    const role = (name: string) => pick(render(claimWith({ name, hostSync: ['nodes'] })), 'ClusterRole').metadata.name;
    const [first, second] = [`${'a'.repeat(40)}-1`, `${'a'.repeat(40)}-2`];
    expect(role(first)).not.toBe(role(second));
    expect(role(first)).toMatch(/^vc-a{40}-1-v-vclu-[0-9a-f]{10}$/);
    expect(role('ada')).toBe('vc-ada-v-vcluster-ada');
  });

  test('of a synced Service over 63 characters lead the Ingress to its shortened form', () => {
    const name = 'u9f4c1e7a2b8d0356-abcdefghijklmnopqrstuvwxyz123';
    const service = 'http-x-default-x-u9f4c1e7a2b8d0356-abcdefghijklmnopq-68c3f99250';
    const ingress = pick(
      render(claimWith({ name, exposure: { host: `${name}.apps.example.edu`, service } })),
      'Ingress',
    );
    expect(JSON.stringify(ingress.spec)).toContain(`"service":{"name":"${service}","port":{"number":80}}`);
  });
});

function translated(name: string) {
  const joined = `http-x-default-x-${name}`;
  const service = joined.length <= 63 ? joined : `${joined.slice(0, 52)}-${sha256(joined).slice(0, 10)}`;
  return { host: `${name}.apps.example.edu`, service };
}

describe('the shape', () => {
  test('is the same for claims that differ in their own strings only', () => {
    const shape = (claim: Claim) => JSON.stringify(claimProps(claim, settingsWith(), sha256).shape);
    const owners = [{ name: 'Grace Hopper', email: 'grace@example.edu' }];
    expect(
      shape(claimWith({ name: 'grace', owners, config: 'other', annotations: { a: '1' }, identity: '7e5a' })),
    ).toBe(shape(claimWith({ annotations: { a: '2' } })));
  });

  test('drops the v of a version, which image tags do not have', () => {
    expect(propsOf(claimWith({ version: 'v0.30.1' })).shape.version).toBe('0.30.1');
  });
});
