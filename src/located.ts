import type { Checkout } from './load/checkout.ts';
import { isReadable } from './load/tree.ts';
import type { Finding, Location, Place, Problem } from './validate/finding.ts';

export interface Problems {
  readonly kind: 'problems';
  /** At least one of them is an error; warnings are among them. */
  readonly problems: readonly Problem[];
}

/** Looks up lines and columns; only files with findings are read again. */
export async function problemsOf(checkout: Pick<Checkout, 'tree'>, findings: readonly Finding[]): Promise<Problems> {
  if (findings.length === 0) return { kind: 'problems', problems: [] };
  const { locate } = await import('./validate/locate.ts');
  const read = await readerOf(
    checkout,
    findings.flatMap(({ at, related }) => [at, ...(related ?? []).map((other) => other.at)]),
  );
  return { kind: 'problems', problems: locate(findings, read) };
}

/** Places of what is no finding. */
export async function placesOf(
  checkout: Pick<Checkout, 'tree'>,
  locations: readonly Location[],
): Promise<readonly (Place | undefined)[]> {
  if (locations.length === 0) return [];
  const { locatePlaces } = await import('./validate/locate.ts');
  return locatePlaces(locations, await readerOf(checkout, locations));
}

async function readerOf(
  { tree }: Pick<Checkout, 'tree'>,
  locations: readonly Location[],
): Promise<(file: string) => Uint8Array | undefined> {
  const known = new Set(tree.sources.filter(isReadable).map((source) => source.path));
  const files = locations.flatMap((at) => (at.kind !== 'nowhere' && known.has(at.file) ? [at.file] : []));
  await tree.prefetch([...new Set(files)]);
  return (file) => (known.has(file) ? tree.read(file) : undefined);
}
