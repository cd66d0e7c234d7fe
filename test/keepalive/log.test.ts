import { describe, expect, it } from 'vitest';
import { openPageLog } from '../../src/keepalive/log.ts';
import { openLog } from '../../src/sidecar/log.ts';

const fields = { program: 'quiesce-keepalive' };

/** Lines of each log, without their times. */
function both(say: (log: ReturnType<typeof openPageLog>) => void, level: 'info' | 'error' | 'silent' = 'info') {
  return [openPageLog, openLog].map((open) => {
    const lines: string[] = [];
    say(open({ level, fields }, { write: (line: string) => lines.push(line) }));
    return lines.map((line) => line.replace(/"time":"20\d\d-[\dT:.-]+Z"/, '"time":""'));
  });
}

describe('the log of the page', () => {
  it.each([
    ['fields', { claim: 'ada', presses: 2, ports: { page: 8080 }, none: undefined }, 'written'],
    [
      'an error, and where it is in the source',
      { error: new TypeError('it broke', { cause: new Error('why') }) },
      'failed',
    ],
    ['something thrown that is no error', { error: 'just text' }, 'failed'],
    ['a field that is secret, also further down', { token: 'abc', git: { password: 'abc' } }, 'started'],
    ['an address with a password', { url: 'https://bot:s3cret@git.example.edu/x.git' }, 'Basic QWxhZGRpbjpvcGVu'],
    ['a link', { path: '/renew/eyJhbGciOiJIUzI1NiJ9.eyJjIjoiYWRhIn0.c2lnbmF0dXJl' }, 'asked'],
  ])('is what the other programs write: %s', (_, said, message) => {
    const [page, other] = both((log) => log.info(said, message));
    expect(page).toEqual(other);
    expect(page?.join()).not.toMatch(/abc|s3cret|QWxh|eyJ/);
  });

  it('leaves out what is below its level', () => {
    const all = (log: ReturnType<typeof openPageLog>): void => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, level);
    };
    const said = (lines: readonly string[] = []) => lines.map((line) => JSON.parse(line).message);
    for (const level of ['info', 'error', 'silent'] as const) {
      const [page, other] = both(all, level).map(said);
      expect(page).toEqual(other);
    }
  });
});
