import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { guessForge } from '../../src/init/forge.ts';
import { listTree } from '../support/tree.ts';
import { type Instance, openFolder } from './instance.ts';

let folder: Instance;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => folder.workshop.close());

describe('quiesce init', () => {
  it('makes an instance that compiles at once, without a warning', async () => {
    await folder.git('init', '-q');
    const { status, stdout, stderr } = await folder.quiesce('init');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote {7}state\/settings.yaml\nwrote {7}state\/claims\/hello.yaml\n/);
    expect(stdout).toMatch(
      /\n\nNext: change what is marked CHANGE in state\/settings.yaml, then run "quiesce synth".\n$/,
    );
    const synth = await folder.quiesce('synth');
    expect({ status: synth.status, stderr: synth.stderr }).toEqual({ status: 0, stderr: '' });
    expect(synth.stdout).toMatch(/^ {2}\+ out\/main\/claims\/hello\/claim.k8s.yaml$/m);
    expect(await folder.git('status', '--porcelain', '--ignored')).toContain('!! .quiesce/');
  });

  it('gives every state file the comments by which editors find its schema', async () => {
    await folder.quiesce('init');
    for (const [path, schema] of [
      ['state/settings.yaml', 'schemas/settings.schema.json'],
      ['state/claims/hello.yaml', '../schemas/vclusterclaim.schema.json'],
    ] as const) {
      expect(folder.read(path)).toMatch(
        new RegExp(`^# yaml-language-server: \\$schema=${schema}\n# \\$schema: ${schema}\n`),
      );
      expect(folder.has(join(path, '..', schema))).toBe(true);
    }
  });

  it('changes nothing the second time', async () => {
    await folder.quiesce('init', '--cdk8s');
    const before = listTree(folder.dir);
    const { stdout } = await folder.quiesce('init', '--cdk8s');
    expect(stdout).not.toMatch(/wrote|Next/);
    expect(stdout).toMatch(/^has already cdk8s.yaml$/m);
    expect(listTree(folder.dir)).toEqual(before);
  });

  it('overwrites nothing, and says what to do about it', async () => {
    const mine = {
      'README.md': '# Mine\n',
      '.gitignore': 'node_modules/\n',
      '.gitlab-ci.yml': 'stages: [test]\n',
      'state/settings.yaml': '# mine\n',
    };
    for (const [path, text] of Object.entries(mine)) folder.write(path, text);
    mkdirSync(join(folder.dir, 'state/claims'), { recursive: true });
    const { stdout } = await folder.quiesce('init');
    for (const [path, text] of Object.entries(mine)) expect(folder.read(path)).toBe(text);
    expect(stdout).toMatch(/^keeps yours state\/settings.yaml$/m);
    expect(stdout).toMatch(/^keeps yours README.md$/m);
    expect(stdout).toMatch(/^keeps yours .gitignore {2}Add ".quiesce\/" to it.$/m);
    expect(stdout).toMatch(/^keeps yours .gitlab-ci.yml {2}Include ".gitlab\/quiesce.yml" from it/m);
    // An example claim in somebody's instance would be a claim that nobody asked for.
    expect(folder.has('state/claims/hello.yaml')).toBe(false);
    folder.write('.gitignore', 'node_modules/\r\n.quiesce/\r\n');
    expect((await folder.quiesce('init')).stdout).toMatch(/^keeps yours .gitignore$/m);
  });

  it('fills in what git knows, and no password', async () => {
    await folder.git('init', '-q', '--initial-branch=trunk');
    await folder.git('remote', 'add', 'origin', 'https://ada:secret@gitlab.example.edu/platform/state.git');
    await folder.quiesce('init');
    const { spec } = parse(folder.read('state/settings.yaml')) as { spec: { git: object } };
    expect(spec.git).toMatchObject({ url: 'https://gitlab.example.edu/platform/state.git', branch: 'trunk' });
    expect(folder.has('.gitlab/quiesce.yml')).toBe(true);
    expect((await folder.quiesce('validate')).stdout).toMatch(/^Valid: /);
  });

  it('--dry-run and --json write and tell the same', async () => {
    const { stdout } = await folder.quiesce('init', '--dry-run');
    expect(stdout).toMatch(/^would write state\/settings.yaml$/m);
    expect(listTree(folder.dir).size).toBe(0);
    const { files } = JSON.parse((await folder.quiesce('init', '--json')).stdout) as {
      files: readonly { path: string; action: string }[];
    };
    expect(
      files
        .filter(({ action }) => action === 'written')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...listTree(folder.dir).keys()].sort());
  });

  it.each([
    [[], '', 'This is no git repository yet: "git init" makes it one.\n'],
    [['init', '-q'], '', ''],
    [
      ['init', '-q'],
      'sub',
      'This is the folder sub of a larger repository, and workflows are read at its top only: move them there, and add "-C sub" to their commands.\n',
    ],
  ])('says what is to be done about git: after %j, in "%s"', async (git, sub, note) => {
    if (git.length > 0) await folder.git(...git);
    mkdirSync(join(folder.dir, sub), { recursive: true });
    const { stdout } = await folder.quiesce('-C', join(folder.dir, sub), 'init', '--dry-run');
    expect(stdout.slice(stdout.indexOf('\n\n') + 2)).toBe(
      `${note}Next: change what is marked CHANGE in state/settings.yaml, then run "quiesce synth".\n`,
    );
  });

  it('stays in the folder it is told, even below another instance', async () => {
    await folder.quiesce('init');
    mkdirSync(join(folder.dir, 'inner'));
    await folder.quiesce('-C', 'inner', 'init', '--ci', 'none');
    expect(folder.has('inner/state/settings.yaml')).toBe(true);
    expect(folder.has('inner/.github')).toBe(false);
  });

  it("takes a folder in the place of a file as somebody's own", async () => {
    mkdirSync(join(folder.dir, 'README.md'));
    writeFileSync(join(folder.dir, '.github'), 'a file');
    const { status, stdout } = await folder.quiesce('init', '--ci', 'none');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^keeps yours README.md$/m);
  });
});

describe('what is in the way', () => {
  it('is named, and the rest can be made up for later', async () => {
    writeFileSync(join(folder.dir, '.github'), 'a file');
    const { status, stdout, stderr } = await folder.quiesce('init');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /error write-failed {2}.github\/workflows\/quiesce-plan.yaml could not be written: .*\n {2}→ Move what is in the way/,
    );
    rmSync(join(folder.dir, '.github'));
    expect((await folder.quiesce('init')).stdout).toMatch(/^wrote {7}.github\/workflows\/quiesce-plan.yaml$/m);
  });

  it('is named by schema, too', async () => {
    folder.write('schemas', 'a file');
    expect(await folder.quiesce('schema', '--out', 'schemas')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/error write-failed/),
    });
  });
});

describe('guessForge', () => {
  it.each([
    [{ branch: 'main', entries: [] }, 'github'],
    [{ branch: 'main', entries: ['.gitlab-ci.yml'], url: 'https://github.com/a/b' }, 'gitlab'],
    [{ branch: 'main', entries: ['.forgejo'] }, 'forgejo'],
    [{ branch: 'main', entries: [], url: 'git@gitlab.example.edu:a/github.git' }, 'gitlab'],
    [{ branch: 'main', entries: [], url: 'ssh://git@codeberg.org/a/b.git' }, 'forgejo'],
    [{ branch: 'main', entries: [], url: 'https://gitea.example.edu/a/b' }, 'forgejo'],
  ])('%j is %s', (repository, forge) => {
    expect(guessForge(repository)).toBe(forge);
  });
});
