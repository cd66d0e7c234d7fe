import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ListedState, listState, type OpenState, withInventory } from './load/checkout.ts';
import { isShallowClone, trailersBetween } from './load/trailers.ts';
import { type Problems, placesOf } from './located.ts';
import type { ProgressEvent } from './pipeline.ts';
import { type Change, compareChanges } from './plan/change.ts';
import { changeLocation } from './plan/change-location.ts';
import { changes } from './plan/changes.ts';
import { danger } from './plan/danger.ts';
import { claimCounts, deadlinesIn, isUnapproved, type Plan, type PlannedChange } from './plan/plan.ts';
import { approvalsIn, needsOf, unknownRules } from './plan/policy.ts';
import { rehearsedChanges } from './plan/rehearsed-changes.ts';
import type { Rehearsal } from './rehearsal/rehearsal.ts';
import { type StateAt, sharedLines, stateAt } from './state-at.ts';
import type { Finding, Location, Place, Problem } from './validate/finding.ts';

export interface CompareOptions {
  /** The folder that holds `state/`. */
  readonly root: string;
  /** A ref, `worktree`, or a folder with a `state/` in it: one that begins with `.` or `/`. */
  readonly from: string;
  readonly to: string;
  /** Look into the rendered objects of both sides as well. */
  readonly objects: boolean;
  /** Labels of the pull request. */
  readonly labels: readonly string[];
  /** Codes of problems that mean there is nothing yet to compare with. */
  readonly beginnings: readonly string[];
  /** What clusters make of the two states; absent where there is no snapshot. */
  readonly rehearse?: (sides: Sides) => Promise<readonly Rehearsal[] | (Problems & { readonly at: string })>;
  readonly onProgress: (event: ProgressEvent) => void;
}

export interface Compared {
  readonly kind: 'ok';
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
  /** There was no state before. */
  readonly isFirst: boolean;
  /** Rules that approvals name and the policy does not have. */
  readonly unknownApprovals: readonly string[];
  /** The clone lacks history, so that approvals which are missing may be there all the same. */
  readonly isShallow: boolean;
}

/** Two states compiled in memory, and everything that the step from one to the other does. Nothing is written. */
export async function compare(options: CompareOptions): Promise<Compared | (Problems & { readonly at: string })> {
  const trailers = approvalTrailers(options);
  const sides = await openSides(options);
  if (sides.kind === 'problems') return sides;
  const { was, after, isFirst } = sides;
  const [before, now] = [factsOf(was), factsOf(after)];
  const told = [...after.refusals().map(refusal), ...changes(before, now)];
  const between = options.objects ? await objectsOf(was, after, told, options) : undefined;
  if (between?.kind === 'problems') return { ...between, at: between.side === 'after' ? options.to : options.from };
  const rehearsals = await options.rehearse?.(sides);
  if (rehearsals !== undefined && 'kind' in rehearsals) return rehearsals;
  const rehearsed = (rehearsals ?? []).flatMap(rehearsedChanges);
  const all = [...told, ...(between?.changes ?? []), ...rehearsed].sort(compareChanges);
  const approvals = approvalsIn(await trailers, options.labels);
  const rules = [...(was?.settings.policy.rules ?? []), ...after.settings.policy.rules];
  const places = await placesFor(all, after);
  const planned = all.map((change, index): PlannedChange => {
    const place = places[index];
    return { ...change, needs: needsOf(change, rules, approvals), ...(place !== undefined && { place }) };
  });
  const plan = {
    from: options.from,
    to: options.to,
    changes: planned,
    ...(between !== undefined && { objects: between.units }),
    claims: claimCounts(before, now),
    deadlines: deadlinesIn(now),
    ...(rehearsals !== undefined && { rehearsals }),
  };
  const unknownApprovals = unknownRules(approvals, rules);
  const isShallow = planned.some(isUnapproved) && (await isShallowClone(options.root));
  return { kind: 'ok', plan, warnings: after.warnings, isFirst, unknownApprovals, isShallow };
}

type SideOptions = Pick<CompareOptions, 'root' | 'from' | 'to' | 'beginnings' | 'onProgress'>;

export interface Sides {
  readonly kind: 'ok';
  /** Absent: there was no state before. */
  readonly was: StateAt | undefined;
  readonly after: StateAt;
  readonly isFirst: boolean;
}

