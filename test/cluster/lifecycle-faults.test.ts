import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { itInSoak } from '../support/soak.ts';
import { waitFor } from '../support/wait.ts';
import { ownedBy, recordOf } from './lifecycle/claims.ts';
import { type Lab, type RunOptions, startLab } from './lifecycle/lab.ts';

/** A claim whose owner has to be warned now. */
function warningDue(name: string, email: string): Readonly<Record<string, string>> {
  return {
    [`state/claims/${name}.yaml`]: ownedBy(name, email),
    [`state/records/${name}.yaml`]: recordOf(name, { firstSeen: -85, sleep: 5, delete: 65 }),
  };
}

/** A claim that is to be put to sleep now. */
function sleepDue(name: string, email: string): Readonly<Record<string, string>> {
  const warnings = [{ about: 'Sleep' as const, delivered: -8, to: email }];
  return {
    [`state/claims/${name}.yaml`]: ownedBy(name, email),
    [`state/records/${name}.yaml`]: recordOf(name, { firstSeen: -91, sleep: -0.1, delete: 65, warnings }),
  };
}

clusterTest('the lifecycle runner, disturbed', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab({ files: {} });
  });
  afterAll(() => lab?.stop());

  const json = async (options: RunOptions = {}) => {
    const ran = await lab.run({ ...options, args: ['--json', ...(options.args ?? [])] });
    return { ...ran, answer: JSON.parse(ran.stdout) };
  };
  const start = async (): Promise<ChildProcess> => {
    const { file, args, env } = await lab.command();
    return spawn(process.execPath, [file, ...args], { env, stdio: 'ignore' });
  };
  const mailsTo = (email: string) => lab.smtp.mails.filter(({ to }) => to === email);
  const messageIds = (email: string) =>
    mailsTo(email).map(({ raw }) => /^message-id: *(?:\r\n )?(\S+)/im.exec(raw)?.[1] ?? raw);
  const record = async (name: string) => (await lab.file(`state/records/${name}.yaml`)) ?? '';
  const remembered = async () => {
    const found = await lab.cluster.kubectl('get', 'configmaps', '-n', 'quiesce-system', '-o', 'name');
    return found.includes('quiesce-lifecycle-unrecorded') ? { met: true as const } : { seen: found };
  };
  const mailIs = async (email: string, count = 1) =>
    waitFor(`${count} mails to ${email}`, { seconds: 40, everyMs: 10 }, async () => {
      const { length } = mailsTo(email);
      return length >= count ? { met: true } : { seen: `${length}` };
    });

  it('killed after a mail was accepted and before the record was pushed: the next run records it, and sends nothing', async () => {
    const email = 'accept-lost@example.edu';
    await lab.push('Lost', warningDue('lost', email));
    // The first one is asked before anything is sent.
    lab.git.fault('ask-push', { kind: 'delay', milliseconds: 4000 }, 2);
    const program = await start();
    await waitFor('the mail to be remembered', { seconds: 40, everyMs: 50 }, remembered);
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect(await record('lost')).not.toContain('warnings');
    const next = await json();
    expect(next).toMatchObject({ status: 0, answer: { mails: [], summary: { mailsRemembered: 1 } } });
    expect((await record('lost')).match(/about: Sleep/g)).toHaveLength(1);
    expect((await json()).answer).toMatchObject({ commit: { kind: 'nothing' }, summary: { mailsRemembered: 0 } });
    expect(mailsTo(email)).toHaveLength(1);
  });

  itInSoak('killed while the push was under way: what arrived counts, and what did not is done again', async () => {
    const email = 'accept-pushing@example.edu';
    await lab.push('Pushing', warningDue('pushing', email));
    lab.git.fault('push', { kind: 'delay', milliseconds: 1500 });
    const program = await start();
    await mailIs(email);
    await waitFor('the push to begin', { seconds: 30, everyMs: 20 }, async () => {
      const stage = lab.git.requests.at(-1)?.stage;
      return stage === 'push' ? { met: true } : { seen: stage ?? 'nothing' };
    });
    program.kill('SIGKILL');
    await once(program, 'exit');
    await new Promise((done) => setTimeout(done, 2500));
    expect((await json()).status).toBe(0);
    expect((await record('pushing')).match(/about: Sleep/g)).toHaveLength(1);
    expect(new Set(messageIds(email)).size).toBe(1);
    expect((await json()).answer.commit).toEqual({ kind: 'nothing' });
  });

  itInSoak('killed between two letters: sends both again rather than forget one', async () => {
    const [first, second] = ['accept-one@example.edu', 'slow-3000-two@example.edu'];
    await lab.push('Two', { ...warningDue('one', first), ...warningDue('two', second) });
    const program = await start();
    await mailIs(first);
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect((await json()).status).toBe(0);
    expect(await record('one')).toContain('about: Sleep');
    expect(await record('two')).toContain('about: Sleep');
    expect([...new Set(messageIds(first)), ...new Set(messageIds(second))]).toHaveLength(2);
  });

  it('told to end while it waits for the mail server: writes down what was accepted, and leaves the rest', async () => {
    const [accepted, closing] = ['accept-before@example.edu', 'closing-after@example.edu'];
    await lab.push('Told', { ...warningDue('before', accepted), ...warningDue('later', closing) });
    const program = await start();
    await mailIs(accepted);
    await new Promise((done) => setTimeout(done, 1000));
    program.kill('SIGTERM');
    const [code] = await once(program, 'exit');
    expect(code).toBe(1);
    expect(await record('before')).toContain('about: Sleep');
    expect(await record('later')).not.toContain('warnings');
    await lab.push('No more', { 'state/claims/later.yaml': null, 'state/records/later.yaml': null });
  });

  it('that may not push sends nothing: nobody could tell the next run of it', async () => {
    const email = 'accept-unheard@example.edu';
    await lab.push('Unheard', warningDue('unheard', email));
    lab.git.fault('ask-push', { kind: 'status', code: 403 });
    const { status, answer } = await json();
    expect({ status, code: answer.problems[0].code }).toEqual({ status: 1, code: 'commit-credentials' });
    expect(mailsTo(email)).toEqual([]);
    expect((await json()).status).toBe(0);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('with an address that is refused: says so on record, and does nothing to the claim', async () => {
    await lab.push('Refused', warningDue('refused', 'reject-me@example.edu'));
    const { status, answer } = await json();
    expect(status).toBe(0);
    expect(answer.mails).toMatchObject([{ claim: 'refused', outcome: 'rejected' }]);
    expect(await record('refused')).toMatch(/rejections:\n {4}- to: reject-me@example.edu\n/);
  });

  itInSoak('with a person who edits the same claim meanwhile: their words stay', async () => {
    const email = 'accept-edited@example.edu';
    await lab.push('Edited', sleepDue('edited', email));
    await lab.applyTip();
    const theirs = ownedBy('edited', email).replace('# ask first', '# on leave');
    lab.git.competeOnce('platform', { file: 'state/claims/edited.yaml', content: theirs, message: 'By hand' });
    const { status, answer } = await json();
    expect({ status, attempts: answer.commit.attempts }).toEqual({ status: 0, attempts: 2 });
    expect(await lab.file('state/claims/edited.yaml')).toBe(
      ownedBy('edited', email, { state: 'Sleeping' }).replace('# ask first', '# on leave').trim(),
    );
  });

  it('with a person who renews meanwhile: it is not put to sleep', async () => {
    const email = 'accept-renewed@example.edu';
    const files = sleepDue('renewed', email);
    await lab.push('Renewed', files);
    await lab.applyTip();
    const before = files['state/records/renewed.yaml'] ?? '';
    const at = new Date().toISOString().replace(/\.\d{3}Z$/, 'Z');
    const content = `${before}  renewals:\n    - at: "${at}"\n`;
    lab.git.competeOnce('platform', { file: 'state/records/renewed.yaml', content, message: 'Renew' });
    expect((await json()).status).toBe(0);
    expect(await lab.file('state/claims/renewed.yaml')).toContain('state: Running');
  });

  itInSoak('twice at once: nobody gets more than the same mail twice, and git has everything once', async () => {
    const email = 'accept-twice@example.edu';
    await lab.push('Twice', { ...warningDue('twice', email), ...sleepDue('sleepy', 'accept-sleepy@example.edu') });
    await lab.applyTip();
    const results = await Promise.all([json(), json({ env: { QUIESCE_WORK: `${lab.cluster.sandbox.folder}/other` } })]);
    expect(results.map(({ status }) => status)).toEqual([0, 0]);
    expect(new Set(messageIds(email)).size).toBe(1);
    expect(await lab.file('state/claims/sleepy.yaml')).toContain('state: Sleeping');
    const said = (await lab.subjects()).slice(0, 2).join('\n');
    expect(said.match(/sleepy/g)?.length).toBeLessThanOrEqual(2);
    expect((await json()).answer.summary).toMatchObject({ asleep: 0, deletionsOrdered: 0 });
  });

  it('where nobody may push to the branch: says which setting helps, sends one mail, and proposes on another branch', async () => {
    const email = 'accept-guarded@example.edu';
    await lab.push('Guarded', warningDue('guarded', email));
    lab.git.hook('platform', 'update', 'case "$1" in refs/heads/main) echo "main is protected" >&2; exit 1;; esac');
    for (const mailsRemembered of [0, 1, 1]) {
      const refused = await json();
      expect(refused).toMatchObject({ status: 1, answer: { summary: { mailsRemembered } } });
      expect(refused.answer.problems[0]).toMatchObject({
        code: 'commit-refused',
        remedy: expect.stringContaining('git.state.push'),
      });
    }
    expect(mailsTo(email)).toHaveLength(1);
    lab.git.hook('platform', 'update', 'exit 0');
    const settings = (await lab.file('state/settings.yaml')) ?? '';
    const changed = settings.replace('    author:\n', '    state: { push: branch }\n    author:\n');
    await lab.push('Propose', { 'state/settings.yaml': `${changed}\n` });
    const proposed = await json();
    expect(proposed.answer.commit).toMatchObject({ kind: 'written', branch: 'quiesce/state' });
    expect((await json()).answer.commit).toEqual({ kind: 'nothing' });
    expect(mailsTo(email)).toHaveLength(1);
  });
});
