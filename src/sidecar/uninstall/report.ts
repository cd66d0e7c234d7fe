import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import { isSame } from '../../same.ts';
import { heartbeat } from '../maintenance/heartbeat.ts';
import type { Condition } from '../maintenance/status.ts';
import type { UninstallBlocker } from './blocker.ts';
import { errorAmong } from './errors.ts';
import type { ObjectId, UninstallPlan } from './plan.ts';
import type { ComponentStatus, UninstallPhase, UninstallStatus } from './status.ts';

/** What is to be told of a run, before it is dated. */
export interface Report {
  readonly now: Instant;
  readonly plan: UninstallPlan;
  readonly shown: UninstallStatus | undefined;
  readonly began: Instant;
  readonly phase: UninstallPhase;
  readonly reason: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly done: number;
  readonly total: number;
  readonly retryAt?: Instant;
  readonly blockers: readonly UninstallBlocker[];
  readonly components: readonly ComponentStatus[];
  readonly leftovers: readonly ObjectId[];
  readonly orphaned: readonly ObjectId[];
}

/** As many as the CRDs have room for, the oldest first. */
const mostBlockers = 50;

export function statusOf(report: Report): UninstallStatus {
  const { now, plan, shown, phase, reason, step, attempt, done, total, retryAt, blockers } = report;
  const isAtWork = phase !== 'Deleted' && !isOver(report);
  const isSamePhase = shown?.phase === phase && shown.run === plan.run;
  const lastError = lastErrorOf(report);
  return {
    ...(plan.generation !== undefined && { observedGeneration: plan.generation }),
    phase,
    reason,
    since: isSamePhase && shown.since !== undefined ? shown.since : instantText(now),
    run: plan.run,
    ...(isAtWork && { heartbeat: heartbeat(now, shown?.heartbeat) }),
    ...(step !== undefined && { step: step.slice(0, 500) }),
    ...(attempt !== undefined && { attempt }),
    done,
    total,
    ...(retryAt !== undefined && { retryAt: instantText(retryAt) }),
    ...(lastError !== undefined && { lastError }),
    ...(report.leftovers.length > 0 && { leftovers: report.leftovers }),
    ...(report.orphaned.length > 0 && { orphaned: report.orphaned }),
    ...(blockers.length > 0 && { blockers: blockers.slice(0, mostBlockers) }),
    conditions: conditionsOf(report),
    // A claim's resource has no such field: it is one component.
    ...(plan.subject.kind === 'Installation' && { components: report.components }),
  };
}

/** Given up: only git starts it again. */
function isOver({ reason }: Report): boolean {
  return reason === timedOut;
}

export const timedOut = 'timeout';

function lastErrorOf({ now, plan, shown, reason, blockers, phase }: Report): UninstallStatus['lastError'] {
  const error = errorAmong(now, blockers);
  const before = shown?.run === plan.run ? shown.lastError : undefined;
  if (reason === timedOut) {
    const why = blockers[0]?.message ?? 'nothing that is known of is in the way';
    const message = `Not done within ${plan.timeoutSeconds} s and given up; in the way: ${why}`;
    const at = before?.code === timedOut ? before.at : instantText(now);
    return { code: timedOut, message, ...(at !== undefined && { at }), retryable: false };
  }
  if (error === undefined || phase === 'Deleted') return before;
  const { code, message, since } = error;
  return { code, message, ...(since !== undefined && { at: since }), retryable: true };
}

function conditionsOf(report: Report): Condition[] {
  const { phase, reason, blockers, leftovers, orphaned, now } = report;
  const isDone = phase === 'Deleted';
  const permanent = blockers.find((blocker) => blocker.permanent === true);
  const stuck = isOver(report) || permanent !== undefined;
  const remaining = leftovers.length + orphaned.length;
  return [
    dated(report, 'Deleted', isDone, isDone ? (remaining > 0 ? 'WithLeftovers' : 'Gone') : asReason(reason), {
      text: isDone
        ? remaining > 0
          ? `Nothing more is to go; ${remaining} objects are left and listed.`
          : 'Everything is gone.'
        : (report.step ?? 'Not begun.'),
    }),
    dated(report, 'Reconciling', !isDone && !isOver(report), asReason(reason), {
      text: isDone ? 'The uninstall is over.' : (report.step ?? 'The uninstall goes on.'),
    }),
    dated(report, 'Stalled', stuck, stuck ? asReason(permanent?.code ?? reason) : 'NothingPermanent', {
      text: stuck ? (permanent?.message ?? `Given up at ${instantText(now)}.`) : 'Waiting may help.',
    }),
  ];
}

