import { describe, expect, it } from 'vitest';
import { closest } from '../../src/validate/suggest.ts';

describe('what a word was probably meant to be', () => {
  const keys = ['replicas', 'resources', 'storage', 'expose', 'expiry', 'state'];
  it.each([
    ['replica', 'replicas'],
    ['relpicas', 'replicas'],
    ['Replicas', 'replicas'],
    ['REPLICAS', 'replicas'],
    ['exposed', 'expose'],
    ['storrage', 'storage'],
    ['sate', 'state'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100), undefined],
  ])('%s: %s', (word, meant) => expect(closest(word, keys)).toBe(meant));

  it('takes the nearest, and the first of equally near ones', () => {
    expect(closest('aab', ['abb', 'aaa', 'aac'])).toBe('abb');
    expect(closest('tets', ['test', 'tetx', 'text'])).toBe('test');
  });
  it('never suggests the word itself, or a word with nothing in common', () => {
    expect(closest('state', ['state'])).toBeUndefined();
    expect(closest('a', ['b'])).toBeUndefined();
  });
});
