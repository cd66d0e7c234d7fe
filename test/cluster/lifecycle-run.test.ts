import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { id, read } from '../support/objects.ts';
import { claim } from '../support/state.ts';
import { ownedBy, recordOf } from './lifecycle/claims.ts';
import { type Lab, startLab } from './lifecycle/lab.ts';

/** Due for a warning, due for sleep, and due for deletion. */
const due: Readonly<Record<string, string>> = {
  'state/claims/warned.yaml': ownedBy('warned', 'accept-warned@example.edu'),
  'state/records/warned.yaml': recordOf('warned', { firstSeen: -85, sleep: 5, delete: 65 }),
  'state/claims/tired.yaml': ownedBy('tired', 'accept-tired@example.edu'),
  'state/records/tired.yaml': recordOf('tired', {
    firstSeen: -91,
    sleep: -0.1,
    delete: 60,
    warnings: [{ about: 'Sleep', delivered: -8, to: 'accept-tired@example.edu' }],
  }),
  'state/claims/doomed.yaml': ownedBy('doomed', 'accept-doomed@example.edu', { state: 'Sleeping' }),
  'state/records/doomed.yaml': recordOf('doomed', {
    firstSeen: -152,
    sleep: -61,
    delete: -0.1,
    asleep: -61,
    warnings: [{ about: 'Deletion', delivered: -8, to: 'accept-doomed@example.edu' }],
  }),
};

clusterTest('runs of the lifecycle runner', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab({ files: { 'state/claims/ada.yaml': claim('ada') } });
  });
  afterAll(() => lab?.stop());

  const deadlinesOf = async (name: string) => {
    const resource = await read<{ status?: { deadlines?: Record<string, string> } } & object>(
      lab.access,
      id('quiesce.dev/v1alpha1', 'VClusterClaim', name),
    );
    return resource?.status?.deadlines;
  };
  const json = async (options: Parameters<Lab['run']>[0] = {}) => {
    const ran = await lab.run({ ...options, args: ['--json', ...(options.args ?? [])] });
    return { ...ran, answer: JSON.parse(ran.stdout) };
  };

  it('record what is seen for the first time, and publish its deadlines', async () => {
    const { status, answer } = await json();
    expect({ status, subject: answer.commit.subject }).toEqual({ status: 0, subject: 'Record first sight of ada' });
    const record = (await lab.file('state/records/ada.yaml')) ?? '';
    const sleep = /sleep: "(.*)"/.exec(record)?.[1];
    expect(await deadlinesOf('ada')).toMatchObject({ sleep, next: sleep });
    const asked = lab.git.requests.length;
    const again = await json();
    expect({ status: again.status, commit: again.answer.commit }).toEqual({ status: 0, commit: { kind: 'nothing' } });
    // With nothing to do, the state is fetched, and nothing is asked besides.
    expect(lab.git.requests.slice(asked).map(({ stage }) => stage)).toEqual(['ask-fetch', 'fetch', 'fetch']);
    expect(again.answer.summary).toMatchObject({ deadlinesPublished: 0 });
    expect(await lab.subjects()).toEqual(['Record first sight of ada', 'State']);
  });

  it('do nothing and say so where the cluster cannot be seen', async () => {
    await lab.push('Due', due);
    await lab.applyTip();
    const { status, answer } = await json({ env: { KUBECONFIG: '/nowhere' } });
    expect(status).toBe(1);
    expect(answer).toMatchObject({
      ok: false,
      clusters: [{ name: 'main', known: false, why: expect.stringContaining('/nowhere') }],
      mails: [],
      holds: [{ code: 'clock-unconfirmed' }],
    });
    expect(lab.smtp.recipients).toEqual([]);
    // Which claim a record is about needs no clock.
    expect((await lab.subjects()).slice(0, 2)).toEqual(['Record what was observed', 'Due']);
  });

  it('with --dry-run show mails and commit, and send and write nothing', async () => {
    const { stdout, status } = await lab.run({ args: ['--dry-run'] });
    expect(status).toBe(0);
    expect(stdout).toContain('Would send:\n  accept-warned@example.edu (warned):');
    expect(stdout).toContain('Would commit: Put to sleep tired; warn owners of warned');
    expect(stdout).toContain('~ state/records/tired.yaml');
    expect(lab.smtp.recipients).toEqual([]);
    expect(await lab.subjects()).toHaveLength(4);
  });

  it('send first, and then write down in one commit what was accepted and what follows', async () => {
    const { status, answer } = await json();
    expect({ status, subject: answer.commit.subject }).toEqual({
      status: 0,
      subject: expect.stringMatching(/^Put to sleep tired; warn owners of warned/),
    });
    expect(lab.smtp.mails.map(({ to }) => to)).toEqual(['accept-warned@example.edu']);
    expect(await lab.file('state/records/warned.yaml')).toMatch(
      /firstSeen: ".*" # seen by hand\n(.*\n)* {2}warnings:\n {4}- about: Sleep\n/,
    );
    expect(await lab.file('state/claims/tired.yaml')).toBe(
      ownedBy('tired', 'accept-tired@example.edu', { state: 'Sleeping' }).trim(),
    );
    expect(answer.decisions.find(({ name }: { name: string }) => name === 'doomed').holds).toMatchObject([
      { code: 'deadline-unpublished', blocks: 'deletion' },
    ]);
    expect(await lab.subjects()).toHaveLength(5);
  });

  it('order a deletion once the cluster shows its date, and tell of the sleep', async () => {
    const { answer } = await json();
    expect(answer.commit.subject).toMatch(/^Order deletion of doomed; tell owners of/);
    expect(lab.smtp.mails.map(({ to }) => to)).toContain('accept-tired@example.edu');
    expect(await lab.file('state/claims/doomed.yaml')).toContain('state: Deleted   # as agreed');
    expect(await lab.file('state/records/doomed.yaml')).toContain('by: Expiry');
  });

  it('send a notice of the deletion with the next run, and then have nothing to do', async () => {
    const ran = await json();
    expect({ status: ran.status, failures: ran.answer.published.failures }).toEqual({ status: 0, failures: [] });
    expect(lab.smtp.mails.map(({ to }) => to)).toContain('accept-doomed@example.edu');
    const count = lab.smtp.mails.length;
    expect((await json()).answer.commit).toEqual({ kind: 'nothing' });
    expect(lab.smtp.mails).toHaveLength(count);
  });

  it('leave out a file that cannot be read, and look after all others', async () => {
    await lab.push('Break', {
      'state/claims/broken.yaml': 'kind: [\n',
      'state/claims/fine.yaml': ownedBy('fine', 'accept-fine@example.edu'),
    });
    const { status, answer, stderr } = await json();
    expect(answer.published.failures).toEqual([]);
    expect({ status, files: answer.problems.map(({ place }: { place: { file: string } }) => place.file) }).toEqual({
      status: 0,
      files: ['state/claims/broken.yaml'],
    });
    expect(answer.commit.subject).toBe('Record first sight of fine');
    expect(stderr).not.toMatch(/n0t-in-any-log|Bearer/);
  });

  it('fail with the settings, and then do nothing at all', async () => {
    const settings = (await lab.file('state/settings.yaml')) ?? '';
    await lab.push('Break settings', { 'state/settings.yaml': `${settings}\n  unknown: true\n` });
    const { status, answer } = await json();
    expect({ status, ok: answer.ok, code: answer.problems[0].code }).toEqual({
      status: 1,
      ok: false,
      code: 'unknown-key',
    });
    await lab.push('Mend settings', { 'state/settings.yaml': `${settings}\n` });
  });
});
