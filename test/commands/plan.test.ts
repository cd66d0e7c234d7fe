import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openFolder, openInstance, settings } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({ 'state/claims/ada.yaml': claimFile('ada') });
});
afterEach(() => instance.workshop.close());

const sleeps =
  'Virtual cluster ada on west goes to sleep: 1 control-plane replica and every pod in it stop, data stays.';

describe('quiesce plan', () => {
  it('compares the last commit with the work tree', async () => {
    expect(await instance.quiesce('plan')).toEqual({ status: 0, stdout: 'Nothing changes.\n', stderr: '' });
    await instance.quiesce('sleep', 'ada');
    expect(await instance.quiesce('plan')).toEqual({
      status: 0,
      stdout: `1 change\n\nGoing to sleep (1)\n  - ${sleeps}\n`,
      stderr: '',
    });
    expect(instance.has('out')).toBe(false);
  });

  it('compares any two commits', async () => {
    await instance.commit('Sleep', { 'state/claims/ada.yaml': claimFile('ada', '  state: Sleeping\n') });
    await instance.commit('Delete', { 'state/claims/ada.yaml': claimFile('ada', '  state: Deleted\n') });
    expect((await instance.quiesce('plan', '--from', 'HEAD~2', '--to', 'HEAD~1')).stdout).toContain(sleeps);
    expect((await instance.quiesce('plan', '--from', 'HEAD~1', '--to', 'HEAD')).stdout).toMatch(
      / {2}! Virtual cluster ada on west is ordered to be deleted.\n {4}everything in it is uninstalled and its data is lost\n/,
    );
    expect((await instance.quiesce('plan', '--from', 'HEAD', '--to', 'HEAD~1')).stdout).toMatch(/Deletion withdrawn/);
    expect((await instance.quiesce('plan', '--from', 'worktree', '--to', 'HEAD')).stdout).toBe('Nothing changes.\n');
  });

  it('--json gives the changes, --format markdown a comment', async () => {
    await instance.quiesce('sleep', 'ada');
    const json = await instance.quiesce('plan', '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      ok: true,
      from: 'HEAD',
      to: 'worktree',
      changes: [
        {
          kind: 'sleeps',
          subject: { kind: 'claim', name: 'ada', cluster: 'west' },
          text: sleeps,
          dangers: [],
          unit: 'claim/ada',
          needs: [],
          place: { file: 'state/claims/ada.yaml', line: 8, column: 10, endLine: 8, endColumn: 18 },
        },
      ],
      claims: [
        {
          cluster: 'west',
          before: { Running: 1, Sleeping: 0, Deleted: 0 },
          after: { Running: 0, Sleeping: 1, Deleted: 0 },
        },
      ],
      deadlines: [],
      problems: [],
    });
    expect((await instance.quiesce('plan', '--format', 'json')).stdout).toBe(json.stdout);
    expect((await instance.quiesce('plan', '--format', 'markdown')).stdout).toMatch(
      /^<!-- quiesce-plan -->\n### Quiesce: 1 change\n/,
    );
  });

  it('says which side has problems, and shows them', async () => {
    instance.write('state/claims/bob.yaml', claimFile('bob', '  stat: x\n'));
    const { status, stdout, stderr } = await instance.quiesce('plan');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The state in the work tree has problems, so there is nothing to compare.\n(?:.*\n)+? {2}error unknown-key/,
    );
    await instance.commit('Broken', { 'state/claims/bob.yaml': claimFile('bob', '  stat: x\n') });
    instance.write('state/claims/bob.yaml', claimFile('bob'));
    expect((await instance.quiesce('plan')).stderr).toMatch(/^The state at HEAD has problems/);
    expect(JSON.parse((await instance.quiesce('plan', '--json')).stdout)).toMatchObject({
      ok: false,
      at: 'HEAD',
      problems: [{ code: 'unknown-key' }],
    });
  });

  it('of two broken states it shows the one that can be mended', async () => {
    await instance.commit('Broken', { 'state/claims/bob.yaml': claimFile('bob', '  stat: x\n') });
    instance.write('state/claims/bob.yaml', claimFile('bob', '  replica: 3\n'));
    const { stderr } = await instance.quiesce('plan');
    expect(stderr).toMatch(/^The state in the work tree has problems/);
    expect(stderr).toContain('`replica`');
    expect(stderr).not.toContain('`stat`');
  });

  it('says what the compiler is going to refuse', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `claim-${letter}`);
    const files = (lines: string) =>
      Object.fromEntries(names.map((name) => [`state/claims/${name}.yaml`, claimFile(name, lines)]));
    await instance.commit('Claims', files(''));
    expect((await instance.quiesce('synth')).status).toBe(0);
    await instance.commit('Output', {});
    for (const [path, text] of Object.entries(files('  state: Deleted\n'))) instance.write(path, text);
    const { status, stdout } = await instance.quiesce('plan');
    expect(status).toBe(0);
    expect(stdout).toContain(
      '! This would remove 8 of 9 claims: claim-a, claim-b, claim-c, claim-d, claim-e and 3 more.',
    );
    expect(stdout).toContain('the compiler refuses it. If that is meant, say so with --allow-mass-removal 8;');
    const synth = await instance.quiesce('synth');
    expect(synth.stderr).toContain('This would remove 8 of 9 claims');
  });

  it('refuses a ref that does not exist', async () => {
    for (const args of [
      ['--from', 'nowhere'],
      ['--to', 'nowhere'],
      ['--from', '--output=x'],
    ]) {
      const { status, stderr } = await instance.quiesce('plan', ...args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error ref-unknown/);
    }
  });

  it('compares with nothing before the first state', async () => {
    const first = openFolder();
    first.write('state/settings.yaml', settings);
    const outside = await first.quiesce('plan');
    await first.git('init', '-q');
    const unborn = await first.quiesce('plan');
    first.write('README.md', '');
    await first.git('add', 'README.md');
    await first.git('commit', '-qm', 'Begin');
    const stateless = await first.quiesce('plan', '--from', 'HEAD');
    first.workshop.close();
    for (const { status, stdout, stderr } of [outside, unborn, stateless]) {
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: 'There is no state at HEAD yet: compared with nothing.\n',
      });
      expect(stdout).toMatch(/^1 change\n\nHost clusters added \(1\)\n/);
    }
  });

  it('compares folders', async () => {
    const text = claimFile('ada', '  state: Sleeping\n');
    instance.write('elsewhere/state/settings.yaml', settings);
    instance.write('elsewhere/state/claims/ada.yaml', text);
    expect((await instance.quiesce('plan', '--from', './', '--to', './elsewhere')).stdout).toContain(sleeps);
    expect((await instance.quiesce('plan', '--from', 'HEAD', '--to', './elsewhere')).stdout).toContain(sleeps);
    const { status, stderr } = await instance.quiesce('plan', '--from', './nowhere');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error ref-unknown {2}There is no folder "\.\/nowhere"\./);
  });

  it('believes the sources, whatever the inventory says of them', async () => {
    await instance.quiesce('synth');
    await instance.commit('Output', {});
    await instance.quiesce('delete', 'ada', '--yes');
    await instance.quiesce('synth');
    const honest = instance.read('out/inventory.jsonl');
    instance.write('out/inventory.jsonl', honest.replace('"state":"Deleted"', '"state":"Running"'));
    expect(instance.read('out/inventory.jsonl')).not.toBe(honest);
    await instance.commit('Delete, and say nothing of it', {});
    for (const more of [[], ['--objects']]) {
      const { stdout } = await instance.quiesce('plan', '--from', 'HEAD~1', '--to', 'HEAD', ...more);
      expect(stdout).toContain('! Virtual cluster ada on west is ordered to be deleted.');
    }
  });

  it('--objects says which fields of which objects differ, and writes nothing', async () => {
    await instance.quiesce('sleep', 'ada');
    const { stdout } = await instance.quiesce('plan', '--objects');
    expect(stdout).toMatch(
      /\nObjects of claim\/ada on west\n {2}~ StatefulSet ada in vcluster-ada\n(?: {6}\+ metadata\.annotations\[.*\n){3} {6}~ spec\.replicas: 1 → 0\n {2}~ VClusterClaim ada\n {6}~ spec\.state: "Running" → "Sleeping"\n$/,
    );
    expect(instance.has('out')).toBe(false);
    expect((await instance.quiesce('plan', '--objects', '--to', 'HEAD')).stdout).toBe('Nothing changes.\n');
  });

  it('--objects finds what the words do not tell, once', async () => {
    const role = (verbs: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - { apiGroups: [""], resources: [pods], verbs: [${verbs}] }
---
apiVersion: v1
kind: Secret
metadata: { name: key, namespace: shop }
stringData: { key: swordfish-${verbs.length} }
`;
    await instance.commit('Shop', {
      'state/installations/shop.yaml': `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata: { name: shop }
spec:
  cluster: west
  components:
    - { name: web, namespace: shop }
`,
      'state/installations/shop/web/web.yaml': role('get'),
    });
    instance.write('state/installations/shop/web/web.yaml', role('get, delete'));
    const { stdout } = await instance.quiesce('plan', '--objects', '--json');
    const { changes, objects } = JSON.parse(stdout) as { changes: object[]; objects: object[] };
    expect(changes).toMatchObject([
      { kind: 'component-changed' },
      {
        kind: 'object-changed',
        subject: { kind: 'object', name: 'ClusterRole reader', cluster: 'west' },
        dangers: [{ kind: 'rbac-widened', why: 'RBAC widened: it may delete pods in the whole cluster' }],
        unit: 'component/shop/web',
        place: { file: 'state/installations/shop.yaml', line: 7 },
      },
    ]);
    expect(objects).toMatchObject([{ unit: 'component/shop/web', cluster: 'west' }]);
    expect(stdout).not.toContain('swordfish');
    expect(stdout).toContain('(hidden)');
    expect((await instance.quiesce('plan', '--objects', '--json')).stdout).toBe(stdout);
  });

  it('--objects reports what cannot be rendered', async () => {
    const file = (lines: string) => claimFile('ada', `  chart: { chart: charts/none${lines} }\n`);
    instance.write('state/claims/ada.yaml', file(''));
    const { status, stderr } = await instance.quiesceWith({ QUIESCE_HELM: '/nowhere/helm' }, 'plan', '--objects');
    expect(status).toBe(1);
    expect(stderr).toMatch(/error (?:helm-missing|chart-\w+)/);
  });

  it('--report writes every form beside the answer', async () => {
    await instance.quiesce('sleep', 'ada');
    const reports = ['plan.html', 'plan.md', 'plan.sarif', 'plan.json', 'gitlab=quality.json', 'status=plan.status'];
    const { status, stdout } = await instance.quiesce('plan', ...reports.flatMap((report) => ['--report', report]));
    expect(status).toBe(0);
    expect(stdout).toContain(sleeps);
    expect(instance.read('plan.html')).toMatch(/^<!doctype html>\n/);
    expect(instance.read('plan.md')).toMatch(/^<!-- quiesce-plan -->\n/);
    expect(instance.read('plan.status')).toBe('1 change: sleep 1\n');
    expect(instance.read('plan.json')).toBe(
      (await instance.quiesce('plan', '--json')).stdout.replace(/,\n {2}"problems": \[\]/, ''),
    );
    expect(JSON.parse(instance.read('quality.json'))).toEqual([]);
  });

  it('--report puts problems in the place of a plan', async () => {
    instance.write('state/claims/bob.yaml', claimFile('bob', '  stat: x\n'));
    const { status, stdout, stderr } = await instance.quiesce(
      'plan',
      '--report',
      'plan.md',
      '--report',
      'plan.html',
      '--format',
      'status',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'The state has 1 problem: 1 error\n' });
    expect(stderr).toContain('error unknown-key');
    expect(instance.read('plan.md')).toContain('### Quiesce: no plan, 1 problem: 1 error\n');
    expect(instance.read('plan.html')).toContain('unknown-key');
  });

  it('refuses reports of which the form is not clear, or that cannot be written', async () => {
    expect(await instance.quiesce('plan', '--report', 'plan')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: --report plan: the form is not clear/),
    });
    const { status, stderr } = await instance.quiesce('plan', '--report', 'no/such/folder/plan.html');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error write-failed/);
  });

  it('works in a sub-folder of a repository', async () => {
    rmSync(join(instance.dir, 'state'), { recursive: true });
    await instance.commit('Move', {
      'platform/state/settings.yaml': settings,
      'platform/state/claims/ada.yaml': claimFile('ada'),
    });
    await instance.quiesce('-C', 'platform', 'sleep', 'ada');
    expect((await instance.quiesce('-C', 'platform/state', 'plan')).stdout).toContain(sleeps);
  });
});
