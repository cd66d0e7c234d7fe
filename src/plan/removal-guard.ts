import type { Finding } from '../validate/finding.ts';
import { type InventoryLine, objectInWords } from './inventory.ts';
import type { Unit } from './unit.ts';

/** What counts of a unit. */
type Counted = Pick<InventoryLine, 'id' | 'path' | 'objects' | 'facts'>;

export interface RemovalLimits {
  /** Largest share of claims or objects that one compile may drop, 0 to 1. */
  readonly maxShare: number;
  /** Up to this many are never held back: in a small instance every removal is a large share. */
  readonly atLeast: number;
  /** What the operator allowed for this run. */
  readonly allowed?: number;
}

/**
 * Refuses a compile that would drop an unusual share of what is rendered now: the usual cause is a mistake (a folder
 * moved, a glob gone wrong), and the applier would carry it out within seconds (argo-cd#28929, flux2#2660).
 *
 * Counted as set differences, so that new claims do not make up for lost ones. A claim counts as dropped when it is
 * gone or its deletion is ordered; objects count only where no deletion was ordered, since an ordered one drops all
 * objects of its claim by intent, and is counted as a claim.
 */
export function removalFindings(
  before: readonly Counted[],
  after: readonly Counted[],
  limits: RemovalLimits,
): Finding[] {
  // Lines that are the same object in both were reused: what is in them cannot be lost.
  const kept = new Set<Counted>(after);
  const gone = before.filter((line) => !kept.has(line));
  const old = new Set<Counted>(before);
  const made = after.filter((line) => !old.has(line));
  const ordered = new Set(made.flatMap(orderedDeletion));
  const claims = missing(gone.flatMap(liveClaim), made.flatMap(liveClaim));
  const objects = missing(gone.filter((line) => !ordered.has(owner(line))).flatMap(objectsOf), made.flatMap(objectsOf));
  const allClaims = (): number => before.flatMap(liveClaim).length;
  const allObjects = (): number => sum(before.map((line) => line.objects?.length ?? 0));
  return [...judge('claims', claims, allClaims, limits), ...judge('objects', objects, allObjects, limits)];
}

/** The same before anything is rendered: units that stay are taken to keep the objects they had. */
export function foreseenRemovals(
  before: readonly InventoryLine[],
  units: readonly Pick<Unit, 'id' | 'path' | 'facts'>[],
  reused: readonly InventoryLine[],
  limits: RemovalLimits,
): Finding[] {
  const wanted = new Set(units.map(({ id }) => id));
  // Objects are text until they are asked for: only those of the few units that are made anew.
  const objects = new Map(before.filter(({ id }) => wanted.has(id)).map((line) => [line.id, line.objects]));
  const made = units.map(({ id, path, facts }) => {
    const had = objects.get(id);
    return { id, facts, ...(path !== undefined && { path }), ...(had !== undefined && { objects: had }) };
  });
  return removalFindings(before, [...reused, ...made], limits);
}

/** With their cluster in front: what goes from one is not made up for by the same object in another. */
function objectsOf({ path, objects }: Counted): string[] {
  const cluster = path?.split('/', 1)[0] ?? '';
  return (objects ?? []).map((id) => `${cluster}:${id}`);
}

function inWords(object: string): string {
  const colon = object.indexOf(':');
  const where = colon === 0 ? '' : ` (${object.slice(0, colon)})`;
  return `${objectInWords(object.slice(colon + 1))}${where}`;
}

function missing(before: readonly string[], after: readonly string[]): string[] {
  const now = new Set(after);
  return [...new Set(before)].filter((item) => !now.has(item)).sort();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function judge(
  what: 'claims' | 'objects',
  lost: readonly string[],
  all: () => number,
  limits: RemovalLimits,
): Finding[] {
  if (lost.length <= limits.atLeast) return [];
  const of = all();
  if (lost.length <= Math.max(limits.atLeast, limits.maxShare * of)) return [];
  if (limits.allowed !== undefined && lost.length <= limits.allowed) return [];
  const some = lost
    .slice(0, 5)
    .map(what === 'objects' ? inWords : String)
    .join(', ');
  const more = lost.length > 5 ? ` and ${lost.length - 5} more` : '';
  return [
    {
      code: 'mass-removal',
      at: { kind: 'nowhere' },
      message: `This would remove ${lost.length} of ${of} ${what}: ${some}${more}.`,
      remedy: `If that is meant, say so with --allow-mass-removal ${lost.length}; else look for state files that were moved or lost.`,
    },
  ];
}

function liveClaim(line: Counted): string[] {
  return line.facts.kind === 'claim' && line.facts.state !== 'Deleted' ? [line.facts.name] : [];
}

/** Owners whose objects are meant to go. */
function orderedDeletion(line: Counted): string[] {
  const { facts } = line;
  return (facts.kind === 'claim' || facts.kind === 'installation') && facts.state === 'Deleted' ? [owner(line)] : [];
}

function owner({ facts, id }: Counted): string {
  return facts.kind === 'component' ? `installation/${facts.installation}` : id;
}
