import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  addressText,
  blocksOverlap,
  compareAddresses,
  contains,
  parseAddress,
  parseBlock,
} from '../../../src/validate/grammar/addresses.ts';

const anyForm = 'Write an address, "first-last", or a network such as "10.0.0.0/28".';

function block(text: string) {
  const { value, fault } = parseBlock(text);
  if (value === undefined) throw new Error(fault.message);
  return value;
}

function address(text: string): Address {
  const { value, fault } = parseAddress(text);
  if (value === undefined) throw new Error(fault.message);
  return value;
}

describe('an address', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8::0A', '2001:db8::a'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['fe80::', 'fe80::'],
  ])('%s is read and written as %s', (text, canonical) => {
    expect(addressText(address(text))).toBe(canonical);
  });

  it.each([
    ['10.1', '"10.1" is no address: an IPv4 address is four numbers of 0 to 255.'],
    ['10.0.0.256', '"10.0.0.256" is no address: no part may be above 255.'],
    ['10.0.0.-1', '"10.0.0.-1" is no address: an IPv4 address is four numbers of 0 to 255.'],
    ['0x0a.0.0.1', '"0x0a.0.0.1" is no address: an IPv4 address is four numbers of 0 to 255.'],
    ['node-1', '"node-1" is no address: an IPv4 address is four numbers of 0 to 255.'],
    ['', '"" is no address: an IPv4 address is four numbers of 0 to 255.'],
    ['1::2::3', noIPv6('1::2::3')],
    ['1:2:3:4:5:6:7', noIPv6('1:2:3:4:5:6:7')],
    ['1:2:3:4:5:6:7:8:9', noIPv6('1:2:3:4:5:6:7:8:9')],
    ['1:2:3:4::5:6:7:8', noIPv6('1:2:3:4::5:6:7:8')],
    ['12345::', noIPv6('12345::')],
    ['fe80::1%eth0', noIPv6('fe80::1%eth0')],
    [':1::', noIPv6(':1::')],
    ['1.2.3.4::', noIPv6('1.2.3.4::')],
  ])('%j is refused', (text, message) => {
    expect(parseAddress(text).fault).toMatchObject({ code: 'address-malformed', message });
  });

  it.each([
    ['010.0.0.1', 'leading zeros are octal to some programs and decimal to others', '10.0.0.1'],
    ['::ffff:10.0.0.1', 'it is an IPv4 address in IPv6 clothes, and nodes do not report it so', '10.0.0.1'],
    ['::ffff:a00:1', 'it is an IPv4 address in IPv6 clothes, and nodes do not report it so', '10.0.0.1'],
    [' 10.0.0.1', 'an IPv4 address is four numbers of 0 to 255', '10.0.0.1'],
  ])('%j is refused with what was meant', (text, why, better) => {
    const fault = { message: `${JSON.stringify(text)} is no address: ${why}.`, remedy: `Write "${better}".` };
    expect(parseAddress(text).fault).toMatchObject(fault);
  });

  it('reads back what it writes, whatever the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(4 as const, 6 as const), fc.bigInt(0n, 2n ** 128n - 1n), (family, any) => {
        const value = family === 4 ? any % 2n ** 32n : any;
        fc.pre(family === 4 || value < 0xffff_0000_0000n || value > 0xffff_ffff_ffffn);
        expect(address(addressText({ family, value }))).toEqual({ family, value });
      }),
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        parseBlock(text);
      }),
    );
  });
});

