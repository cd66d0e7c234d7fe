import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBillionths, isFractionOfByte, quantityFault } from '../../../src/validate/grammar/quantity.ts';

const generic = 'Write a number with at most one suffix: m, k, M, G, T or Ki, Mi, Gi, Ti; for example "500m" or "4Gi".';
const one = 10n ** 9n;

describe('a quantity', () => {
  it.each([
    ['0', 0n],
    ['500m', one / 2n],
    ['2', 2n * one],
    ['1.5', (3n * one) / 2n],
    ['.5', one / 2n],
    ['5.', 5n * one],
    ['+3', 3n * one],
    ['1k', 1000n * one],
    ['1Ki', 1024n * one],
    ['1.5Gi', (3n * one * 2n ** 30n) / 2n],
    ['1E', 10n ** 18n * one],
    ['1Ei', 2n ** 60n * one],
    ['1e3', 1000n * one],
    ['1E-3', one / 1000n],
    ['12e6', 12_000_000n * one],
    ['1n', 1n],
    ['0.1n', 1n],
    ['1u', 1000n],
    ['9223372036854775807', (2n ** 63n - 1n) * one],
    ['100E', (2n ** 63n - 1n) * one],
    ['1e999999999999', (2n ** 63n - 1n) * one],
    ['1e-999999999999', 1n],
  ])('%s is read exactly', (text, billionths) => {
    expect(quantityFault(text)).toBeUndefined();
    expect(inBillionths(text)).toBe(billionths);
  });

  it.each([
    ['512MB', '"512MB" is no quantity.', 'Did you mean "512M"?'],
    ['4GiB', '"4GiB" is no quantity.', 'Did you mean "4Gi"?'],
    ['4 Gi', '"4 Gi" is no quantity.', 'Did you mean "4Gi"?'],
    ['4gi', '"4gi" is no quantity.', 'Did you mean "4Gi"?'],
    ['1,5Gi', '"1,5Gi" is no quantity.', 'Did you mean "1.5Gi"?'],
    ['10K', '"10K" is no quantity.', 'Did you mean "10k"?'],
    ['2g', '"2g" is no quantity.', 'Did you mean "2G"?'],
    ['', '"" is no quantity.', generic],
    ['.', '"." is no quantity.', generic],
    ['1i', '"1i" is no quantity.', generic],
    ['1e', '"1e" is no quantity.', generic],
    ['1e1.5', '"1e1.5" is no quantity.', generic],
    ['1.1.M', '"1.1.M" is no quantity.', generic],
    ['two', '"two" is no quantity.', generic],
    ['0x10', '"0x10" is no quantity.', generic],
    ['-1', '"-1" is negative.', generic],
    ['-0.5Gi', '"-0.5Gi" is negative.', generic],
  ])('%j is refused', (text, message, remedy) => {
    expect(quantityFault(text)).toEqual({ code: 'quantity-invalid', message, remedy });
  });

  it.each([
    [2, undefined],
    [0.5, undefined],
    [1e21, undefined],
    [-1, 'quantity-invalid'],
    [Number.NaN, 'quantity-invalid'],
    [Number.POSITIVE_INFINITY, 'quantity-invalid'],
  ])('the number %s is read as YAML means it', (number, code) => {
    expect(quantityFault(number)?.code).toBe(code);
  });

  it('is a number times its suffix', () => {
    const suffixes: Record<string, bigint> = {
      '': 1n,
      k: 1000n,
      M: 10n ** 6n,
      G: 10n ** 9n,
      Ki: 1024n,
      Mi: 2n ** 20n,
      Gi: 2n ** 30n,
    };
    fc.assert(
      fc.property(fc.nat(999_999), fc.constantFrom(...Object.keys(suffixes)), (number, suffix) => {
        expect(inBillionths(`${number}${suffix}`)).toBe(BigInt(number) * (suffixes[suffix] ?? 0n) * one);
        expect(quantityFault(`${number}${suffix}`)).toBeUndefined();
      }),
    );
  });

  it('is compared by value, however it is written', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (milli) => {
        expect(inBillionths(`${milli}m`)).toBe(inBillionths((milli / 1000).toFixed(3)));
        expect(inBillionths(`${milli}m`)).toBe(inBillionths(`${milli}e-3`));
      }),
    );
  });

  it('never throws on any text, and suggests nothing but quantities', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.,]{1,4} ?[A-Za-z]{0,4}$/));
    fc.assert(
      fc.property(texts, (text) => {
        const better = /Did you mean "(.*)"\?/.exec(quantityFault(text)?.remedy ?? '')?.[1];
        if (better !== undefined) expect(quantityFault(better)).toBeUndefined();
      }),
    );
  });
});

it.each([
  ['512m', true],
  ['1.5', true],
  ['512Mi', false],
  ['1.5Gi', false],
  ['100', false],
])('%s is %s fraction of a byte', (text, expected) => {
  expect(isFractionOfByte(text)).toBe(expected);
});
