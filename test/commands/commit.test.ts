import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openInstance } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({ 'state/claims/ada.yaml': claimFile('ada') });
});
afterEach(() => instance.workshop.close());

describe('quiesce commit', () => {
  it('commits out/ with the plan as its message, once', async () => {
    await instance.quiesce('commit', '--no-push');
    const source = await instance.commit('Sleep', { 'state/claims/ada.yaml': claimFile('ada', '  state: Sleeping\n') });
    const { status, stdout, stderr } = await instance.quiesce('commit', '--no-push');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Committed [0-9a-f]{12} to out on main: Sleep ada\n2 files of the output changed.\n$/);
    const message = await instance.git('log', '-1', '--format=%an <%ae>%n%B');
    expect(message).toMatch(
      /^Quiesce <quiesce@example.edu>\nSleep ada\n\n- Virtual cluster ada on west goes to sleep: 1 control-plane/,
    );
    expect(message).toContain(`\n\nQuiesce-Source: ${source}\nQuiesce-Version: `);
    expect((await instance.quiesce('commit', '--no-push')).stdout).toBe(
      'Nothing to commit: out on main is up to date.\n',
    );
  });

  it('--dry-run commits nothing', async () => {
    const head = await instance.git('rev-parse', 'HEAD');
    expect((await instance.quiesce('commit', '--no-push', '--dry-run')).stdout).toMatch(
      /^Would commit to out on main: .*\n\d+ files of the output changed.\n$/,
    );
    expect(await instance.git('rev-parse', 'HEAD')).toBe(head);
    expect(instance.has('out')).toBe(false);
  });

  it('pushes to the remote', async () => {
    const bare = await instance.workshop.bare('remote');
    await instance.git('remote', 'add', 'origin', bare);
    await instance.git('push', '-q', '-u', 'origin', 'main');
    const { stdout } = await instance.quiesce('commit', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      result: { kind: 'committed', place: { remote: 'origin', branch: 'main', path: 'out' } },
    });
    const clone = await instance.workshop.clone(bare, 'clone');
    expect(clone.has('out/west/claims/ada/claim.k8s.yaml')).toBe(true);
  });

  it('does not take output for published that is committed here only', async () => {
    const bare = await instance.workshop.bare('remote');
    await instance.git('remote', 'add', 'origin', bare);
    await instance.quiesce('synth');
    await instance.git('add', '--all');
    await instance.git('commit', '-qm', 'State and output');
    expect((await instance.quiesce('commit')).stdout).toBe(
      'Nothing to commit, but out on main of origin lacks commits that are only here: run "git push".\n',
    );
    await instance.git('push', '-q', '-u', 'origin', 'main');
    expect((await instance.quiesce('commit')).stdout).toBe('Nothing to commit: out on main of origin is up to date.\n');
  });

  it('shows problems of the committed state, not of an edit', async () => {
    await instance.commit('Broken', { 'state/claims/bob.yaml': claimFile('bob', '  stat: x\n') });
    const { status, stderr } = await instance.quiesce('commit', '--no-push');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^state\/claims\/bob.yaml:8:3\n {2}error unknown-key/);
    expect(JSON.parse((await instance.quiesce('commit', '--no-push', '--json')).stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'unknown-key' }],
    });
  });

  it('refuses a dirty state, unless told to leave it out', async () => {
    instance.write('state/claims/ada.yaml', claimFile('ada', '  state: Sleeping\n'));
    expect(await instance.quiesce('commit', '--no-push')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/error commit-dirty-state/),
    });
    expect((await instance.quiesce('commit', '--no-push', '--allow-dirty')).stdout).toMatch(/^Committed /);
    expect(await instance.git('status', '--porcelain')).toBe('M state/claims/ada.yaml');
  });

  it('shows what is wrong with the committed settings at their place', async () => {
    const text = instance.read('state/settings.yaml');
    await instance.commit('Broken', { 'state/settings.yaml': text.replace('  git:', '  gti:') });
    instance.write('state/settings.yaml', text);
    const { status, stderr } = await instance.quiesce('commit', '--no-push');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /state\/settings.yaml:13:3\n {2}error unknown-key {2}`gti` is not known in `spec`.\n {2}13 \| {3}gti:/,
    );
  });

  it('says when there is no commit, no repository, no settings', async () => {
    const codeOf = async (): Promise<string | undefined> =>
      /error ([a-z-]+)/.exec((await instance.quiesce('commit', '--no-push')).stderr)?.[1];
    await instance.git('rm', '-q', '--cached', 'state/settings.yaml');
    await instance.git('commit', '-qm', 'Without');
    expect(await codeOf()).toBe('settings-missing');
    await instance.git('checkout', '-q', '--orphan', 'empty');
    expect(await codeOf()).toMatch(/^commit-/);
  });
});
