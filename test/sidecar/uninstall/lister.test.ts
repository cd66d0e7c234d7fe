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
      const items = namespaces.map((namespace) => ({ metadata: { namespace, name: `of-${namespace}` } }));
      const isCut = items.length > Number(url.searchParams.get('limit'));
      const [, own] = /namespaces\/([^/]+)/.exec(url.pathname) ?? [];
      setTimeout(
        () =>
          json(answer, {
            ...(isCut && own === undefined && { metadata: { continue: 'more' } }),
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
