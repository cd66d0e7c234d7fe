import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServedKind } from '../../../src/sidecar/uninstall/discovery.ts';
import { type Followed, openFollowed } from '../../../src/sidecar/uninstall/followed.ts';
import { openLister } from '../../../src/sidecar/uninstall/lister.ts';
import type { RawSeen } from '../../../src/sidecar/uninstall/project.ts';
import { waitFor } from '../../support/wait.ts';
import { json, type ScriptedServer, startScripted } from '../program/scripted-server.ts';

const kind: ServedKind = {
  resource: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  deletable: true,
};
const ask = { kind, labelSelector: 'quiesce.dev/installation=shop' };

const object = (uid: string, resourceVersion: string, differs: Partial<RawSeen['metadata']> = {}): RawSeen => ({
  metadata: { name: uid, uid, resourceVersion, creationTimestamp: '2026-03-02T08:00:00Z', ...differs },
});

describe('a list that is followed', () => {
  let server: ScriptedServer;
  let followed: Followed;
  let watching: ServerResponse | undefined;
  let gone: number;
  let room: { left: number };

  beforeEach(async () => {
    [watching, gone, room] = [undefined, 0, { left: 2 }];
    server = await startScripted(({ url }, answer) => {
      if (!url.searchParams.has('watch')) {
        return json(answer, { metadata: { resourceVersion: '10' }, items: [object('a', '7'), object('b', '8')] });
      }
      answer.writeHead(200).flushHeaders();
      watching = answer;
    });
    const { client } = server;
    const lister = openLister({ client, pageSize: 500, limit: 4 });
    const now = () => Date.parse('2026-03-02T09:00:00Z');
    const onGone = () => {
      gone += 1;
    };
    followed = openFollowed({ client, lister, pageSize: 500, room, now, onGone });
  });

  afterEach(async () => {
    followed.close();
    await server.stop();
  });

  const seen = async () => {
    const listed = await followed.list(ask);
    if (listed.kind === 'failed') throw new Error(listed.unread.why);
    return listed.items.map(({ metadata }) =>
      `${metadata.name} ${metadata.resourceVersion} ${metadata.deletionTimestamp ?? ''}`.trim(),
    );
  };
  const tell = async (type: string, told: RawSeen) => {
    await waitFor('the watch', { seconds: 5, everyMs: 5 }, () =>
      watching === undefined ? { seen: 'none' } : { met: true },
    );
    watching?.write(`${JSON.stringify({ type, object: told })}\n`);
  };
  const until = (...wanted: readonly string[]) =>
    waitFor(`it to be ${wanted}`, { seconds: 5, everyMs: 5 }, async () => {
      const now = await seen();
      return now.join() === wanted.join() ? { met: now } : { seen: now.join() };
    });
  const lists = () => server.asked.filter(({ url }) => !url.searchParams.has('watch')).length;

  it('is asked for once, and knows what has changed since', async () => {
    expect(await seen()).toEqual(['a 7', 'b 8']);
    await tell('ADDED', object('c', '11'));
    await tell('DELETED', object('a', '12'));
    await until('b 8', 'c 11');
    expect([lists(), gone]).toEqual([1, 1]);
    const [, watch] = server.asked;
    expect(watch?.url.searchParams.get('resourceVersion')).toBe('10');
  });

  it('knows what a deletion was answered with, although the watch is behind', async () => {
    await seen();
    followed.answered('a', undefined);
    followed.answered('b', object('b', '13', { deletionTimestamp: '2026-03-02T08:59:59Z' }));
    expect(await seen()).toEqual(['b 13 2026-03-02T08:59:59Z']);
    await tell('MODIFIED', object('a', '9'));
    await tell('MODIFIED', object('b', '9'));
    await tell('ADDED', object('c', '14'));
    await until('b 13 2026-03-02T08:59:59Z', 'c 14');
    followed.answered('c', object('c', '14'));
    expect(await seen()).toContain('c 14 2026-03-02T09:00:00Z');
  });

  it('is asked for anew when its watch has ended', async () => {
    await seen();
    await waitFor('the watch', { seconds: 5, everyMs: 5 }, () => (watching ? { met: true } : { seen: 'none' }));
    expect(room.left).toBe(1);
    watching?.end();
    await waitFor('room', { seconds: 5, everyMs: 5 }, () => (room.left === 2 ? { met: true } : { seen: 'none' }));
    await seen();
    expect(lists()).toBe(2);
  });

  it('is an ordinary one where there is no room, and when it is over', async () => {
    room.left = 0;
    expect(await seen()).toEqual(['a 7', 'b 8']);
    await seen();
    room.left = 2;
    followed.close();
    await seen();
    expect([lists(), server.asked.length]).toEqual([3, 3]);
  });
});
