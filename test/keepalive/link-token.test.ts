import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { KeysUnusable, readKeys } from '../../src/keepalive/keys.ts';
import { checkLink, type Link, ownerMark, signLink } from '../../src/keepalive/link-token.ts';
import { runs } from '../support/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'quiesce-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function keysOf(files: Readonly<Record<string, string>>) {
  made += 1;
  const dir = join(folder, String(made));
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return readKeys(dir);
}

const long = (letter: string): string => letter.repeat(40);
const url = 'https://keepalive.example.edu';
const now = Date.parse('2026-12-01T10:00:00Z');
const link: Link = {
  claim: 'ada',
  identity: '0123456789abcdef0123',
  deadline: Date.parse('2026-12-08T10:00:00Z'),
  issuedAt: now,
  owner: ownerMark('ada@example.edu'),
};
const tokenIn = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

describe('a link', () => {
  it('comes back as it was signed, until its deadline', async () => {
    const keys = keysOf({ a: long('a') });
    const address = await signLink(keys, url, link);
    expect(address).toMatch(/^https:\/\/keepalive\.example\.edu\/renew\/[\w.-]{200,400}$/);
    const at = (instant: number) => checkLink(tokenIn(address), { keys, url, now: instant });
    expect(await at(now)).toEqual({ kind: 'valid', link });
    expect(await at(link.deadline - 1)).toEqual({ kind: 'valid', link });
    expect(await at(link.deadline)).toEqual({ kind: 'expired', link });
  });

  it('names no mail address', async () => {
    const address = await signLink(keysOf({ a: long('a') }), url, link);
    expect(Buffer.from(tokenIn(address).split('.')[1] ?? '', 'base64url').toString()).not.toContain('@');
    expect(ownerMark('Ada@Example.edu')).toBe(ownerMark('ada@example.edu'));
  });

  it('is signed by the key whose name sorts last, and old ones go on working until their key is removed', async () => {
    const [one, ten] = [{ 'key-9': long('a') }, { 'key-9': long('a'), 'key-10': long('b') }];
    const before = tokenIn(await signLink(keysOf(one), url, link));
    const after = tokenIn(await signLink(keysOf(ten), url, link));
    const check = async (token: string, keys: Record<string, string>) =>
      (await checkLink(token, { keys: keysOf(keys), url, now })).kind;
    expect(await check(before, ten)).toBe('valid');
    expect(await check(after, ten)).toBe('valid');
    expect(await check(after, one)).toBe('unknown-key');
    expect(await check(before, { 'key-10': long('b') })).toBe('unknown-key');
    expect(await check(before, { 'key-9': long('c') })).toBe('forged');
  });

  it('of another page is foreign, even with the same key', async () => {
    const keys = keysOf({ a: long('a') });
    const token = tokenIn(await signLink(keys, 'https://keepalive.example.org', link));
    expect(await checkLink(token, { keys, url, now })).toEqual({ kind: 'foreign' });
  });

  it('with anything in it changed is forged', async () => {
    const keys = keysOf({ a: long('a') });
    const token = tokenIn(await signLink(keys, url, link));
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        const { kind } = await checkLink(changed, { keys, url, now });
        // The last letter of a signature holds bits that count for nothing: there the same bytes may be written differently.
        if (changed !== token && at < token.length - 1) expect(['forged', 'unknown-key']).toContain(kind);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['', '.', '..', 'a.b.c', '%00', 'x'.repeat(3000)])('that is none at all is forged: %j', async (token) => {
    const { kind } = await checkLink(token, { keys: keysOf({ a: long('a') }), url, now });
    expect(['forged', 'unknown-key']).toContain(kind);
  });

  it('cannot be made of other tokens: without a signature, or of another kind', async () => {
    const keys = keysOf({ a: long('a') });
    const payload = { sub: 'ada', idn: link.identity, iss: 'quiesce', aud: url, iat: now / 1000, exp: now / 1000 + 60 };
    const unsigned = new UnsecuredJWT(payload).encode();
    const signed = (header: { alg: string; typ?: string; kid?: string }, key: string) =>
      new SignJWT(payload).setProtectedHeader(header).sign(new TextEncoder().encode(key));
    const tokens = [
      unsigned,
      await signed({ alg: 'HS256', kid: 'a' }, long('a')),
      await signed({ alg: 'HS256', kid: 'a', typ: 'JWT' }, long('a')),
      await signed({ alg: 'HS512', kid: 'a', typ: 'quiesce-link+jwt' }, long('a')),
      await signed({ alg: 'HS256', kid: 'b', typ: 'quiesce-link+jwt' }, '\0'.repeat(32)),
      await signed({ alg: 'HS256', typ: 'quiesce-link+jwt' }, long('a')),
    ];
    const kinds = await Promise.all(tokens.map(async (token) => (await checkLink(token, { keys, url, now })).kind));
    expect(kinds.map((kind) => kind === 'valid' || kind === 'expired')).toEqual(tokens.map(() => false));
  });
});

describe('keys', () => {
  it('are read from a folder as a mounted Secret is', () => {
    const dir = join(folder, 'mounted');
    mkdirSync(join(dir, '..data-1'), { recursive: true });
    writeFileSync(join(dir, '..data-1', 'key-1'), `${long('a')}\n`);
    symlinkSync('..data-1', join(dir, '..data'));
    symlinkSync(join('..data', 'key-1'), join(dir, 'key-1'));
    const { signing, all } = readKeys(dir);
    expect({ kid: signing.kid, bytes: signing.secret.symmetricKeySize, all: all.length }).toEqual({
      kid: 'key-1',
      bytes: 40,
      all: 1,
    });
  });

  it('that are missing or too short are refused, with the way to make one', () => {
    const make = /kubectl -n quiesce-system create secret generic quiesce-keepalive-keys/;
    expect(() => keysOf({})).toThrow(make);
    expect(() => keysOf({ a: 'short' })).toThrow(/The key "a" in .* has fewer than 32 bytes\. /);
    expect(() => readKeys(join(folder, 'nowhere'))).toThrow(KeysUnusable);
  });
});