/** Both states, compiled as far as it goes without rendering. */
export async function openSides(options: SideOptions): Promise<Sides | (Problems & { readonly at: string })> {
  const [before, after] = await bothSides(options);
  // Of two broken states it is the newer one that can be mended.
  if (after.kind === 'problems') return { ...after, at: options.to };
  const isFirst = before.kind === 'problems' && isBeginning(before, options.beginnings);
  if (before.kind === 'problems' && !isFirst) return { ...before, at: options.from };
  return { kind: 'ok', was: before.kind === 'ok' ? before : undefined, after, isFirst };
}

async function bothSides(options: SideOptions): Promise<readonly [StateAt | Problems, StateAt | Problems]> {
  const [before, after] = await Promise.all([list(options.from, options), list(options.to, options)]);
  const [was, is] = await withInventories(before, after);
  const reusable = 'problems' in was || 'problems' in is ? [] : sharedLines(was, is);
  const onProgress = (done: number, total: number): void => options.onProgress({ stage: 'load', done, total });
  const stated = (side: OpenState | Unknown): Promise<StateAt | Problems> =>
    'problems' in side ? Promise.resolve({ kind: 'problems', ...side }) : stateAt(side, { reusable, onProgress });
  return [await stated(was), await stated(is)];
}

/** There is no such ref or folder. */
interface Unknown {
  readonly problems: readonly Problem[];
}

async function list(side: string, { root }: Pick<CompareOptions, 'root'>): Promise<ListedState | Unknown> {
  if (!isFolder(side)) return listState({ root, ...(side !== 'worktree' && { ref: side }) });
  const folder = resolve(root, side);
  return existsSync(folder) ? listState({ root: folder }) : noFolder(side);
}

async function withInventories(
  before: ListedState | Unknown,
  after: ListedState | Unknown,
): Promise<readonly [OpenState | Unknown, OpenState | Unknown]> {
  if ('problems' in before) return [before, 'problems' in after ? after : await withInventory(after)];
  if ('problems' in after) return [await withInventory(before), after];
  const was = await withInventory(before, after);
  return [was, await withInventory(after, { ...before, inventory: was.inventory })];
}

function isFolder(side: string): boolean {
  return /^[./]/.test(side);
}

function noFolder(side: string): Unknown {
  const message = `There is no folder "${side}".`;
  const remedy = 'Name a folder that holds state/, or a commit, branch or tag.';
  return { problems: [{ code: 'ref-unknown', severity: 'error', message, remedy, related: [] }] };
}

/** A state without settings has nothing that runs. */
function isBeginning({ problems }: Problems, beginnings: readonly string[]): boolean {
  return problems.filter(({ severity }) => severity === 'error').every(({ code }) => beginnings.includes(code));
}

function factsOf(state: StateAt | undefined) {
  return state?.units.map(({ facts }) => facts) ?? [];
}

/** Many are gone at once; that the compiler refuses is the danger a reviewer has to know of. */
function refusal({ message, remedy }: Finding): Change {
  const subject = { kind: 'all', name: 'removal', cluster: '' } as const;
  const dangers = danger('refused', `the compiler refuses it. ${remedy}`);
  return { kind: 'mass-change', subject, text: message, dangers, unit: '' };
}

async function objectsOf(was: StateAt | undefined, after: StateAt, told: readonly Change[], options: CompareOptions) {
  const { objectsBetween } = await import('./objects-between.ts');
  const onProgress = (done: number, total: number): void => options.onProgress({ stage: 'render', done, total });
  return objectsBetween(was, after, { told, onProgress });
}

/** Commits lie between two refs only; the work tree's own are those up to HEAD. */
async function approvalTrailers({ root, from, to }: CompareOptions): Promise<readonly string[]> {
  const isBetweenRefs = !isFolder(from) && !isFolder(to) && from !== 'worktree';
  const refs = { from, to: to === 'worktree' ? 'HEAD' : to };
  return isBetweenRefs ? trailersBetween(root, refs, 'Quiesce-Approve') : [];
}

/** Looking a line up means to parse its file: for this many changes, the dangerous ones first. */
const mostPlaces = 500;

async function placesFor(all: readonly Change[], after: StateAt): Promise<readonly (Place | undefined)[]> {
  const units = new Map(after.units.map((unit) => [unit.id, unit]));
  const dangerousFirst = [...all.keys()].sort(
    (a, b) => Number(isHarmless(all[a])) - Number(isHarmless(all[b])) || a - b,
  );
  const wanted = new Set(dangerousFirst.slice(0, mostPlaces));
  const locations = all.map((change, index): Location => {
    const at = changeLocation(change, units);
    return at.kind === 'nowhere' || wanted.has(index) ? at : { kind: 'file', file: at.file };
  });
  return placesOf(after.checkout, locations);
}

function isHarmless(change: Change | undefined): boolean {
  return change === undefined || change.dangers.length === 0;
}
