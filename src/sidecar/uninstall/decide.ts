import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../instant.ts';
import { earliest } from '../maintenance/wake.ts';
import { bareSince } from './bare.ts';
import { keyOf, objectsByComponent } from './belongs.ts';
import { dateBlockers, stallsAt, type UninstallBlocker } from './blocker.ts';
import { componentStatus } from './component-status.ts';
import type { NextLook, UninstallAction, UninstallDecision } from './decision.ts';
import { errorAmong } from './errors.ts';
import { eventsOf } from './events.ts';
import { allHooks } from './hooks.ts';
import { cycleAmong, removeInOrder } from './in-order.ts';
import { isDataKind } from './kinds.ts';
import { leftoversOf } from './leftovers.ts';
import { lookAhead, namespacesToRemove, removeNamespace } from './namespaces.ts';
import type { UninstallObservation } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { removeQuickly } from './quick.ts';
import { type Report, runBegan, statusOf, timedOut, writeDueAt, writtenAt } from './report.ts';
import type { UninstallPhase } from './status.ts';
import { isStaying } from './staying.ts';
import { stopped } from './stopped.ts';
import { type ComponentView, done, mergeLooks, type StepOutcome, together, waiting } from './view.ts';

/**
 * What one look at the cluster leads to. Every step is derived from what is seen; of what is remembered only what cannot
 * be seen counts: which hooks have succeeded (their Jobs may be gone) and what was let go of.
 */
export function decideUninstall(
  plan: UninstallPlan,
  observation: UninstallObservation,
  now: Instant,
): UninstallDecision {
  const course = courseOf(plan, observation, now);
  const { shown } = observation;
  const report = reportOf(plan, observation, { now, course });
  const told = statusOf(report);
  const dueAt = writeDueAt(now, plan, { status: told, shown });
  const write = dueAt !== undefined && dueAt <= now;
  const status = write ? writtenAt(now, told) : told;
  const isOver = report.phase === 'Deleted' || report.reason === timedOut;
  const wakeAt = isOver ? (write ? now + rewriteMs : undefined) : nextPass(now, observation, { course, report, dueAt });
  return {
    actions: isOver ? [] : course.outcome.actions,
    status,
    write,
    events: write ? eventsOf(report, status) : [],
    blockers: report.blockers,
    next: nextLook(now, plan, { observation, course }),
    ...(wakeAt !== undefined && { wakeAt }),
  };
}

interface Seen {
  readonly observation: UninstallObservation;
  readonly course: Course;
}

function nextLook(now: Instant, plan: UninstallPlan, { observation, course: { outcome } }: Seen): NextLook {
  const since = bareSince(now, plan, observation);
  return { ...mergeLooks([outcome.look ?? {}]), ...(since !== undefined && { bareSince: since }) };
}

/** A result that could not be written is decided anew. */
const rewriteMs = 1000;

interface Course {
  readonly views: readonly ComponentView[];
  /** Of those that had their turn. */
  readonly components: ReadonlyMap<string, StepOutcome>;
  readonly outcome: StepOutcome;
  readonly orphaned: Report['orphaned'];
  /** It is not known, or not allowed, how to go on: what was reached before stays so. */
  readonly isStopped?: true;
}

function courseOf(plan: UninstallPlan, observation: UninstallObservation, now: Instant): Course {
  const views = viewsOf(plan, observation, now);
  const stop = stopped(plan, observation);
  if (stop !== undefined) return { views, components: new Map(), outcome: stop, orphaned: [], isStopped: true };
  if (plan.strategy === 'Quick') {
    return quickCourse(plan, observation, { views, began: runBegan(now, plan, observation.shown) });
  }
  const components = removeInOrder(plan, views);
  const all = longestFirst(together([...components.values(), ...cycleAmong(views, components)]));
  const areGone = all.isDone && components.size === views.length;
  if (!areGone) {
    const left = views.flatMap(({ component, objects }) => objects.filter((each) => !isStaying(plan, component, each)));
    const told = new Set(all.actions.flatMap((action) => (action.kind === 'delete' ? action.uid : [])));
    const ahead = told.size > 0 && !hasHooks(plan) ? lookAhead({ plan, observation }, left, told) : done;
    return { views, components, outcome: together([all, ahead]), orphaned: [] };
  }
  const namespaces = namespacesToRemove({ plan, observation }).map((namespace) =>
    removeNamespace({ now, plan, observation }, namespace),
  );
  const last = together([all, ...namespaces]);
  return { views, components, outcome: last.isDone ? looksWhole(now, plan, observation) : last, orphaned: [] };
}

