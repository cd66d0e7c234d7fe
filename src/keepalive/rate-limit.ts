import type { Instant } from '../instant.ts';

/** So many in a minute, and as many at once. */
export interface RateLimit {
  /** False: it is too many. */
  take(key: string, now: Instant): boolean;
}

/** Who comes from more addresses than this is not held by a limit on addresses anyway. */
const mostKeys = 10_000;
const minute = 60_000;

/** A token bucket for each key; those that were quiet for a minute are full, and need not be remembered. */
export function openRateLimit(perMinute: number): RateLimit {
  const buckets = new Map<string, { left: number; at: Instant }>();
  return {
    take: (key, now) => {
      const known = buckets.get(key);
      const refilled = known === undefined ? perMinute : known.left + ((now - known.at) / minute) * perMinute;
      const left = Math.min(perMinute, refilled);
      // Least recently used first, so that the first ones are those to forget.
      buckets.delete(key);
      buckets.set(key, { left: left < 1 ? left : left - 1, at: now });
      if (buckets.size > mostKeys) buckets.delete(buckets.keys().next().value ?? '');
      return left >= 1;
    },
  };
}

export interface ClientOf {
  /** Address of the other end of the connection. */
  readonly socket: string | undefined;
  readonly forwardedFor: string | undefined;
  /** Proxies in front of us that can be trusted to say whom they speak for; each adds one address at the end. */
  readonly proxies: number;
}

/** Who asks, as far as the proxies in front can be trusted. Of IPv6 the network: a host has as many addresses as it wants. */
export function clientKey({ socket = '', forwardedFor, proxies }: ClientOf): string {
  const chain = (forwardedFor ?? '').split(',').map((part) => part.trim());
  const forwarded = proxies > 0 ? chain.at(-proxies) : undefined;
  const address = forwarded === undefined || forwarded === '' ? socket : forwarded;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  return plain.includes(':') ? expanded(plain).slice(0, 4).join(':') : plain;
}

function expanded(address: string): string[] {
  const [head = '', tail] = address.replace(/%.*/, '').split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map((group) => group.replace(/^0+(?=.)/, ''));
}