function dated(
  report: Report,
  type: string,
  status: boolean,
  reason: string,
  { text }: { readonly text: string },
): Condition {
  const { now, shown, plan, began } = report;
  const before = shown?.run === plan.run ? shown.conditions?.find((condition) => condition.type === type) : undefined;
  const word = status ? 'True' : 'False';
  // That `Deleted` is false tells when the run began.
  const since = type === 'Deleted' && !status ? began : now;
  const message = text.slice(0, 1000);
  const isSame = before?.status === word;
  const given = isSame && before.reason === reason && type === 'Stalled' ? before.message : message;
  const isKept = isSame && type !== 'Deleted';
  return {
    type,
    status: word,
    ...(report.plan.generation !== undefined && { observedGeneration: report.plan.generation }),
    lastTransitionTime: isKept || (isSame && status) ? before.lastTransitionTime : instantText(since),
    reason,
    message: given,
  };
}

/** `hook-failed` → `HookFailed` */
function asReason(code: string): string {
  return code.replace(/(?:^|[^A-Za-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** There is nothing more to see: the result of this run is written down, and git has not changed since. */
export function isConcluded(plan: UninstallPlan, shown: UninstallStatus | undefined): boolean {
  if (shown === undefined || shown.run !== plan.run) return false;
  if (plan.generation !== undefined && shown.observedGeneration !== plan.generation) return false;
  return shown.phase === 'Deleted' || shown.reason === timedOut;
}

/** When the run that is shown began. */
export function runBegan(now: Instant, plan: UninstallPlan, shown: UninstallStatus | undefined): Instant {
  const condition = shown?.run === plan.run ? shown.conditions?.find(({ type }) => type === 'Deleted') : undefined;
  const isAnew = shown?.reason === timedOut && plan.generation !== shown.observedGeneration;
  if (condition?.status !== 'False' || isAnew) return now;
  return Math.min(now, parseInstant(condition.lastTransitionTime) ?? now);
}

/** How often it is written which components are done: several are in the same moment. */
const componentPause = 1_000;
/**
 * How often mere progress is written: an uninstall may take many steps in a second. Claims go by the hundred, so theirs
 * goes with the heartbeat.
 */
const progressPause = { Installation: 2_000, VClusterClaim: 20_000 } as const;

interface Told {
  readonly status: UninstallStatus;
  readonly shown: UninstallStatus | undefined;
}

/**
 * From when on it is to be written: at once where the run itself has come to something else, a moment later where one of
 * its components has, since others do in the same moment. Undefined: it differs in nothing from what is shown.
 */
export function writeDueAt(now: Instant, { subject }: UninstallPlan, { status, shown }: Told): Instant | undefined {
  if (shown === undefined) return now;
  const own = fields.filter((field) => field !== 'observedGeneration' || status[field] !== undefined);
  const conditions = shown.conditions?.filter(({ type }) => status.conditions?.some((each) => each.type === type));
  if (own.every((field) => isSame(status[field], field === 'conditions' ? conditions : shown[field]))) return undefined;
  const last = parseInstant(shown.heartbeat);
  if (last === undefined || last > now || !isSame(ofTheRun(status), ofTheRun(shown))) return now;
  if (!isSame(ofComponents(status), ofComponents(shown))) return last + componentPause;
  return last + progressPause[subject.kind];
}

/** With each write, work is seen to run. */
export function writtenAt(now: Instant, status: UninstallStatus): UninstallStatus {
  return status.heartbeat === undefined ? status : { ...status, heartbeat: instantText(now) };
}

/** The fields that are ours to write: the resource's own loop may have more in its status. */
const fields = [
  'observedGeneration',
  'phase',
  'reason',
  'since',
  'run',
  'heartbeat',
  'step',
  'attempt',
  'done',
  'total',
  'retryAt',
  'lastError',
  'leftovers',
  'orphaned',
  'blockers',
  'conditions',
  'components',
] as const satisfies readonly (keyof UninstallStatus)[];

/** Of hooks as well: one that is written down as done is never run again. */
function ofTheRun({ phase, reason, run, orphaned, leftovers, blockers, components = [] }: UninstallStatus): unknown {
  const codes = (blockers ?? []).map(({ code }) => code).sort();
  return { phase, reason, run, orphaned, leftovers, codes, hooks: components.map(({ hooks }) => hooks) };
}

function ofComponents({ components = [] }: UninstallStatus): unknown {
  return components.map(({ name, phase }) => ({ name, phase }));
}
