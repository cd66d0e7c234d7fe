import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedKind } from '../../../src/sidecar/uninstall/discovery.ts';
import { type Lister, openLister } from '../../../src/sidecar/uninstall/lister.ts';
import { json, type ScriptedServer, startScripted } from '../program/scripted-server.ts';

const secrets: ServedKind = {
  resource: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
  apiVersion: 'v1',
  kind: 'Secret',
  deletable: true,
};

const namespaces = Array.from({ length: 20 }, (_, index) => `space-${index}`);

describe('lists of many at the same time', () => {
  let server: ScriptedServer;
  let lister: Lister;
  let asked: string[];

  beforeAll(async () => {
    server = await startScripted(({ url }, answer) => {
      asked.push(url.pathname + url.search);
      if (url.pathname.includes('forbidden')) return json(answer, { message: 'no' }, 403);
      if (url.pathname.includes('unlistable')) return json(answer, { message: 'no' }, 405);
      const items = namespaces.map((namespace, index) => ({
        metadata: { namespace, name: `of-${namespace}`, labels: { team: `${index % 2}`, shop: 'a' } },
      }));
      const isCut = items.length > Number(url.searchParams.get('limit'));
      const [, own] = /namespaces\/([^/]+)/.exec(url.pathname) ?? [];
      setTimeout(
        () =>
          json(answer, {
            ...(isCut &&
              own === undefined &&
              !url.searchParams.has('labelSelector') && { metadata: { continue: 'more' } }),
            items: items.filter(({ metadata }) => own === undefined || metadata.namespace === own),
          }),
        20,
      );
    });
  });

  afterAll(() => server.stop());

  beforeEach(() => {
    asked = [];
    lister = openLister({ client: server.client, pageSize: 500, limit: 4 });
  });

  const namesIn = async (namespace: string) => {
    const listed = await lister.list({ kind: secrets, namespace });
    return listed.kind === 'listed' ? listed.items.map(({ metadata }) => metadata.name) : listed.unread;
  };

  it('are one list of all namespaces, each of which gets its own part', async () => {
    const found = await Promise.all(namespaces.map(namesIn));
    expect(found).toEqual(namespaces.map((name) => [`of-${name}`]));
    expect(asked).toEqual(['/api/v1/secrets?limit=500']);
  });

  it('are one of all as well where there are several, if all of the cluster fits into one answer', async () => {
    expect(await Promise.all(namespaces.slice(0, 3).map(namesIn))).toEqual([
      ['of-space-0'],
      ['of-space-1'],
      ['of-space-2'],
    ]);
    expect(asked).toEqual(['/api/v1/secrets?limit=500']);
  });

  it('and one each where it does not, or where there are few', async () => {
    lister = openLister({ client: server.client, pageSize: 5, limit: 4 });
    expect(await Promise.all(namespaces.slice(0, 3).map(namesIn))).toEqual([
      ['of-space-0'],
      ['of-space-1'],
      ['of-space-2'],
    ]);
    expect(asked).toHaveLength(4);
    await Promise.all(namespaces.slice(0, 2).map(namesIn));
    expect(asked).toHaveLength(6);
  });

  it('are one for all who ask for the same before it begins, and another for who asks later', async () => {
    const ask = { kind: secrets, labelSelector: 'a=b' };
    const first = Promise.all([lister.list(ask), lister.list(ask)]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([first, lister.list(ask)]);
    expect(asked).toHaveLength(2);
  });

  describe('of everything, also serve who asks at the same moment for', () => {
    const labelled = async (labelSelector: string, from = lister) => {
      const listed = await from.list({ kind: secrets, labelSelector });
      return listed.kind === 'listed' ? listed.items.map(({ metadata }) => metadata.name) : listed.unread;
    };
    const even = namespaces.filter((_, index) => index % 2 === 0).map((name) => `of-${name}`);

    it('a label', async () => {
      const [own] = await Promise.all([labelled('team=0,shop'), lister.list({ kind: secrets })]);
      expect(own).toEqual(even);
      const [other, none] = await Promise.all([
        labelled('team=0'),
        labelled('nobody'),
        ...namespaces.slice(0, 3).map(namesIn),
      ]);
      expect([other, none]).toEqual([even, []]);
      expect(asked).toEqual(['/api/v1/secrets?limit=500', '/api/v1/secrets?limit=500']);
    });

    it('a label, but not where all of the cluster does not fit, where few ask, and of what only the API server tells', async () => {
      const small = openLister({ client: server.client, pageSize: 5, limit: 4 });
      const spaces = namespaces.slice(0, 3);
      await Promise.all([
        labelled('team=0', small),
        ...spaces.map((namespace) => small.list({ kind: secrets, namespace })),
      ]);
      expect(asked.filter((url) => url.includes('team'))).toHaveLength(1);
      await Promise.all([labelled('team=0'), namesIn('space-0')]);
      await Promise.all([labelled('team in (0, 1)'), lister.list({ kind: secrets })]);
      expect(asked.filter((url) => url.includes('team'))).toHaveLength(3);
    });
  });

  it('of several labels of what is in no namespace are one list of all', async () => {
    const nodes: ServedKind = { ...secrets, resource: { ...secrets.resource, plural: 'nodes', namespaced: false } };
    const found = await Promise.all(
      ['team=0', 'team=1'].map((labelSelector) => lister.list({ kind: nodes, labelSelector })),
    );
    expect(found.map((listed) => (listed.kind === 'listed' ? listed.items.length : listed.unread))).toEqual([10, 10]);
    expect(asked).toEqual(['/api/v1/nodes?limit=500']);
    await lister.list({ kind: nodes, labelSelector: 'shop=a' });
    expect(asked[1]).toContain('labelSelector=shop');
  });

  it('are not more than so many at once', async () => {
    const asks = namespaces.map((name) => lister.list({ kind: secrets, labelSelector: `a=${name}` }));
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(asked.length).toBeLessThanOrEqual(4);
    await Promise.all(asks);
    expect(asked).toHaveLength(20);
  });

  it('that fail say so; what cannot be listed has no content', async () => {
    const of = (plural: string): ServedKind => ({ ...secrets, resource: { ...secrets.resource, plural } });
    expect(await lister.list({ kind: of('forbidden') })).toMatchObject({
      kind: 'failed',
      unread: { what: 'v1/Secret', status: 403 },
    });
    expect(await lister.list({ kind: of('unlistable') })).toEqual({ kind: 'listed', items: [] });
  });
});