/** What has Pods takes longest, and everything after it waits for that; the others go while it does. */
function longestFirst(outcome: StepOutcome): StepOutcome {
  const hasLongWay = (action: UninstallAction) => action.kind === 'delete' && action.propagation === 'Foreground';
  const { actions } = outcome;
  return { ...outcome, actions: [...actions.filter(hasLongWay), ...actions.filter((each) => !hasLongWay(each))] };
}

/** What their Jobs make is not known here. */
function hasHooks({ components }: UninstallPlan): boolean {
  return components.some(({ hooks }) => allHooks(hooks).length > 0);
}

/** Deleted is what a look at everything has shown, and not only at where something was left. */
function looksWhole(now: Instant, plan: UninstallPlan, observation: UninstallObservation): StepOutcome {
  const { depth, names, contents } = observation;
  // What says that a namespace stays has to be in that look as well.
  const look = { depth: 'full', names: true, contents: contents.map(({ namespace }) => namespace) } as const;
  if (depth === 'full' && names) return { ...done, look };
  if (contents.length === 0 && bareSince(now, plan, observation) !== undefined) return done;
  return waiting('looking for anything that is left', { look, wake: [now + 1] });
}

function quickCourse(
  plan: UninstallPlan,
  observation: UninstallObservation,
  { views, began }: { readonly views: readonly ComponentView[]; readonly began: Instant },
): Course {
  const { outcome, orphaned } = removeQuickly({ views, began });
  const now = views[0]?.now ?? began;
  return {
    views,
    components: new Map(),
    outcome: outcome.isDone ? looksWhole(now, plan, observation) : outcome,
    orphaned,
  };
}

function viewsOf(plan: UninstallPlan, observation: UninstallObservation, now: Instant): ComponentView[] {
  const found = objectsByComponent(plan, observation.objects);
  const going = plan.components.flatMap((component) =>
    (found.get(component.name) ?? []).filter((object) => !isStaying(plan, component, object)),
  );
  const { shown } = observation;
  return plan.components.map((component) => ({
    now,
    plan,
    component,
    observation,
    objects: (found.get(component.name) ?? []).filter(({ kind }) => kind !== 'Namespace'),
    going: new Set(going.map(({ uid }) => uid)),
    hooks: (shown?.run === plan.run ? shown.components : [])?.find(({ name }) => name === component.name)?.hooks ?? [],
  }));
}

/** The lifecycle runner looks for this word: data that was kept blocks the name. */
const dataKept = 'DataKept';

/** Whoever has just begun to look, when the time is up, does not know yet what is in the way, and has to name it. */
const namingMs = 60_000;

interface Decided {
  readonly now: Instant;
  readonly course: Course;
}

