import { expect, it } from 'vitest';
import { NoAnswer } from '../../../src/sidecar/kube/failures.ts';
import { openLog } from '../../../src/sidecar/log.ts';

function logged(write: (log: ReturnType<typeof openLog>) => void): { readonly text: string; readonly line: unknown } {
  let text = '';
  write(openLog({ level: 'info', fields: { program: 'quiesce-sidecar' } }, { write: (line) => (text += line) }));
  return { text, line: text === '' ? undefined : JSON.parse(text) };
}

it('a line has time, level, fields and message', () => {
  expect(logged((log) => log.info({ node: 'worker-1' }, 'drained')).line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    program: 'quiesce-sidecar',
    node: 'worker-1',
    message: 'drained',
  });
  expect(logged((log) => log.debug({}, 'detail')).text).toBe('');
});

const token = `eyJhbGciOiJSUzI1NiJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`;

it.each([
  ['a field of that name', { token: 'abc123secret' }, ''],
  ['a header', { headers: { Authorization: 'Bearer abc123secret' } }, ''],
  ['a bearer in a message', {}, 'sent Authorization: Bearer abc123secret'],
  ['a token anywhere', { note: `the token is ${token}` }, ''],
  ['a password in an address', {}, 'GET https://user:abc123secret@proxy.example.edu/'],
  ['an error', { error: new NoAnswer('list pods', new Error('Basic YWJjMTIzc2VjcmV0')) }, ''],
  ['a key', { note: '-----BEGIN PRIVATE KEY-----\nabc123secret\n-----END PRIVATE KEY-----' }, ''],
])('no secret is written: %s', (_, fields, message) => {
  const { text } = logged((log) => log.error(fields, message));
  expect(text).toContain('[redacted]');
  for (const secret of ['abc123secret', token, 'YWJjMTIzc2VjcmV0']) expect(text).not.toContain(secret);
});

it('an error of the world has its words, one of ours its stack as well', () => {
  const world = logged((log) => log.warn({ error: new NoAnswer('list pods', new Error('socket hang up')) }, ''));
  expect(world.line).toMatchObject({ error: { name: 'NoAnswer', message: 'list pods: socket hang up' } });
  expect(world.text).not.toContain('stack');
  expect(logged((log) => log.error({ error: new TypeError('x is not a function') }, '')).line).toMatchObject({
    error: { name: 'TypeError', stack: expect.stringContaining('log.test.ts') },
  });
});
