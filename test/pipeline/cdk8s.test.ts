import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { fingerprint } from '../support/repo.ts';
import { isolatedEnvironment } from '../support/temp-repo.ts';
import { listTree, writeTree } from '../support/tree.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const cdk8s = join(dirname(createRequire(import.meta.url).resolve('cdk8s-cli/package.json')), 'bin', 'cdk8s');

let base: string;
let dist: string;
let root: string;
let env: Record<string, string>;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-cdk8s-')));
  env = isolatedEnvironment(base);
  dist = dirname(await builtCommand());
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A copy of the repository as a person who cloned and built it has it. */
beforeEach(() => {
  root = mkdtempSync(join(base, 'clone-'));
  for (const name of ['state', 'out', 'cdk8s.yaml', 'package.json', '.gitignore']) {
    cpSync(join(repository, name), join(root, name), { recursive: true });
  }
  cpSync(dist, join(root, 'dist/cli'), { recursive: true });
});

function run(program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

const synth = (...args: readonly string[]) => run(cdk8s, 'synth', '--check-upgrade=false', ...args);
const quiesce = (...args: readonly string[]) => run(join(root, 'dist/cli/main.js'), ...args);
const tree = (folder: string) => Object.fromEntries(listTree(join(root, folder)));
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: root, env, encoding: 'utf8' });

function commitAll(): void {
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'All');
}

describe('cdk8s synth', () => {
  it('gives the bytes of quiesce synth, with the cdk8s.yaml that is shipped', () => {
    rmSync(join(root, 'out'), { recursive: true });
    expect(synth()).toMatchObject({ status: 0 });
    const [given, out] = [tree('.quiesce/cdk8s'), tree('out')];
    rmSync(join(root, 'out'), { recursive: true });
    rmSync(join(root, '.quiesce'), { recursive: true });
    expect(quiesce('synth')).toMatchObject({ status: 0 });
    expect(given).toEqual(tree('out'));
    expect(out).toEqual(tree('out'));
  });

  it('gives all of it again when nothing has changed', () => {
    synth();
    rmSync(join(root, '.quiesce/cdk8s'), { recursive: true });
    expect(synth()).toMatchObject({ status: 0 });
    expect(tree('.quiesce/cdk8s')).toEqual(tree('out'));
  });

  it('fails on a state with a Problem, shows it, and leaves out/ alone', () => {
    const before = fingerprint(join(root, 'out'));
    writeTree(root, [['state/claims/broken.yaml', 'kind: VClusterClaim\n']]);
    const { status, said } = synth();
    expect(status).not.toBe(0);
    expect(said).toContain('error missing-key  `apiVersion` is missing.');
    expect(fingerprint(join(root, 'out'))).toEqual(before);
  });

  it('fails on a claim that vanished', () => {
    const before = fingerprint(join(root, 'out'));
    rmSync(join(root, 'state/claims/web-engineering.yaml'));
    const { status, said } = synth();
    expect(status).not.toBe(0);
    expect(said).toContain('run "quiesce delete web-engineering"');
    expect(fingerprint(join(root, 'out'))).toEqual(before);
  });

  it('with -o out, which cdk8s empties first, gives the same and loses no check that looks back', () => {
    quiesce('synth');
    commitAll();
    const before = tree('out');
    expect(synth('-o', 'out')).toMatchObject({ status: 0 });
    expect(tree('out')).toEqual(before);
    expect(git('status', '--porcelain')).toBe('');
    rmSync(join(root, 'state/claims/web-engineering.yaml'));
    const { status, said } = synth('-o', 'out');
    expect(status).not.toBe(0);
    expect(said).toContain('error claim-vanished');
  });
});
