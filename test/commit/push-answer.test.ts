import { describe, expect, it } from 'vitest';
import { fetchFailure, pushAnswer } from '../../src/commit/push-answer.ts';
import { line, pushes } from './push-texts.ts';

describe('pushAnswer', () => {
  it.each(pushes)('$name: $kind', ({ kind, stdout = '', stderr }) => {
    expect(pushAnswer({ code: 1, stdout, stderr }).kind).toBe(kind);
  });

  it('a successful push says where to open a pull request, without progress', () => {
    const stderr =
      'remote: Resolving deltas: 100% (6/7)\rremote: \nremote: Create a pull request for "quiesce/out" on GitHub by visiting:        \nremote:      https://github.com/acme/platform/pull/new/quiesce/out        \nremote: \n';
    expect(pushAnswer({ code: 0, stdout: '', stderr })).toEqual({
      kind: 'pushed',
      said: 'Create a pull request for "quiesce/out" on GitHub by visiting:\n     https://github.com/acme/platform/pull/new/quiesce/out',
    });
  });

  it("shows the hook's words, and neither credentials nor terminal escapes", () => {
    const answer = pushAnswer({
      code: 1,
      stdout: line('!', '[remote rejected] (pre-receive hook declined)'),
      stderr:
        "remote: \u001b[31mno tickets\u001b[0m\u0007, no push\nhint: never mind\nerror: failed to push some refs to 'https://bot:s3cret@git.example.com/x.git'\n",
    });
    expect(answer.said).toBe('[remote rejected] (pre-receive hook declined)\nno tickets, no push');
  });

  it('cuts a hook that talks too much', () => {
    const said = pushAnswer({
      code: 1,
      stdout: line('!', '[remote rejected] (pre-receive hook declined)'),
      stderr: 'remote: why\n'.repeat(100),
    }).said;
    expect(said.split('\n')).toHaveLength(27);
    expect(said).toMatch(/… and 75 more lines$/);
  });
});

describe('fetchFailure', () => {
  it.each([
    { stderr: "fatal: couldn't find remote ref refs/heads/main\n", kind: 'raced' },
    { stderr: "fatal: unable to access 'https://x/': The requested URL returned error: 500\n", kind: 'unclear' },
    { stderr: 'fatal: early EOF\nfatal: index-pack failed\n', kind: 'unclear' },
    { stderr: "fatal: Unable to find remote helper for 'gopher'\n", kind: 'missing' },
  ])('$kind: $stderr', ({ stderr, kind }) => {
    expect(fetchFailure({ code: 128, stdout: '', stderr }).kind).toBe(kind);
  });

  it('names a missing git', () => {
    expect(fetchFailure({ code: -2, stdout: '', stderr: 'Error: spawn git ENOENT' }).kind).toBe('git-missing');
  });
});
