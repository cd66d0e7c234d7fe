import { compile } from './compile.ts';
import { type Problems, problemsOf } from './located.ts';
import { type Change, compareText } from './plan/change.ts';
import type { DangerKind } from './plan/danger.ts';
import { objectDangers, type UnitObjects } from './plan/object-dangers.ts';
import { objectDiffs, type RenderedObject } from './plan/object-diff.ts';
import type { UnitDiff } from './plan/plan.ts';
import type { Unit } from './plan/unit.ts';
import { materialFor } from './render/material.ts';
import { documentsOf, readable, withoutSecrets } from './render/readable.ts';
import { createRenderer } from './render/renderer.ts';
import type { StateAt, StatedUnit } from './state-at.ts';
import { isError } from './validate/codes.ts';
import type { Finding } from './validate/finding.ts';
import { version } from './version.ts';

export interface Between {
  readonly kind: 'ok';
  /** Units whose objects differ, by cluster and id. */
  readonly units: readonly UnitDiff[];
  /** Dangers that only the objects show. */
  readonly changes: readonly Change[];
}

export interface BetweenOptions {
  /** What is said of the units already. */
  readonly told: readonly Change[];
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * What differs between the objects of two states, rendered in memory: nothing is written, and units with equal keys are
 * not rendered at all. Without a state before, everything is new.
 */
export async function objectsBetween(
  before: StateAt | undefined,
  after: StateAt,
  { told, onProgress }: BetweenOptions,
): Promise<Between | (Problems & { readonly side: 'before' | 'after' })> {
  const ids = differing(before?.units ?? [], after.units);
  const [was, is] = [before && (await openSide(before, ids)), await openSide(after, ids)];
  const dangersTold = dangersByUnit(told);
  const units: UnitDiff[] = [];
  const changes: Change[] = [];
  for (const [index, id] of [...ids].sort(compareText).entries()) {
    onProgress(index, ids.size);
    const found = await unitBetween(id, was, is);
    if (found === undefined) continue;
    units.push({ unit: id, cluster: found.cluster, objects: found.diffs });
    changes.push(...objectDangers(found, dangersTold.get(id) ?? new Set()));
  }
  if (is.findings.some(isError)) return { ...(await problemsOf(after.checkout, is.findings)), side: 'after' };
  if (before !== undefined && was?.findings.some(isError) === true) {
    return { ...(await problemsOf(before.checkout, was.findings)), side: 'before' };
  }
  return { kind: 'ok', units: units.sort(byCluster), changes };
}

function byCluster(a: UnitDiff, b: UnitDiff): number {
  return compareText(a.cluster, b.cluster) || compareText(a.unit, b.unit);
}

function dangersByUnit(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<DangerKind>> {
  const kinds = new Map<string, Set<DangerKind>>();
  for (const { unit, dangers } of changes) {
    const known = kinds.get(unit) ?? new Set();
    kinds.set(unit, known);
    for (const { kind } of dangers) known.add(kind);
  }
  return kinds;
}

/** A shutdown lists the nodes of other files, which its key does not know of: it is always looked at. */
function differing(before: readonly StatedUnit[], after: readonly StatedUnit[]): ReadonlySet<string> {
  const was = new Map(before.map(({ id, key }) => [id, key]));
  const is = new Map(after.map(({ id, key }) => [id, key]));
  const isSame = (id: string): boolean => was.get(id) === is.get(id) && !id.startsWith('shutdown/');
  return new Set([...was.keys(), ...is.keys()].filter((id) => !isSame(id)));
}

/** One of the two states, ready to render what differs. */
interface OpenSide {
  readonly state: StateAt;
  readonly units: ReadonlyMap<string, Unit>;
  readonly render: (unit: Unit) => Promise<Rendered>;
  readonly findings: Finding[];
}

/** The documents of a unit as text, by the id of their object. */
type Rendered = ReadonlyMap<string, string>;

async function openSide(state: StateAt, ids: ReadonlySet<string>): Promise<OpenSide> {
  const { checkout, settings } = state;
  const { reference } = checkout.inventory;
  const sources = new Set(state.units.filter(({ id }) => ids.has(id)).map(({ origin }) => origin.file));
  const reusable = state.reusable.filter(({ source }) => !sources.has(source));
  const { units } = await compile({ tree: checkout.tree, reusable, reference });
  const renderer = createRenderer({ settings, version });
  const findings: Finding[] = [];
  const render = async ({ content }: Unit): Promise<Rendered> => {
    if (content === undefined) return nothing;
    const material = await materialFor(content, checkout.tree, checkout.root);
    findings.push(...material.findings);
    if (material.findings.some(isError)) return nothing;
    const { text, objects } = renderer.render(content, material);
    return documentsOf(text, objects);
  };
  return { state, units: new Map(units.map(({ unit }) => [unit.id, unit])), render, findings };
}

const nothing: Rendered = new Map();

/** Text is compared first: it is made from templates, and most documents of a unit that had to be looked at are the same. */
async function unitBetween(
  id: string,
  before: OpenSide | undefined,
  after: OpenSide,
): Promise<UnitObjects | undefined> {
  const [old, now] = [before?.units.get(id), after.units.get(id)];
  const was = old === undefined || before === undefined ? nothing : await before.render(old);
  const is = now === undefined ? nothing : await after.render(now);
  const [left, right] = [differingDocuments(was, is), differingDocuments(is, was)];
  if (left.length + right.length === 0) return undefined;
  const diffs = objectDiffs(left, right).map((diff) => withoutSecrets(diff, id));
  return { unit: id, cluster: clusterOf(now ?? old), before: left, after: right, diffs };
}

function differingDocuments(side: Rendered, other: Rendered): readonly RenderedObject[] {
  return [...side].filter(([id, text]) => other.get(id) !== text).map(([id, text]) => readable(id, text));
}

function clusterOf(unit: Unit | undefined): string {
  return unit?.path?.split('/', 1)[0] ?? '';
}
