import { describe, expect, it } from 'vitest';
import { uninstallPlanOf } from '../../../src/sidecar/claims/plan.ts';
import type { SeenObject } from '../../../src/sidecar/uninstall/observation.ts';
import { ago, decided, now } from './observed.ts';
import { clusterScoped, deleted, hash, removed, seen, synced, uninstalling } from './uninstalling.ts';

describe('the order in which a claim goes', () => {
  const everything = [
    seen('Service', 'ada'),
    seen('StatefulSet', 'ada', { details: { kind: 'statefulSet', templates: ['data'] } }),
    seen('Secret', 'vc-config-ada'),
    seen('Secret', 'vc-ada', { labels: {}, rendered: false }),
    seen('Pod', 'web', synced),
    seen('PersistentVolumeClaim', 'files', synced),
    seen('PersistentVolumeClaim', 'data-ada-0', { labels: { app: 'vcluster', release: 'ada' }, rendered: false }),
    clusterScoped,
  ];
  const without = (...names: readonly string[]) => everything.filter(({ name }) => !names.includes(name));

  it('first its control plane, which would make again what it misses', () => {
    expect(removed(uninstalling(deleted(), everything))).toEqual(['StatefulSet ada']);
  });

  it('then what it has synced, but for volumes', () => {
    const rest = everything.filter(({ kind }) => kind !== 'StatefulSet');
    expect(removed(uninstalling(deleted(), rest))).toEqual(['Pod web']);
  });

  it('then the rest of what was rendered, and what the control plane has written', () => {
    const rest = without('web').filter(({ kind }) => kind !== 'StatefulSet');
    expect(removed(uninstalling(deleted(), rest)).sort()).toEqual(['Secret vc-ada', 'Secret vc-config-ada']);
  });

  it('its Services and volumes last', () => {
    const rest = without('web', 'vc-config-ada', 'vc-ada').filter(({ kind }) => kind !== 'StatefulSet');
    expect(removed(uninstalling(deleted(), rest))).toEqual(['Service ada']);
    const data = rest.filter(({ kind }) => kind !== 'Service');
    expect(removed(uninstalling(deleted(), data)).sort()).toEqual([
      'PersistentVolumeClaim data-ada-0',
      'PersistentVolumeClaim files',
    ]);
  });

  it('with data that is to be kept, neither volumes nor the Service that owns the tenant’s', () => {
    const keeping = deleted({}, { keepData: true });
    const kept = everything
      .filter(({ kind, name }) => kind === 'PersistentVolumeClaim' || name === 'ada')
      .filter(({ kind }) => kind !== 'StatefulSet');
    expect(removed(uninstalling(keeping, kept))).toEqual([]);
    const plan = uninstallPlanOf(keeping, hash);
    expect(plan.components.map(({ persistentVolumeClaims }) => persistentVolumeClaims)).toContain('Retain');
  });

  it('and then it is over, with what is kept listed', () => {
    const keeping = deleted({}, { keepData: true });
    const service = seen('Service', 'ada');
    const volumes = everything.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const content = { namespace: 'vcluster-ada', objects: [...volumes, service], unread: [] };
    const contents = [
      { ...content, at: ago(10) },
      { ...content, at: now },
    ];
    const { status } = decided(uninstalling(keeping, [...volumes, service, clusterScoped], { contents }));
    expect(status).toMatchObject({ phase: 'Deleted', reason: 'DataKept' });
    expect(status?.leftovers?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Namespace vcluster-ada',
      'PersistentVolumeClaim data-ada-0',
      'PersistentVolumeClaim files',
    ]);
  });

  it('every ordinal of a volume is its own, and a claim with a longer name is another one', () => {
    const [data] = uninstallPlanOf(deleted(), hash).components;
    expect(data?.volumeClaims).toEqual([
      { namespace: 'vcluster-ada', template: 'data', statefulSet: 'ada' },
      { namespace: 'vcluster-ada', template: 'data', statefulSet: 'ada-etcd' },
    ]);
  });

  it('nothing in another namespace is its own, whatever its labels', () => {
    const copies = ['quiesce.dev/claim', 'vcluster.loft.sh/managed-by'].map((label) =>
      seen('ConfigMap', label, { namespace: 'elsewhere', labels: { [label]: 'ada' } }),
    );
    expect(decided(uninstalling(deleted(), copies)).status?.phase).toBe('Deleted');
    expect(removed(uninstalling(deleted(), copies))).toEqual([]);
  });

  it('what it has synced into namespaces that it has made goes with the rest, and they themselves last', () => {
    const marked = { 'vcluster.loft.sh/managed-by': 'vcluster-ada-x-ada' };
    const { namespace: _, ...copy } = seen('Namespace', 'copied', { labels: marked, rendered: false });
    const inside = (kind: string, name: string, labels: Readonly<Record<string, string>>) =>
      seen(kind, name, { namespace: 'copied', labels, rendered: false });
    const things = [
      copy,
      inside('ConfigMap', 'site', synced.labels),
      inside('Secret', 'login', marked),
      inside('PersistentVolumeClaim', 'files', marked),
      inside('ConfigMap', 'of-others', {}),
    ];
    const removedOf = (objects: readonly SeenObject[], contents: readonly object[] = []) =>
      removed(uninstalling(deleted(), objects, { contents }, ['copied'])).sort();
    expect(removedOf(things)).toEqual(['ConfigMap site', 'Secret login']);
    expect(removedOf([copy, ...things.slice(3)])).toEqual(['PersistentVolumeClaim files']);
    const content = (objects: readonly SeenObject[]) => [
      { namespace: 'copied', at: ago(10), objects, unread: [] },
      { namespace: 'copied', at: now, objects, unread: [] },
    ];
    expect(removedOf([copy], content([]))).toEqual(['Namespace copied']);
    expect(removedOf([copy], content(things.slice(4)))).toEqual([]);
    // One that it only shows inside is the host's.
    expect(removedOf([{ ...copy, isImported: true }], content([]))).toEqual([]);
  });

  it('of a long name, what it has synced without a namespace is known by vCluster’s own short form', () => {
    const name = 'a-name-of-more-than-thirty-characters';
    const { components } = uninstallPlanOf(
      { ...deleted(), name, spec: { ...deleted().spec, namespace: `vcluster-${name}` } },
      hash,
    );
    const marker = components.flatMap(({ own }) => own).find(({ clusterScoped }) => clusterScoped === true)?.labels;
    const joined = `vcluster-${name}-x-${name}`;
    expect(marker).toEqual({
      'vcluster.loft.sh/managed-by': `${joined.slice(0, 52)}-${hash(joined).slice(0, 10)}`,
    });
  });
});
