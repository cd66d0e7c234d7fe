import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { listTree, writeTree } from '../support/tree.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const shipped = listTree(join(repository, 'state'));

let base: string;
let command: string;
let expected: Readonly<Record<string, string>>;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-determinism-')));
  command = await builtCommand();
  expected = compiled(laid('plain'), {});
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The shipped state in a folder of its own, its files made in this order. */
function laid(name: string, paths: readonly string[] = [...shipped.keys()]): string {
  const root = join(base, name);
  writeTree(
    root,
    paths.map((path) => [`state/${path}`, shipped.get(path) ?? '']),
  );
  return root;
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly umask?: string;
}

function compiled(
  root: string,
  { env = {}, cwd = root, umask = '022' }: Surroundings,
): Readonly<Record<string, string>> {
  const line = 'umask "$1" && exec "$2" "$3" -C "$4" synth';
  execFileSync('sh', ['-c', line, 'sh', umask, process.execPath, command, root], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  return Object.fromEntries(listTree(join(root, 'out')));
}

describe('the same state gives the same bytes', () => {
  it.each([
    ['in a Turkish locale', { env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } }],
    ['in the C locale, west of everything', { env: { LC_ALL: 'C', LANG: 'C', TZ: 'Pacific/Pago_Pago' } }],
    ['in a German locale, east of everything', { env: { LC_ALL: 'de_DE.UTF-8', TZ: 'Pacific/Kiritimati' } }],
    ['with colours asked for, and in a CI', { env: { FORCE_COLOR: '1', CI: 'true', GITHUB_ACTIONS: 'true' } }],
    [
      'with settings of cdk8s and Node around',
      { env: { CDK8S_OUTDIR: '/nowhere', CDK8S_RECORD_CONSTRUCT_METADATA: 'true' } },
    ],
    ['called from another folder', { cwd: tmpdir() }],
    ['under a strict umask', { umask: '077' }],
  ] satisfies [string, Surroundings][])('%s', (name, surroundings) => {
    expect(compiled(laid(name), surroundings)).toEqual(expected);
  });

  it.each([
    ['made in the opposite order', [...shipped.keys()].reverse()],
    ['made in the order of their text', [...shipped.keys()].sort((a, b) => order(a) - order(b))],
  ])('from files %s', (name, paths) => {
    expect(compiled(laid(name, paths), {})).toEqual(expected);
  });

  it('in a folder with blanks, quotes and letters of other scripts', () => {
    expect(compiled(laid('it\'s a "köln" 東京 $HOME folder'), {})).toEqual(expected);
  });

  it('whether git knows the files or not, and on a clone', () => {
    const root = laid('repository');
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.edu', ...args], {
        cwd: root,
        stdio: 'pipe',
      });
    git('init', '--quiet');
    expect(compiled(root, {})).toEqual(expected);
    git('add', '--all');
    git('commit', '--quiet', '--no-gpg-sign', '-m', 'All');
    git('clone', '--quiet', root, join(base, 'clone'));
    rmSync(join(base, 'clone', 'out'), { recursive: true });
    expect(compiled(join(base, 'clone'), {})).toEqual(expected);
  });

  it('as a work tree of its own and as a folder of a larger repository', () => {
    const larger = join(base, 'larger');
    mkdirSync(larger);
    execFileSync('git', ['init', '--quiet', larger]);
    cpSync(laid('inner'), join(larger, 'clusters', 'inner'), { recursive: true });
    expect(compiled(join(larger, 'clusters', 'inner'), {})).toEqual(expected);
  });

  it('is what the repository ships in out/', () => {
    expect(expected).toEqual(Object.fromEntries(listTree(join(repository, 'out'))));
  });
});

it('files and folders of out/ follow the umask, as those of any other program', () => {
  const root = laid('umask');
  compiled(root, { umask: '027' });
  expect((statSync(join(root, 'out/inventory.jsonl')).mode & 0o777).toString(8)).toBe('640');
  expect((statSync(join(root, 'out')).mode & 0o777).toString(8)).toBe('750');
});

/** Mixes the files, the same way each time. */
function order(path: string): number {
  return [...path].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1009, 7);
}
