import { describe, expect, it } from 'vitest';
import { type DestinationInputs, destinationOf, isBranchName } from '../../src/commit/destination.ts';
import { target } from './stand-in.ts';

const oneRemote = new Map([['remote.origin.url', ['https://git.example.com/platform.git']]]);
const base: DestinationInputs = {
  target,
  stateBranch: 'main',
  settingsAt: { kind: 'file', file: 'state/settings.yaml' },
  repository: { branch: 'main', prefix: '', config: oneRemote },
  push: true,
  anyBranch: false,
};
const on = (repository: Partial<DestinationInputs['repository']>): DestinationInputs['repository'] => ({
  ...base.repository,
  ...repository,
});
const detached = { prefix: '', config: oneRemote };

describe('destinationOf', () => {
  it.each<[string, Partial<DestinationInputs>, object]>([
    [
      'the checked-out branch',
      {},
      { remote: 'origin', base: 'main', path: 'out', sharesState: true, isCheckedOut: true },
    ],
    ['a feature branch', { repository: on({ branch: 'f' }) }, { base: 'f', sharesState: true, isCheckedOut: true }],
    ['a detached HEAD', { repository: detached }, { base: 'main', sharesState: true, isCheckedOut: false }],
    [
      'another branch',
      { target: { ...target, branch: 'rendered', path: 'live/' } },
      { base: 'rendered', path: 'live', sharesState: false, isCheckedOut: false },
    ],
    [
      'the state branch by name',
      { target: { ...target, branch: 'main' }, repository: detached },
      { base: 'main', sharesState: true, isCheckedOut: false },
    ],
    [
      'another repository',
      { target: { ...target, url: 'https://git.example.com/rendered.git' } },
      { url: 'https://git.example.com/rendered.git', base: 'main', sharesState: false },
    ],
    [
      'this repository by its address',
      { target: { ...target, url: 'https://bot:x@git.example.com/platform/' } },
      { remote: 'origin', base: 'main', sharesState: true },
    ],
    [
      'a pull request',
      { target: { ...target, push: 'branch' } },
      { base: 'main', review: 'quiesce/out', sharesState: true, isCheckedOut: false },
    ],
    ['a folder of a larger repository', { repository: on({ prefix: 'platform/' }) }, { path: 'platform/out' }],
    [
      'no folder of the other branch',
      { target: { ...target, branch: 'rendered' }, repository: on({ prefix: 'platform/' }) },
      { path: 'out' },
    ],
    ['no remote', { repository: on({ config: new Map() }) }, { base: 'main' }],
    [
      'any branch, if it is meant',
      { target: { ...target, branch: 'preview' }, repository: on({ branch: 'f' }), anyBranch: true },
      { base: 'preview', sharesState: false },
    ],
  ])('%s', (_, inputs, destination) => {
    expect(destinationOf({ ...base, ...inputs })).toMatchObject({ kind: 'ok', destination });
  });

  it.each<[string, Record<string, string[]>, string | undefined]>([
    ['the push remote of the branch', { 'branch.main.pushremote': ['fork'], 'branch.main.remote': ['origin'] }, 'fork'],
    ['the default of all branches', { 'remote.pushdefault': ['fork'], 'branch.main.remote': ['origin'] }, 'fork'],
    ['the upstream', { 'branch.main.remote': ['upstream'] }, 'upstream'],
    ['origin', { 'branch.main.remote': ['.'] }, 'origin'],
    ['the last of several values', { 'branch.main.remote': ['fork', 'upstream'] }, 'upstream'],
  ])('pushes to %s', (_, config, remote) => {
    const urls = Object.fromEntries(['fork', 'origin', 'upstream'].map((name) => [`remote.${name}.url`, ['x']]));
    const repository = on({ config: new Map(Object.entries({ ...urls, ...config })) });
    expect(destinationOf({ ...base, repository })).toMatchObject({ destination: { remote } });
  });

  it.each<[string, Partial<DestinationInputs>, string]>([
    ['the top folder', { target: { ...target, path: '.' } }, 'commit-target-invalid'],
    ['a way out', { target: { ...target, path: '../out' } }, 'commit-target-invalid'],
    ['an absolute path', { target: { ...target, path: '/out' } }, 'commit-target-invalid'],
    ["git's own folder", { target: { ...target, path: '.Git/out' } }, 'commit-target-invalid'],
    ['state/', { target: { ...target, path: 'state/out' } }, 'commit-target-invalid'],
    ['a branch that is an option', { target: { ...target, branch: '--force' } }, 'commit-target-invalid'],
    [
      'a pull request into itself',
      { target: { ...target, push: 'branch', pullRequestBranch: 'main' } },
      'commit-target-invalid',
    ],
    [
      'another repository without a push',
      { target: { ...target, url: 'https://x/y' }, push: false },
      'commit-target-invalid',
    ],
    [
      'state of a feature branch for everybody',
      { target: { ...target, branch: 'rendered' }, repository: on({ branch: 'f' }) },
      'commit-wrong-branch',
    ],
    [
      'the state branch from a feature branch',
      { target: { ...target, branch: 'main' }, repository: on({ branch: 'f' }) },
      'commit-wrong-branch',
    ],
    [
      'several remotes',
      {
        repository: on({
          config: new Map([
            ['remote.a.url', ['x']],
            ['remote.b.url', ['y']],
          ]),
        }),
      },
      'commit-remote-unclear',
    ],
  ])('refuses %s', (_, inputs, code) => {
    expect(destinationOf({ ...base, ...inputs })).toMatchObject({ kind: 'stop', finding: { code } });
  });
});

describe('isBranchName', () => {
  it.each(['main', 'a/b', 'quiesce/out', 'feature-1', 'ünïcode', 'v1.2'])('accepts %s', (name) =>
    expect(isBranchName(name)).toBe(true),
  );
  it.each([
    '',
    '@',
    'HEAD',
    '-x',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    '[a',
    'a\\b',
    'a//b',
    '/a',
    'a/',
    '.a',
    'a/.b',
    'a.lock',
    'a.',
    'a@{1}',
    'a\nb',
  ])('refuses %j', (name) => expect(isBranchName(name)).toBe(false));
});
