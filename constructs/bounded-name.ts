import { createHash } from 'node:crypto';

/**
 * Names that end up as label values may have 63 characters: of longer ones the end becomes a hash, so that two that
 * differ there stay two.
 */
export function boundedName(name: string): string {
  return name.length <= 63 ? name : suffixed(name, name);
}

/** The name, cut if need be, and ten digits that change with the content. */
export function suffixed(name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  return `${name.slice(0, 52).replace(/[-.]+$/, '')}-${hash}`;
}
