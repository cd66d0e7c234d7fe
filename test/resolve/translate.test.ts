import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translate, translateClusterScoped } from '../../src/resolve/translate.ts';
import { sha256 } from './resolved.ts';

const part = fc.stringMatching(/^[a-z][-a-z0-9.]{0,60}[a-z0-9]$/);

describe("vCluster's name of a synced object", () => {
  it.each([
    ['u9f4c1e7a2b8d0356-test', 'http-x-default-x-u9f4c1e7a2b8d0356-test'],
    [
      'u9f4c1e7a2b8d0356-abcdefghijklmnopqrstuvwxyz123',
      'http-x-default-x-u9f4c1e7a2b8d0356-abcdefghijklmnopq-68c3f99250',
    ],
    ['a'.repeat(46), `http-x-default-x-${'a'.repeat(46)}`],
  ])('of http in default of %s', (vcluster, name) => {
    expect(translate('http', 'default', vcluster, sha256)).toBe(name);
  });

  it('is used as it is up to 63 characters, and not one more', () => {
    expect(translate('http', 'default', 'a'.repeat(46), sha256)).toHaveLength(63);
    expect(translate('http', 'default', 'a'.repeat(47), sha256)).toMatch(/^http-x-default-x-a{35}-[0-9a-f]{10}$/);
  });

  it('loses the dot that a cut falls on', () => {
    const name = translate(`${'a'.repeat(51)}.${'b'.repeat(20)}`, 'ns', 'v', sha256);
    expect(name).toMatch(/^a{51}-[0-9a-f]{10}$/);
    expect(name).toHaveLength(62);
  });

  it('says where the virtual cluster is, for objects without a namespace', () => {
    expect(translateClusterScoped('gold', 'vcluster-ada', 'ada', sha256)).toBe('vcluster-gold-x-vcluster-ada-x-ada');
    expect(translateClusterScoped('g'.repeat(60), 'vcluster-ada', 'ada', sha256)).toMatch(
      /^vcluster-g{43}-[0-9a-f]{10}$/,
    );
  });

  it('has at most 63 characters, is the same every time and never contains ".-"', () => {
    fc.assert(
      fc.property(part, part, part, (name, namespace, vcluster) => {
        for (const made of [translate, translateClusterScoped]) {
          const text = made(name, namespace, vcluster, sha256);
          expect(text.length).toBeLessThanOrEqual(63);
          expect(made(name, namespace, vcluster, sha256)).toBe(text);
          if (`${name}-x-${namespace}-x-${vcluster}`.length > 63) expect(text).not.toContain('.-');
        }
      }),
    );
  });

  it('depends on all three parts, however long they are', () => {
    fc.assert(
      fc.property(part, part, fc.constantFrom(0, 1, 2), (a, b, which) => {
        fc.pre(a !== b);
        const names = (value: string): [string, string, string] =>
          ['x'.repeat(30), 'y'.repeat(30), 'z'.repeat(30)].map((same, index) => (index === which ? value : same)) as [
            string,
            string,
            string,
          ];
        expect(translate(...names(a), sha256)).not.toBe(translate(...names(b), sha256));
      }),
    );
  });
});
