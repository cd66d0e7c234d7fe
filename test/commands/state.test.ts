import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openInstance } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({
    'state/claims/ada.yaml': claimFile('ada'),
    'state/claims/course/bob.yaml': claimFile('bob', '  protected: true\n  state: Sleeping\n'),
    'state/claims/eve.yaml': claimFile('eve', '  state: Deleted\n'),
  });
});
afterEach(() => instance.workshop.close());

const changed = async (): Promise<string> => instance.git('diff', '-U0', '--no-color', '--', 'state');

describe('quiesce sleep and wake', () => {
  it('change one word in each file, and say what comes next', async () => {
    expect(await instance.quiesce('sleep', 'ada')).toEqual({
      status: 0,
      stdout:
        'ada is to sleep: state/claims/ada.yaml\nNothing happens until this is committed and merged; "quiesce plan" shows what will.\n',
      stderr: '',
    });
    expect(instance.read('state/claims/ada.yaml')).toBe(claimFile('ada', '  state: Sleeping\n'));
    expect((await instance.quiesce('wake', 'ada', 'bob')).stdout).toMatch(
      /^ada is to run: .*\nbob is to run: state\/claims\/course\/bob.yaml\n/,
    );
    expect(await changed()).toMatch(/- {2}state: Sleeping\n\+ {2}state: Running$/);
    expect(instance.read('state/claims/ada.yaml')).toBe(claimFile('ada'));
  });

  it('say which dates stand when a claim is woken: that does not renew it', async () => {
    const dates = '  deadlines:\n    sleep: "2027-03-01T08:00:00Z"\n    delete: "2027-04-30T08:00:00Z"\n';
    const slept = '  asleep:\n    at: "2027-03-01T08:10:00Z"\n    deadline: "2027-03-01T08:00:00Z"\n';
    const record = (name: string, spec: string) =>
      `apiVersion: quiesce.dev/v1alpha1\nkind: Record\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
    for (const name of ['fay', 'gil'])
      instance.write(`state/claims/${name}.yaml`, claimFile(name, '  state: Sleeping\n'));
    instance.write('state/records/fay.yaml', record('fay', dates));
    instance.write('state/records/gil.yaml', record('gil', dates + slept));
    const { stdout } = await instance.quiesce('wake', 'fay', 'gil');
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'fay is to run: state/claims/fay.yaml',
      '  It is to be put to sleep on 2027-03-01T08:00:00Z and deleted on 2027-04-30T08:00:00Z: waking does not renew it, the link in its mails does.',
      'gil is to run: state/claims/gil.yaml',
      '  Its deletion on 2027-04-30T08:00:00Z stands: waking does not renew it, the link in its mails does.',
    ]);
  });

  it('do nothing twice', async () => {
    expect(await instance.quiesce('sleep', 'bob', 'bob')).toEqual({
      status: 0,
      stdout: 'bob is asleep already: nothing to do.\n',
      stderr: '',
    });
    expect(await instance.quiesce('wake', 'ada')).toEqual({
      status: 0,
      stdout: 'ada is running already: nothing to do.\n',
      stderr: '',
    });
    expect(await changed()).toBe('');
  });

  it("add the line where there is none, with the file's own line endings and mark", async () => {
    const path = join(instance.dir, 'state/claims/new.yaml');
    const text = `\ufeff${claimFile('new', '  replicas: 3\n')}`.replaceAll('\n', '\r\n');
    writeFileSync(path, text);
    expect((await instance.quiesce('sleep', 'new')).status).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(
      text.replace('# who is warned\r\n', '# who is warned\r\n  state: Sleeping\r\n'),
    );
  });

  it('refuse a claim that is ordered to be deleted', async () => {
    const { status, stderr } = await instance.quiesce('wake', 'eve');
    expect(status).toBe(1);
    expect(stderr).toBe(`state/claims/eve.yaml:8:10
  error claim-deletion-ordered  "eve" is ordered to be deleted.
  8 |   state: Deleted
    |          ^^^^^^^
  → If that is not merged yet, take it back with "git restore state/claims/eve.yaml"; afterwards its uninstall may have begun, and what it deleted does not come back.

1 problem: 1 error
`);
  });

  it('change all or none, and show every mistake', async () => {
    const { status, stdout, stderr } = await instance.quiesce('sleep', 'ada', 'bop', 'eve');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/claim-unknown {2}There is no claim called "bop".\n {2}→ Did you mean "bob"\?/);
    expect(stderr).toMatch(/claim-deletion-ordered/);
    expect(await changed()).toBe('');
  });

  it('work while another file is broken, and say which file is when it is the one', async () => {
    instance.write('state/claims/bad.yaml', 'kind: VClusterClaim\nmetadata: {name: bad\n');
    expect((await instance.quiesce('sleep', 'ada')).status).toBe(0);
    expect((await instance.quiesce('sleep', 'bad')).stderr).toMatch(
      /^state\/claims\/bad.yaml\n {2}error claim-unknown {2}There is no claim called "bad" that could be read, but state\/claims\/bad.yaml mentions it.\n {2}→ Run "quiesce validate"/,
    );
  });

  it('refuse a name that is declared twice', async () => {
    instance.write('state/claims/course/ada.yaml', claimFile('ada'));
    expect((await instance.quiesce('sleep', 'ada')).stderr).toMatch(
      /claim-repeated {2}"ada" is declared in state\/claims\/ada.yaml and in state\/claims\/course\/ada.yaml/,
    );
  });

  it('refuse what cannot be edited faithfully', async () => {
    instance.write('state/claims/ada.yaml', claimFile('ada', '  state: &s Running\n  values: { mode: *s }\n'));
    const { status, stderr } = await instance.quiesce('sleep', 'ada');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /state\/claims\/ada.yaml:8:\d+\n {2}error edit-by-hand .*\n(?:.*\n)*? {2}→ Set `spec.state: Sleeping` by hand./,
    );
  });

  it('--dry-run shows the diff and writes nothing', async () => {
    expect(await instance.quiesce('sleep', 'ada', '--dry-run')).toEqual({
      status: 0,
      stdout: `--- a/state/claims/ada.yaml
+++ b/state/claims/ada.yaml
@@ -5,4 +5,4 @@
   name: ada
 spec:
   owner: { name: Ada, email: ada@example.edu } # who is warned
-  state: Running
+  state: Sleeping
`,
      stderr: '',
    });
    expect(await changed()).toBe('');
  });

  it('--json tells what was done', async () => {
    const { stdout } = await instance.quiesce('sleep', 'ada', 'bob', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      dryRun: false,
      claims: [
        { name: 'ada', file: 'state/claims/ada.yaml', from: 'Running', to: 'Sleeping', changed: true },
        { name: 'bob', file: 'state/claims/course/bob.yaml', from: 'Sleeping', to: 'Sleeping', changed: false },
      ],
      problems: [],
    });
    expect(JSON.parse((await instance.quiesce('sleep', 'nobody', '--json')).stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'claim-unknown' }],
    });
  });

  it('work from any folder of the repository, and with -C on either side', async () => {
    expect((await instance.quiesceWith({}, '-C', 'state/claims/course', 'sleep', 'ada')).status).toBe(0);
    expect((await instance.quiesceWith({}, 'wake', 'ada', '-C', 'state')).status).toBe(0);
  });

  it("keep a file's mode and a link a link, and follow none that leaves state/", async () => {
    const file = join(instance.dir, 'state/claims/ada.yaml');
    chmodSync(file, 0o640);
    instance.write('elsewhere.yaml', claimFile('out'));
    instance.write('state/shared/lin.yaml', claimFile('lin'));
    symlinkSync('../shared/lin.yaml', join(instance.dir, 'state/claims/lin.yaml'));
    symlinkSync('../../elsewhere.yaml', join(instance.dir, 'state/claims/out.yaml'));
    expect((await instance.quiesce('sleep', 'ada', 'lin')).status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(instance.read('state/shared/lin.yaml')).toBe(claimFile('lin', '  state: Sleeping\n'));
    expect((await instance.quiesce('sleep', 'out')).stderr).toMatch(/claim-unknown/);
    expect(instance.read('elsewhere.yaml')).toBe(claimFile('out'));
  });
});

describe('quiesce delete', () => {
  it('needs --yes where nobody can be asked', async () => {
    const { status, stderr } = await instance.quiesce('delete', 'ada');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'error: without a terminal to ask on, "quiesce delete" needs --yes\n',
    });
    expect(await changed()).toBe('');
  });

  it('orders the deletion with --yes', async () => {
    expect((await instance.quiesce('delete', 'ada', '--yes')).stdout).toMatch(
      /^ada is to be deleted: state\/claims\/ada.yaml\n/,
    );
    expect(instance.read('state/claims/ada.yaml')).toBe(claimFile('ada', '  state: Deleted\n'));
    expect((await instance.quiesce('delete', 'eve', '-y')).stdout).toBe(
      'eve is ordered to be deleted already: nothing to do.\n',
    );
  });

  it('refuses protected claims, and then all of them', async () => {
    const { status, stderr } = await instance.quiesce('delete', 'ada', 'bob', '--yes');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^state\/claims\/course\/bob.yaml:8:14\n {2}error claim-protected-deleted {2}"bob" is protected.\n(?:.*\n){2} {2}→ Remove `protected` in a change of its own/,
    );
    expect(await changed()).toBe('');
  });

  it('--dry-run needs no --yes', async () => {
    const { status, stdout } = await instance.quiesce('delete', 'ada', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^- {2}state: Running\n\+ {2}state: Deleted$/m);
    expect(await changed()).toBe('');
  });
});
