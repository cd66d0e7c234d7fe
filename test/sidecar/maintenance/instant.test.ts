import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantText, parseInstant } from '../../../src/instant.ts';

const year = (value: number) => Date.parse(`${String(value).padStart(4, '0')}-01-01T00:00:00Z`);

describe('an instant', () => {
  it('is written as the JavaScript clock writes it, without fractions', () => {
    fc.assert(
      fc.property(fc.integer({ min: year(0), max: year(9999) }), (instant) => {
        const text = new Date(Math.floor(instant / 1000) * 1000).toISOString().replace('.000Z', 'Z');
        expect(instantText(instant)).toBe(text);
        expect(parseInstant(text)).toBe(Date.parse(text));
      }),
    );
  });

  it('stays within four digits of a year', () => {
    expect(instantText(Number.MAX_SAFE_INTEGER)).toBe('9999-12-31T23:59:59Z');
    expect(instantText(-Number.MAX_SAFE_INTEGER)).toBe('0000-01-01T00:00:00Z');
  });

  it.each([
    '2026-03-01T08:00:00Z',
    '2026-03-01t08:00:00z',
    '2024-02-29T23:59:59Z',
    '2026-03-01T08:00:00.123Z',
    '2026-03-01T08:00:00.123456Z',
    '2026-03-01T08:00:00+05:30',
    '2026-03-01T08:00:00-11:00',
  ])('is read from %s', (text) => expect(parseInstant(text)).toBe(Date.parse(text.toUpperCase())));

  it.each([
    undefined,
    '',
    'soon',
    '2026-03-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T08:60:00Z',
    '2026-03-01T08:00:00',
    '2026-03-01T08:00:00+24:00',
  ])('is not read from %j', (text) => expect(parseInstant(text)).toBeUndefined());
});
