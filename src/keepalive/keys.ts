import { createSecretKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A key that signs links: `kid` is its name in the Secret. */
interface LinkKey {
  readonly kid: string;
  readonly secret: KeyObject;
}

export interface KeyRing {
  /** The one whose name sorts last, numbers by their value: `key-10` after `key-9`. */
  readonly signing: LinkKey;
  /** In the order of their names. */
  readonly all: readonly LinkKey[];
  find(kid: string): LinkKey | undefined;
}

/** There is no key to sign or check links with, in words for the operator. */
export class KeysUnusable extends Error {
  override readonly name = 'KeysUnusable';
}

/** HS256 wants at least as many bytes as its hash has (RFC 7518, 3.2). */
const leastBytes = 32;

/**
 * Each file of the folder is a key, as a mounted Secret has it. To rotate: add a key whose name sorts after the others;
 * it signs from then on. Remove an old one when the last link that it signed has expired. Throws KeysUnusable.
 */
export function readKeys(folder: string): KeyRing {
  const keys = namesIn(folder).map((kid): LinkKey => ({ kid, secret: readSecret(folder, kid) }));
  const short = keys.find(({ secret }) => (secret.symmetricKeySize ?? 0) < leastBytes);
  if (short !== undefined)
    throw new KeysUnusable(`The key "${short.kid}" in ${folder} has fewer than ${leastBytes} bytes. ${remedy}`);
  const signing = keys.at(-1);
  if (signing === undefined) throw new KeysUnusable(`${folder} holds no key. ${remedy}`);
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  return { signing, all: keys, find: (kid) => byKid.get(kid) };
}

const remedy =
  'Make one with: kubectl -n quiesce-system create secret generic quiesce-keepalive-keys --from-literal="key-1=$(openssl rand -base64 32)"';

/** Numbers by their value. Not by Intl.Collator: the page would have ICU in its memory for nothing else. */
function inOrder(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const at = left.findIndex((part, index) => part !== right[index]);
  const [one, other] = [left[at] ?? '', right[at] ?? ''];
  if (at === -1) return left.length - right.length;
  const difference = /^\d/.test(one) && /^\d/.test(other) ? Number(one) - Number(other) : 0;
  return difference || (one < other ? -1 : 1);
}

function partsOf(name: string): readonly string[] {
  return name.match(/\d+|\D/g) ?? [];
}

/** A mounted Secret has files that lead to a folder `..data`, which is exchanged as a whole. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('..') && statSync(join(folder, name)).isFile())
      .sort(inOrder);
  } catch (error) {
    throw new KeysUnusable(`${folder} cannot be read: ${error instanceof Error ? error.message : error}. ${remedy}`);
  }
}

/** An empty one cannot be made into a key; as one of a single byte it is refused for being too short. */
function readSecret(folder: string, kid: string): KeyObject {
  return createSecretKey(readFileSync(join(folder, kid), 'utf8').trim() || ' ', 'utf8');
}
