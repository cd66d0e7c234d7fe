import { sha256 } from './load/blob.ts';
import type { OpenState } from './load/checkout.ts';
import { type Problems, problemsOf } from './located.ts';
import type { Facts } from './plan/facts.ts';
import type { KnownLine } from './plan/inventory.ts';
import { sourceKeys } from './plan/keys.ts';
import { foreseenRemovals } from './plan/removal-guard.ts';
import type { Settings } from './resolve/state.ts';
import { isError } from './validate/codes.ts';
import type { Finding, Origin, Problem } from './validate/finding.ts';
import { version } from './version.ts';

/** A unit as far as it is known without rendering it. */
export interface StatedUnit {
  readonly id: string;
  /** Equal keys render to equal bytes. */
  readonly key: string;
  readonly origin: Origin;
  readonly facts: Facts;
}

/** What the state of a commit, or of the work tree, comes to, without rendering: what plans compare. */
export interface StateAt {
  readonly kind: 'ok';
  readonly checkout: OpenState;
  readonly reusable: readonly KnownLine[];
  readonly settings: Settings;
  readonly units: readonly StatedUnit[];
  readonly warnings: readonly Problem[];
  /** What the guard against mass removal will say of it, as far as that shows without rendering. */
  readonly refusals: () => readonly Finding[];
}

/**
 * Lines of the inventories that both states may be told from: of sources that are the same in both, down to everything
 * they are rendered from. What differs is read on both sides, so that an inventory which says something else than its
 * sources, by mistake or on purpose, cannot hide a change.
 */
export function sharedLines(before: OpenState, after: OpenState): readonly KnownLine[] {
  const [keyBefore, keyAfter] = [before, after].map(({ tree }) =>
    sourceKeys({ version, sources: tree.sources }, sha256),
  );
  const oids = new Map(after.tree.sources.map(({ path, oid }) => [path, oid]));
  const same = new Set(before.tree.sources.filter(({ path, oid }) => oids.get(path) === oid).map(({ path }) => path));
  // A key is made of what a folder depends on, and of the file itself: the former is asked for once for each folder.
  const folders = new Map<string, boolean>();
  const isSameFolder = (path: string): boolean => {
    const folder = path.split('/', 2).join('/');
    const known = folders.get(folder) ?? keyBefore?.({ path, oid: '' }) === keyAfter?.({ path, oid: '' });
    folders.set(folder, known);
    return known;
  };
  const { lines } = before.inventory;
  return (lines.length === 0 ? after.inventory.lines : lines).filter(
    ({ source }) => same.has(source) && isSameFolder(source),
  );
}

export interface StateAtOptions {
  readonly reusable: readonly KnownLine[];
  readonly onProgress: (done: number, total: number) => void;
}

export async function stateAt(
  checkout: OpenState,
  { reusable, onProgress }: StateAtOptions,
): Promise<StateAt | Problems> {
  const { compile } = await import('./compile.ts');
  const { reference } = checkout.inventory;
  const compiled = await compile({ tree: checkout.tree, reusable, reference, onProgress });
  const { settings, findings, units, reused } = compiled;
  if (settings === undefined || findings.some(isError)) return problemsOf(checkout, findings);
  const made = units.map(({ unit }) => unit);
  return {
    kind: 'ok',
    checkout,
    reusable,
    settings,
    units: [...units.map(({ unit: { id, origin, facts }, key }) => ({ id, key, origin, facts })), ...reused],
    warnings: (await problemsOf(checkout, findings)).problems,
    refusals: () => foreseenRemovals(reference, made, reused, settings.removal),
  };
}
