import { describe, expect, it } from 'vitest';
import { gitEnvironment } from '../../src/commit/environment.ts';
import { printable, redact } from '../../src/commit/redact.ts';

describe('gitEnvironment', () => {
  it('does not follow an outer hook into its repository, index or quarantine', () => {
    const outer = {
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/x/index',
      GIT_WORK_TREE: '/',
      GIT_QUARANTINE_PATH: '/q',
      GIT_OBJECT_DIRECTORY: '/q',
      GIT_AUTHOR_DATE: '1',
      GIT_PREFIX: 'a/',
    };
    expect(Object.keys(gitEnvironment(outer)).sort()).toEqual([
      'GIT_EDITOR',
      'GIT_OPTIONAL_LOCKS',
      'GIT_TERMINAL_PROMPT',
      'LANGUAGE',
      'LC_ALL',
    ]);
  });

  it('keeps how the user reaches servers', () => {
    const outer = {
      GIT_SSH_COMMAND: 'ssh -i key',
      GIT_ASKPASS: '/helper',
      GIT_CONFIG_COUNT: '0',
      HTTPS_PROXY: 'http://proxy',
      HOME: '/home/x',
      PATH: '/bin',
    };
    expect(gitEnvironment(outer)).toMatchObject(outer);
  });

  it('speaks English and never asks', () => {
    expect(
      gitEnvironment({
        LC_ALL: 'de_DE.UTF-8',
        LANGUAGE: 'de',
        GIT_TERMINAL_PROMPT: '1',
        GIT_TRACE: '1',
        GIT_TRACE_CURL: '1',
      }),
    ).toEqual({
      LC_ALL: 'C',
      LANGUAGE: '',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: ':',
      GIT_OPTIONAL_LOCKS: '0',
    });
  });
});

describe('redact', () => {
  it.each([
    [
      "fatal: unable to access 'https://bot:s3cret@git.example.com/x.git/'",
      "fatal: unable to access 'https://***@git.example.com/x.git/'",
    ],
    ['https://ghp_token@github.com/x', 'https://***@github.com/x'],
    ['ssh://git:pw@host/x and ssh://git@host/x', 'ssh://git:***@host/x and ssh://git@host/x'],
    ['git@github.com:acme/x.git', 'git@github.com:acme/x.git'],
    ['https://host/x?access_token=abc&y=1', 'https://host/x?access_token=***&y=1'],
    ['Authorization: Basic Zm9vOmJhcg==', 'Authorization: ***'],
    ['https://host/path@v1', 'https://host/path@v1'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('printable', () => {
  it('keeps letters of any script and takes away what steers a terminal', () => {
    expect(printable('\u001b[2J\u001b[1;31mGrüße\u001b[0m 世界\u0007\u009b\tok\n')).toBe('Grüße 世界\tok\n');
  });
});
