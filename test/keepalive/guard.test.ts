import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formToken, isFormToken, isFromElsewhere, securityHeaders } from '../../src/keepalive/guard.ts';
import { clientKey, openRateLimit } from '../../src/keepalive/rate-limit.ts';

const key = (kid: string) => ({ kid, secret: createSecretKey(kid.repeat(40), 'utf8') });
const ring = (...kids: readonly string[]) => {
  const all = kids.map(key);
  return { all, signing: all.at(-1) ?? key('x'), find: () => undefined };
};
const now = Date.parse('2026-12-01T10:00:00Z');
const hour = 3_600_000;

describe('the form', () => {
  const token = formToken(ring('a'), 'link-1', now);

  it('counts for its own link, for a day, and after the keys have been rotated', () => {
    const counts = (link: string, at: number, keys = ring('a')) => isFormToken(keys, token, { link, now: at });
    expect(counts('link-1', now + 23 * hour)).toBe(true);
    expect(counts('link-1', now, ring('a', 'b'))).toBe(true);
    expect(counts('link-1', now + 24 * hour)).toBe(false);
    expect(counts('link-1', now - hour)).toBe(false);
    expect(counts('link-2', now)).toBe(false);
    expect(counts('link-1', now, ring('b'))).toBe(false);
  });

  it.each(['', '.', 'x', `${token}x`, token.slice(0, -1), `zz${token}`])('%j is none', (text) => {
    expect(isFormToken(ring('a'), text, { link: 'link-1', now })).toBe(false);
  });
});

it.each([
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ origin: 'https://keepalive.example.edu' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null' }, true],
  [{}, false],
] as const)('a request with %j is from elsewhere: %s', (headers, elsewhere) => {
  const header = (name: string): string | undefined => (headers as Record<string, string>)[name];
  expect(isFromElsewhere(header, 'https://keepalive.example.edu')).toBe(elsewhere);
});

it('only a page that is served over https asks to be always', () => {
  expect(securityHeaders('http://127.0.0.1')).not.toHaveProperty('Strict-Transport-Security');
  expect(securityHeaders('https://a.example')).toHaveProperty('Strict-Transport-Security');
});

describe('a limit', () => {
  it('lets so many through in a minute, and lets up as time goes by', () => {
    const limit = openRateLimit(60);
    const taken = (at: number, times: number): number =>
      Array.from({ length: times }, () => limit.take('a', at)).filter(Boolean).length;
    expect(taken(now, 100)).toBe(60);
    expect(limit.take('b', now)).toBe(true);
    expect(taken(now + 10_000, 100)).toBe(10);
    expect(taken(now + 10 * 60_000, 100)).toBe(60);
  });

  it('does not remember everybody for ever', () => {
    const limit = openRateLimit(1);
    for (let index = 0; index < 30_000; index += 1) limit.take(String(index), now);
    expect(limit.take('29999', now)).toBe(false);
    expect(limit.take('0', now)).toBe(true);
  });

  it.each([
    [{ socket: '10.0.0.1', forwardedFor: undefined, proxies: 1 }, '10.0.0.1'],
    [{ socket: '10.0.0.1', forwardedFor: '1.2.3.4', proxies: 1 }, '1.2.3.4'],
    // Whatever the client claims stands to the left of what the proxy has seen.
    [{ socket: '10.0.0.1', forwardedFor: '6.6.6.6, 1.2.3.4', proxies: 1 }, '1.2.3.4'],
    [{ socket: '10.0.0.1', forwardedFor: '6.6.6.6, 1.2.3.4, 10.0.0.9', proxies: 2 }, '1.2.3.4'],
    [{ socket: '10.0.0.1', forwardedFor: '1.2.3.4', proxies: 0 }, '10.0.0.1'],
    [{ socket: '::ffff:10.0.0.1', forwardedFor: undefined, proxies: 0 }, '10.0.0.1'],
    [{ socket: '10.0.0.1', forwardedFor: '2001:db8:0:1::5', proxies: 1 }, '2001:db8:0:1'],
    [{ socket: '10.0.0.1', forwardedFor: '2001:db8::1', proxies: 1 }, '2001:db8:0:0'],
    [{ socket: undefined, forwardedFor: '', proxies: 1 }, ''],
  ])('counts %j as %s', (client, expected) => {
    expect(clientKey(client)).toBe(expected);
  });
});