describe('a block', () => {
  it.each([
    [
      '10.0.0.9-10.0.0.1',
      'address-range-reversed',
      '"10.0.0.9-10.0.0.1" ends before it begins.',
      'Write "10.0.0.1-10.0.0.9".',
    ],
    [
      '10.0.0.1-::1',
      'address-range-mixed',
      '"10.0.0.1-::1" begins in one address family and ends in the other.',
      'Write two ranges.',
    ],
    [
      '10.0.0.1 - 10.0.0.3',
      'address-malformed',
      '"10.0.0.1 - 10.0.0.3" is no address: there are blanks in it.',
      'Write "10.0.0.1-10.0.0.3".',
    ],
    ['10.0.0.1-3', 'address-malformed', '"3" is no address: an IPv4 address is four numbers of 0 to 255.', anyForm],
    ['10.0.0.1-', 'address-malformed', '"10.0.0.1-" is no address: a range is "first-last".', anyForm],
    [
      '10.0.0.1-10.0.0.2-10.0.0.3',
      'address-malformed',
      '"10.0.0.1-10.0.0.2-10.0.0.3" is no address: a range is "first-last".',
      anyForm,
    ],
    [
      '10.0.0.1-010.0.0.2',
      'address-malformed',
      '"010.0.0.2" is no address: leading zeros are octal to some programs and decimal to others.',
      'Write "10.0.0.2".',
    ],
    [
      '10.0.0.5/24',
      'address-network-bits',
      '"10.0.0.5/24" has bits set after its first 24; nothing is rounded here.',
      'Write "10.0.0.0/24" for the whole network, or "10.0.0.5" for the one address.',
    ],
    ['10.0.0.0/33', 'address-malformed', '"10.0.0.0/33" is no address: after "/" comes a length of 0 to 32.', anyForm],
    [
      '10.0.0.0/024',
      'address-malformed',
      '"10.0.0.0/024" is no address: after "/" comes a length of 0 to 32.',
      anyForm,
    ],
    ['::/129', 'address-malformed', '"::/129" is no address: after "/" comes a length of 0 to 128.', anyForm],
    [
      '10.0.0.0/8/8',
      'address-malformed',
      '"10.0.0.0/8/8" is no address: after "/" comes a length of 0 to 32.',
      anyForm,
    ],
  ])('%s is refused', (text, code, message, remedy) => {
    expect(parseBlock(text).fault).toEqual({ code, message, remedy });
  });

  it('holds both ends of a range', () => {
    const range = block('192.168.1.100-192.168.1.109');
    expect(range.last - range.first).toBe(9n);
    expect(contains(range, address('192.168.1.100'))).toBe(true);
    expect(contains(range, address('192.168.1.109'))).toBe(true);
    expect(contains(range, address('192.168.1.110'))).toBe(false);
  });

  it('tells the families apart, whatever the numbers', () => {
    expect(contains(block('::/0'), address('10.0.0.1'))).toBe(false);
    expect(contains(block('0.0.0.0/0'), address('::1'))).toBe(false);
    expect(blocksOverlap(block('::/0'), block('0.0.0.0/0'))).toBe(false);
  });

  it('holds exactly the addresses that counting from its first to its last gives', () => {
    const family = fc.constantFrom(4 as const, 6 as const);
    fc.assert(
      fc.property(family, fc.nat(400), fc.nat(60), fc.nat(500), (kind, start, length, probe) => {
        const base = kind === 4 ? 0x0a00_0000n : 0x2001_0db8n << 96n;
        const text = (offset: number): string => addressText({ family: kind, value: base + BigInt(offset) });
        const members = new Set(Array.from({ length: length + 1 }, (_, index) => text(start + index)));
        const range = block(`${text(start)}-${text(start + length)}`);
        expect(contains(range, address(text(probe)))).toBe(members.has(text(probe)));
      }),
    );
  });

  it('holds of a network what its first bits say', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.integer({ min: 24, max: 32 }), fc.nat(255), (start, length, probe) => {
        const size = 2 ** (32 - length);
        const network = block(`10.0.0.${start - (start % size)}/${length}`);
        expect(contains(network, address(`10.0.0.${probe}`))).toBe(
          Math.floor(probe / size) === Math.floor(start / size),
        );
      }),
    );
  });

  it('overlaps another one when some address is in both', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(10), fc.nat(30), fc.nat(10), (a, aLength, b, bLength) => {
        const range = (start: number, length: number) => block(`10.0.0.${start}-10.0.0.${start + length}`);
        const shared = Array.from({ length: 50 }, (_, index) => address(`10.0.0.${index}`)).some(
          (each) => contains(range(a, aLength), each) && contains(range(b, bLength), each),
        );
        expect(blocksOverlap(range(a, aLength), range(b, bLength))).toBe(shared);
        expect(blocksOverlap(range(b, bLength), range(a, aLength))).toBe(shared);
      }),
    );
  });
});

it('IPv4 comes before IPv6, each by value', () => {
  const sorted = ['::1', '10.0.0.10', '10.0.0.9', 'fe80::'].map(address).sort(compareAddresses).map(addressText);
  expect(sorted).toEqual(['10.0.0.9', '10.0.0.10', '::1', 'fe80::']);
});

function noIPv6(text: string): string {
  return `"${text}" is no address: an IPv6 address is eight groups of up to four hexadecimal digits, "::" once for zeros, no zone.`;
}
