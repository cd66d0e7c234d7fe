import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/rehearsal/snapshot.ts';
import { snapshotLines } from '../../src/rehearsal/snapshot-text.ts';
import { metalConfig } from '../rehearsal/metal-state.ts';
import { budget, controller, podsOf, snapshot } from '../rehearsal/sample.ts';
import { type Instance, openInstance } from './instance.ts';

const config = 'state/clusters/west.yaml';
const web = controller('ReplicaSet', 'web', 3);

const picture = (differs: Partial<Snapshot> = {}): Snapshot =>
  snapshot({
    cluster: { name: 'west', uid: 'c0ffee', serverVersion: 'v1.35.4' },
    pods: podsOf(web, [1, 2, 3]),
    controllers: [web],
    budgets: [budget('web', { maxUnavailable: 0 })],
    ...differs,
  });

let instance: Instance;
beforeAll(async () => {
  instance = await openInstance({ [config]: metalConfig('west', 3, []) });
  instance.write(config, metalConfig('west', 3, ['10.0.0.1']));
});
afterAll(() => instance.workshop.close());

function save(name: string, text: string | Uint8Array): string {
  writeFileSync(join(instance.dir, '.git', name), text);
  return join('.git', name);
}

function saved(name: string, differs: Partial<Snapshot> = {}): string {
  const text = [...snapshotLines(picture(differs))].join('');
  return save(name, name.endsWith('.gz') ? gzipSync(text) : text);
}

const at = ['--at', '2026-03-01T08:30:00Z'];

describe('quiesce rehearse', () => {
  it('says what the change in the work tree does to the cluster', async () => {
    const answer = await instance.quiesce('rehearse', '--snapshot', saved('west.gz'), ...at);
    expect({ status: answer.status, stderr: answer.stderr }).toEqual({ status: 0, stderr: '' });
    expect(answer.stdout).toContain('Rehearsed on west');
    expect(answer.stdout).toContain('Maintenance of west');
    expect(answer.stdout).toContain('PodDisruptionBudget "web" never lets shop/web-0 go');
  });

  it('gives all of it in JSON, and the same bytes each time', async () => {
    const file = saved('west.gz');
    const [first, second] = [
      await instance.quiesce('rehearse', '--snapshot', file, '--json', ...at),
      await instance.quiesce('rehearse', '--snapshot', file, '--json', ...at),
    ];
    expect(second.stdout).toBe(first.stdout);
    const { ok, rehearsals } = JSON.parse(first.stdout);
    expect(ok).toBe(true);
    expect(rehearsals).toMatchObject([
      {
        version: 1,
        cluster: { name: 'west', uid: 'c0ffee', takenAt: '2026-03-01T08:00:00Z', ageSeconds: 1800, nodes: 3, pods: 3 },
        from: 'HEAD',
        to: 'worktree',
        maintenance: [
          {
            config: 'west',
            nodes: [{ node: 'n1', course: 'enters', by: 'deadline', removed: [{ name: 'web-0', pastBudget: 'web' }] }],
          },
        ],
      },
    ]);
  });

  it('says the same whether the snapshot is zipped or not', async () => {
    const [zipped, plain] = [
      await instance.quiesce('rehearse', '--snapshot', saved('west.gz'), ...at),
      await instance.quiesce('rehearse', '--snapshot', saved('west.json'), ...at),
    ];
    expect(plain.stdout).toBe(zipped.stdout);
  });

  it('dates a stale snapshot: in the answer by --at, else beside it', async () => {
    const file = saved('west.gz');
    const dated = await instance.quiesce('rehearse', '--snapshot', file, '--at', '2026-03-05T08:00:00Z');
    expect(dated.stdout).toContain('was taken at 2026-03-01T08:00:00Z, 4 days before');
    const undated = await instance.quiesce('rehearse', '--snapshot', file);
    expect(undated.stderr).toMatch(/west\.gz is \d+ days old/);
    expect(undated.stdout).not.toContain('days');
  });

  it('names what the snapshot could not see', async () => {
    const unread = [{ what: 'policy/v1/PodDisruptionBudget', status: 403, why: 'forbidden' }];
    const { stdout } = await instance.quiesce('rehearse', '--snapshot', saved('blind', { unread, budgets: [] }), ...at);
    expect(stdout).toContain('policy/v1/PodDisruptionBudget could not be listed, so no pod counts as protected');
  });

  it('shows no escape that a name has in it', async () => {
    const evil = podsOf(web, [1, 2, 3]).map((pod) => ({ ...pod, name: `${pod.name}\u001b[2J` }));
    const { status, stdout, stderr } = await instance.quiesce(
      'rehearse',
      '--snapshot',
      saved('evil', { pods: evil }),
      ...at,
    );
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout).toContain('web-0\\u{1b}[2J');
  });

  it('takes the snapshot of a cluster by another name only if that is said', async () => {
    const file = saved('east', { cluster: { name: 'east', uid: 'decaf' } });
    const refused = await instance.quiesce('rehearse', '--snapshot', file);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('the snapshot is of a cluster east, which the settings do not have');
    const taken = await instance.quiesce('rehearse', '--snapshot', file, '--cluster', 'west', ...at);
    expect(taken.status).toBe(0);
    expect(taken.stdout).toContain('The snapshot calls its cluster east; that it is west was said');
  });

  it.each([
    ['is cut short', (text: string) => text.slice(0, text.lastIndexOf('{"end"')), 'It is cut short after'],
    ['is cut within a line', (text: string) => text.slice(0, text.length / 2), 'It is damaged in line'],
    [
      'is of a newer version',
      (text: string) => text.replace('"quiesceSnapshot":1', '"quiesceSnapshot":9'),
      'It was taken by a newer Quiesce',
    ],
    ['is something else', () => 'apiVersion: v1\n', 'It is no snapshot of Quiesce'],
  ])('refuses what %s', async (_, spoil, why) => {
    const file = save('spoiled', spoil([...snapshotLines(picture())].join('')));
    const { status, stdout, stderr } = await instance.quiesce('rehearse', '--snapshot', file);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(why);
    const json = await instance.quiesce('rehearse', '--snapshot', file, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });

  it('refuses what is cut short and zipped, or not there', async () => {
    const file = save('short.gz', gzipSync([...snapshotLines(picture())].join('')).subarray(0, 200));
    expect((await instance.quiesce('rehearse', '--snapshot', file)).stderr).toContain('it cannot be unzipped');
    expect((await instance.quiesce('rehearse', '--snapshot', 'nowhere')).stderr).toContain('It cannot be read');
  });

  it('says what is wrong with a state that has problems, or is not there', async () => {
    const file = saved('west.gz');
    const unknown = await instance.quiesce('rehearse', '--snapshot', file, '--from', 'no-such-ref');
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('no-such-ref');
    const nobody = await instance.quiesce('rehearse');
    expect(nobody.status).toBe(2);
    expect(nobody.stderr).toContain('name a snapshot');
  });
});
