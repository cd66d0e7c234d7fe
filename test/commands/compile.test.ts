import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listTree } from '../support/tree.ts';
import { builtCommand } from './built.ts';
import { claimFile, type Instance, openFolder, openInstance } from './instance.ts';

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({ 'state/claims/ada.yaml': claimFile('ada') });
});
afterEach(() => instance.workshop.close());

const wrong = claimFile('bob', '  stat: Running\n');

describe('quiesce validate', () => {
  it('says that all is well', async () => {
    expect(await instance.quiesce('validate')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Valid: \d+ units, no problems.\n$/),
      stderr: '',
    });
    expect(instance.has('out')).toBe(false);
  });

  it('answers with every problem on stdout, and status 1', async () => {
    instance.write('state/claims/bob.yaml', wrong);
    const { status, stdout, stderr } = await instance.quiesce('validate');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toBe(`state/claims/bob.yaml:8:3
  error unknown-key  \`stat\` is not known in \`spec\`.
  8 |   stat: Running
    |   ^^^^
  → Did you mean \`state\`?

1 problem: 1 error
`);
  });

  it('--json, --format json, sarif, github', async () => {
    instance.write('state/claims/bob.yaml', wrong);
    const json = await instance.quiesce('validate', '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'unknown-key', place: { file: 'state/claims/bob.yaml', line: 8, column: 3 } }],
    });
    expect((await instance.quiesce('validate', '--format', 'json')).stdout).toBe(json.stdout);
    const sarif = await instance.quiesce('validate', '--format', 'sarif');
    expect(sarif.status).toBe(1);
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'unknown-key' }] }],
    });
    expect((await instance.quiesce('validate', '--format', 'github')).stderr).toMatch(
      /^::error file=state\/claims\/bob.yaml,line=8,/m,
    );
  });

  it('annotates by itself in a GitHub workflow', async () => {
    instance.write('state/claims/bob.yaml', wrong);
    const env = { GITHUB_ACTIONS: 'true' };
    const { stdout, stderr } = await instance.quiesceWith(env, 'validate');
    expect(stderr).toMatch(/^::error file=state\/claims\/bob.yaml,/m);
    expect(stdout).toMatch(/^1 problem: 1 error$/m);
    expect((await instance.quiesceWith(env, 'validate', '--json')).stderr).toBe('');
  });

  it('says how to begin where there is nothing', async () => {
    const folder = openFolder();
    const { status, stdout } = await folder.quiesce('validate');
    folder.workshop.close();
    expect(status).toBe(1);
    expect(stdout).toMatch(/settings-missing .*\n {2}→ Run "quiesce init"/);
  });
});

describe('quiesce synth', () => {
  it('writes out/, tells which files, and does nothing the second time', async () => {
    const { status, stdout, stderr } = await instance.quiesce('synth');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}\+ out\/west\/claims\/ada\/claim.k8s.yaml$/m);
    expect(stdout).toMatch(/\n\d+ files of out\/ changed; \d+ units in all.\n$/);
    expect((await instance.quiesce('synth')).stdout).toMatch(/^out\/ is up to date: \d+ units.\n$/);
    instance.write('state/claims/ada.yaml', claimFile('ada', '  state: Sleeping\n'));
    expect((await instance.quiesce('synth')).stdout).toMatch(
      /^ {2}~ out\/inventory.jsonl\n {2}~ out\/west\/claims\/ada\/claim.k8s.yaml\n2 files of out\/ changed; /,
    );
  });

  it('--dry-run writes nothing', async () => {
    expect((await instance.quiesce('synth', '--dry-run')).stdout).toMatch(/ files of out\/ would change; /);
    expect(instance.has('out')).toBe(false);
  });

  it('--check fails and shows how out/ differs, until it does not', async () => {
    await instance.quiesce('synth');
    expect(await instance.quiesce('synth', '--check')).toMatchObject({ status: 0, stderr: '' });
    const before = listTree(join(instance.dir, 'out'));
    instance.write('state/claims/ada.yaml', claimFile('ada', '  state: Sleeping\n'));
    const { status, stdout, stderr } = await instance.quiesce('synth', '--check');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^- {2}replicas: 1\n\+ {2}replicas: 0$/m);
    expect(stderr).toMatch(/error out-stale .*\n {2}→ Run "quiesce synth" and commit out\/./);
    expect(listTree(join(instance.dir, 'out'))).toEqual(before);
    expect(JSON.parse((await instance.quiesce('synth', '--check', '--json')).stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'out-stale' }],
    });
  });

  it('puts problems on stderr and leaves out/ as it is', async () => {
    await instance.quiesce('synth');
    const before = listTree(join(instance.dir, 'out'));
    instance.write('state/claims/bob.yaml', wrong);
    const { status, stdout, stderr } = await instance.quiesce('synth');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/unknown-key/);
    expect(listTree(join(instance.dir, 'out'))).toEqual(before);
  });

  it('names files that are not ours and leaves them', async () => {
    await instance.quiesce('synth');
    instance.write('out/west/NOTES', 'mine');
    instance.write('state/claims/bob.yaml', claimFile('bob'));
    const { status, stderr } = await instance.quiesce('synth');
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'out/west/NOTES is not ours and was left alone.\n' });
    expect(instance.read('out/west/NOTES')).toBe('mine');
  });

  it('--json lists files and counts', async () => {
    const { stdout } = await instance.quiesce('synth', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      dryRun: false,
      foreign: [],
      problems: [],
      files: expect.arrayContaining([{ path: 'west/claims/ada/claim.k8s.yaml', change: 'added' }]),
    });
  });

  it('ends quietly when nobody reads on', async () => {
    const command = `"${process.execPath}" "${await builtCommand()}" synth --check --json | head -c 1`;
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: instance.dir,
      env: instance.workshop.env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('quiesce schema', () => {
  it('writes the schemas, and only where they differ', async () => {
    const { stdout } = await instance.quiesce('schema');
    expect(stdout).toMatch(/^settings.schema.json written$/m);
    const schema = JSON.parse(instance.read('state/schemas/settings.schema.json')) as object;
    expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
    rmSync(join(instance.dir, 'state/schemas/record.schema.json'));
    const again = (await instance.quiesce('schema')).stdout;
    expect(again.match(/ written$/gm)).toHaveLength(1);
    expect(again).toMatch(/^record.schema.json written$/m);
    expect((await instance.quiesce('validate')).status).toBe(0);
  });

  it('--out and --dry-run', async () => {
    expect((await instance.quiesce('schema', '--out', 'elsewhere', '--dry-run')).stdout).toMatch(/ would be written$/m);
    expect(instance.has('elsewhere')).toBe(false);
    await instance.quiesce('-C', 'state', 'schema', '--out', '../elsewhere');
    expect(readFileSync(join(instance.dir, 'elsewhere/vclusterclaim.schema.json'), 'utf8')).toMatch(/VClusterClaim/);
  });
});
