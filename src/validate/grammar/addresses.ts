import { type Fault, type Parsed, shown } from './fault.ts';

/** Exact arithmetic on addresses: nothing is rounded to a network, and no range is ever enumerated. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A single address, an inclusive range or a network: all of them first to last. */
export interface AddressBlock {
  readonly text: string;
  readonly form: 'single' | 'range' | 'network';
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const bits = { 4: 32n, 6: 128n } as const;
/** `::ffff:0:0/96` */
const mappedFirst = 0xffff_0000_0000n;
const mappedLast = 0xffff_ffff_ffffn;

export function parseAddress(text: string): Parsed<Address> {
  if (text.includes(':')) return parseV6(text);
  const value = v4Value(text);
  if (typeof value === 'bigint') return { value: { family: 4, value } };
  return { fault: malformed(text, value.why, value.better) };
}

/** `10.0.0.7`, `10.0.0.7-10.0.0.9`, `10.0.0.0/28`, and the same in IPv6. */
export function parseBlock(text: string): Parsed<AddressBlock> {
  if (text.includes('/')) return parseNetwork(text);
  if (text.includes('-')) return parseRange(text);
  const { value, fault } = parseAddress(text);
  if (fault !== undefined) return { fault };
  return { value: { text, form: 'single', family: value.family, first: value.value, last: value.value } };
}

export function blocksOverlap(a: AddressBlock, b: AddressBlock): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/** By family, then by value. */
export function compareAddresses(a: Address, b: Address): number {
  if (a.family !== b.family) return a.family - b.family;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

export function contains(block: AddressBlock, address: Address): boolean {
  return block.family === address.family && address.value >= block.first && address.value <= block.last;
}

function parseRange(text: string): Parsed<AddressBlock> {
  const ends = text.split('-');
  const [from = '', to = ''] = ends;
  if (ends.length !== 2 || from === '' || to === '') return { fault: malformed(text, 'a range is "first-last"') };
  if (/\s/.test(text)) return { fault: malformed(text, 'there are blanks in it', text.replace(/\s+/g, '')) };
  const first = parseAddress(from);
  if (first.fault !== undefined) return first;
  const last = parseAddress(to);
  if (last.fault !== undefined) return last;
  if (first.value.family !== last.value.family) {
    return {
      fault: blockFault(
        'address-range-mixed',
        text,
        'begins in one address family and ends in the other',
        'Write two ranges.',
      ),
    };
  }
  if (first.value.value > last.value.value) {
    return { fault: blockFault('address-range-reversed', text, 'ends before it begins', `Write "${to}-${from}".`) };
  }
  return {
    value: { text, form: 'range', family: first.value.family, first: first.value.value, last: last.value.value },
  };
}

function parseNetwork(text: string): Parsed<AddressBlock> {
  const [base = '', length = '', ...more] = text.split('/');
  const address = parseAddress(base);
  if (address.fault !== undefined) return address;
  const { family, value } = address.value;
  if (more.length > 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(length) || BigInt(length) > bits[family]) {
    return { fault: malformed(text, `after "/" comes a length of 0 to ${bits[family]}`) };
  }
  const size = 1n << (bits[family] - BigInt(length));
  if (value % size === 0n) return { value: { text, form: 'network', family, first: value, last: value + size - 1n } };
  const network = addressText({ family, value: value - (value % size) });
  const remedy = `Write "${network}/${length}" for the whole network, or "${base}" for the one address.`;
  return {
    fault: blockFault(
      'address-network-bits',
      text,
      `has bits set after its first ${length}; nothing is rounded here`,
      remedy,
    ),
  };
}

function v4Value(text: string): bigint | { readonly why: string; readonly better?: string } {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,3}$/.test(part))) {
    const trimmed = text.trim();
    const better = trimmed !== text && typeof v4Value(trimmed) === 'bigint' ? trimmed : undefined;
    return { why: 'an IPv4 address is four numbers of 0 to 255', ...(better === undefined ? {} : { better }) };
  }
  if (parts.some((part) => part.length > 1 && part.startsWith('0'))) {
    const better = parts.map(Number).join('.');
    return { why: 'leading zeros are octal to some programs and decimal to others', better };
  }
  if (parts.some((part) => Number(part) > 255)) return { why: 'no part may be above 255' };
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function parseV6(text: string): Parsed<Address> {
  const groups = v6Groups(text);
  if (groups === undefined)
    return {
      fault: malformed(
        text,
        'an IPv6 address is eight groups of up to four hexadecimal digits, "::" once for zeros, no zone',
      ),
    };
  const value = groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n);
  if (value >= mappedFirst && value <= mappedLast) {
    const v4 = addressText({ family: 4, value: value - mappedFirst });
    return { fault: malformed(text, 'it is an IPv4 address in IPv6 clothes, and nodes do not report it so', v4) };
  }
  return { value: { family: 6, value } };
}

function v6Groups(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  return missing < 1 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])];
}

/** The last group may be a dotted IPv4 address, which counts for two. */
function groupsOf(half: string, isLast: boolean): number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.') && isLast && index === parts.length - 1) {
      const v4 = v4Value(part);
      if (typeof v4 !== 'bigint') return undefined;
      groups.push(Number(v4 >> 16n), Number(v4 & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** Canonical text (RFC 5952 for IPv6). */
export function addressText({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((index) => ((value >> (index * 16n)) & 0xffffn).toString(16));
  const zeros = groups.join(':').match(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g) ?? [];
  const longest = zeros.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return groups.join(':');
  const text = groups.join(':');
  const start = text.search(new RegExp(`(?<![0-9a-f])${longest}(?![0-9a-f])`));
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + longest.length).replace(/^:/, '')}`;
}

function malformed(text: string, why: string, better?: string): Fault {
  return {
    code: 'address-malformed',
    message: `${shown(text)} is no address: ${why}.`,
    remedy:
      better === undefined
        ? 'Write an address, "first-last", or a network such as "10.0.0.0/28".'
        : `Write "${better}".`,
  };
}

function blockFault(code: Fault['code'], text: string, why: string, remedy: string): Fault {
  return { code, message: `${shown(text)} ${why}.`, remedy };
}