function reportOf(plan: UninstallPlan, observation: UninstallObservation, { now, course }: Decided): Report {
  const { shown } = observation;
  const before = shown?.run === plan.run ? shown : undefined;
  const began = runBegan(now, plan, shown);
  const { outcome, views, isStopped = false } = course;
  const blockers = outcome.isDone ? [] : dateBlockers(now, outcome.blockers, before?.blockers);
  const late = now - (began + plan.timeoutSeconds * 1000);
  const isLate = !outcome.isDone && late >= (blockers.length > 0 ? 0 : namingMs);
  const error = errorAmong(now, blockers);
  const phase: UninstallPhase = outcome.isDone ? 'Deleted' : isLate || error !== undefined ? 'DeleteError' : 'Deleting';
  const leftovers = outcome.isDone ? leftoversOf(plan, observation) : [];
  const end = leftovers.some(isDataKind) ? dataKept : 'gone';
  const reason = outcome.isDone ? end : isLate ? timedOut : (error?.code ?? 'removing');
  const named = views.filter(({ component }) => component.renderedOnly !== true);
  const components = named.map((view) =>
    componentStatus(view, {
      outcome: course.components.get(view.component.name),
      before: before?.components,
      phase,
      isStopped,
    }),
  );
  const retryAt = phase === 'DeleteError' && !isLate ? earliest(now, outcome.wake ?? []) : undefined;
  const attempt = attemptOf(views, observation);
  return {
    now,
    plan,
    shown,
    began,
    phase,
    reason,
    ...(outcome.at !== undefined && { step: stepText(course) }),
    ...(attempt > 0 && { attempt }),
    done: components.filter((each) => each.phase === 'Deleted').length,
    total: components.length,
    ...(retryAt !== undefined && { retryAt }),
    blockers,
    components,
    leftovers,
    orphaned: merged(before?.orphaned ?? [], course.orphaned),
  };
}

function stepText({ components, outcome }: Course): string {
  const open = [...components].find(([, each]) => !each.isDone);
  return open === undefined ? (outcome.at ?? '') : `${open[0]}: ${open[1].at ?? ''}`;
}

/** How often the step that has been tried most has been begun. */
function attemptOf(views: readonly ComponentView[], { refusals, jobs }: UninstallObservation): number {
  const tried = Object.values(refusals).map(({ attempts }) => attempts + 1);
  return Math.max(0, ...tried, ...(views.length > 0 ? jobs.map(({ attempt }) => attempt) : []));
}

function merged(before: Report['orphaned'], more: Report['orphaned']): Report['orphaned'] {
  const byKey = new Map([...before, ...more].map((id) => [keyOf(id), id]));
  return [...byKey.values()].slice(0, 500);
}

const quickestMs = 250;
const slowestMs = 10_000;
const heartbeatMs = 20_000;

interface Reported {
  readonly course: Course;
  readonly report: Report;
  /** When what differs from what is shown is to be written. */
  readonly dueAt: Instant | undefined;
}

/** Soon after something was set in motion, and less and less often the longer it takes. */
function nextPass(now: Instant, observation: UninstallObservation, { course, report, dueAt = now }: Reported): Instant {
  const begun = [
    ...observation.objects.flatMap(({ deletedAt }) => deletedAt ?? []),
    ...observation.jobs.map(({ createdAt, endedAt, deletedAt }) => deletedAt ?? endedAt ?? createdAt),
  ];
  const sinceLast = now - Math.max(report.began, ...begun.map((instant) => Math.min(instant, now)));
  const regular = begun.length === 0 ? slowestMs : Math.min(slowestMs, Math.max(quickestMs, sinceLast / 4));
  const pause = unreadPause(now, observation, report) ?? regular;
  const wakes = [
    ...(course.outcome.wake ?? []),
    ...report.blockers.map(stallsAt),
    dueAt,
    now + heartbeatMs,
    now + pause,
  ];
  return earliest(now, wakes) ?? now + pause;
}

const unreadOnes: readonly UninstallBlocker['code'][] = ['unread', 'namespace-unread'];

/** Whoever cannot answer now is asked less and less often, and not before it wants to be. Undefined: all have answered. */
function unreadPause(now: Instant, { unread, contents }: UninstallObservation, report: Report): number | undefined {
  const all = [...unread, ...contents.flatMap((content) => content.unread)];
  if (all.length === 0) return undefined;
  const since = report.blockers.filter(({ code }) => unreadOnes.includes(code)).map((each) => parseInstant(each.since));
  const age = now - Math.min(now, ...since.map((instant) => instant ?? now));
  const asked = Math.max(...all.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds * 1000));
  return Math.min(slowestMs, Math.max(1000, asked, age / 4));
}
