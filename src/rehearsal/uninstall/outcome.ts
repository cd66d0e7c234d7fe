import { idOf, keyOf, objectsByComponent } from '../../sidecar/uninstall/belongs.ts';
import type { UninstallBlocker } from '../../sidecar/uninstall/blocker.ts';
import { isCopy, isDataKind, kindKey } from '../../sidecar/uninstall/kinds.ts';
import { sortContent } from '../../sidecar/uninstall/namespace-content.ts';
import type { SeenObject } from '../../sidecar/uninstall/observation.ts';
import type { ObjectId, UninstallPlan } from '../../sidecar/uninstall/plan.ts';
import { isStaying } from '../../sidecar/uninstall/staying.ts';
import type { DeletedObject, KeptObject, RehearsedUninstallBlocker, Span } from '../rehearsal.ts';
import type { Course, SeenBlocker } from './course.ts';
import type { LastWord } from './installation-actor.ts';
import type { Departure } from './objects.ts';

/** What is gone, in the order in which it was told to go; then what went with that. */
export function deletedIn({ deeds }: Pick<Course, 'deeds'>, departures: readonly Departure[]): DeletedObject[] {
  const components = new Map(deeds.orders.map(({ uid, component }) => [uid, component]));
  const ranks = new Map(deeds.orders.map(({ uid }, index) => [uid, index]));
  const rankOf = ({ object }: Departure) => ranks.get(object.uid) ?? Number.MAX_SAFE_INTEGER;
  return departures
    .filter(({ object }) => !isCopy(object) && !isOwnJob(object))
    .map((departure, index) => ({ departure, index }))
    .sort((a, b) => rankOf(a.departure) - rankOf(b.departure) || a.index - b.index)
    .map(({ departure: { object, how } }) => {
      const component = components.get(object.uid) ?? '';
      return { ...idOf(object), ...(component !== '' && { component }), how, isData: isDataKind(object) };
    });
}

/** It was begun in the rehearsal. */
function isOwnJob({ uid }: SeenObject): boolean {
  return uid.startsWith('job ');
}

/** What is ours, or has a name of ours, and is to stay. */
export function keptOf({ plan, status, look }: LastWord): KeptObject[] {
  const staying = [...objectsByComponent(plan, look.objects)].flatMap(([name, objects]) => {
    const component = plan.components.find((each) => each.name === name);
    return component === undefined ? [] : objects.filter((object) => isStaying(plan, component, object));
  });
  const kept = new Map([...staying, ...(status.leftovers ?? [])].map((object) => [keyOf(object), idOf(object)]));
  return [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => ({ ...id, ...whyKept(id, plan, look) }));
}

type Why = Pick<KeptObject, 'why' | 'holds'>;

function whyKept(id: ObjectId, plan: UninstallPlan, { objects, contents }: LastWord['look']): Why {
  const object = objects.find((each) => keyOf(each) === keyOf(id));
  const ofComponent = object && [...objectsByComponent(plan, [object])].find(([, found]) => found.length > 0);
  if (object === undefined || ofComponent === undefined) return { why: 'foreign' };
  if (kindKey(id) !== '/Namespace') return { why: 'policy' };
  const content = contents.filter(({ namespace }) => namespace === id.name).at(-1);
  if (content === undefined) return { why: 'policy' };
  if (content.unread.length > 0) return { why: 'unread' };
  const { foreign, passing } = sortContent(plan, content);
  return { why: 'not-empty', holds: [...foreign, ...passing].slice(0, mostHeld).map(idOf) };
}

/** More are of no use to anybody who reads it. */
const mostHeld = 5;

/** What is in the way for ever comes first, then what lasts longest. */
export function blockersOf(quick: Course, slow: Course): RehearsedUninstallBlocker[] {
  const forEver = quick.isOver ? [] : quick.blockers.filter(({ isLeft }) => isLeft);
  const known = new Set(forEver.map(({ blocker }) => wordsOf(blocker)));
  const passing = slow.blockers.filter(
    ({ blocker, isLeft, from, to }) => !known.has(wordsOf(blocker)) && (slow.isOver || !isLeft) && to - from >= newsMs,
  );
  return [
    ...forEver.map((each) => rehearsed(each, { from: null, to: null })),
    ...passing
      .sort((a, b) => b.to - b.from - (a.to - a.from) || (wordsOf(a.blocker) < wordsOf(b.blocker) ? -1 : 1))
      .map((each) => rehearsed(each, { from: 0, to: seconds(each.to - each.from) })),
  ];
}

/** What is over sooner is the ordinary course. */
const newsMs = 1000;

function wordsOf({ code, message }: SeenBlocker['blocker']): string {
  return `${code} ${message}`;
}

function rehearsed({ blocker }: SeenBlocker, lasts: Span): RehearsedUninstallBlocker {
  const { since: _, ...rest } = blocker as UninstallBlocker;
  return { ...rest, lasts, forEver: lasts.to === null };
}

export function takes(quick: Course, slow: Course): Span {
  if (!quick.isOver) return { from: null, to: null };
  return { from: seconds(quick.ended - quick.began), to: slow.isOver ? seconds(slow.ended - slow.began) : null };
}

export function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
