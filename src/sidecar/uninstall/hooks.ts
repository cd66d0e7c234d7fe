import { hookLabels } from './belongs.ts';
import type { BlockerDraft } from './blocker.ts';
import type { HookStart, UninstallAction } from './decision.ts';
import type { SeenJob } from './observation.ts';
import type { Hook, Hooks, UninstallPlan } from './plan.ts';
import { refusalBlocker, retryAt } from './refusals.ts';
import { type ComponentView, done, type StepOutcome, waiting } from './view.ts';

/** One after the other, in the order written. One that has succeeded in this run is never started again. */
export function runHooks(phase: keyof Hooks): (view: ComponentView) => StepOutcome {
  return (view) => {
    for (const hook of view.component.hooks[phase]) {
      const outcome = runHook(view, hook);
      if (!outcome.isDone) return outcome;
    }
    return done;
  };
}

/** Twice as long after each failure. */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** The Job controller ends a Job at its deadline; if that does not happen, nobody is there to do it. */
const overdueMs = 60_000;

function runHook(view: ComponentView, hook: Hook): StepOutcome {
  if (hasSucceeded(view, hook)) return done;
  const at = `hook ${hook.name}`;
  const jobs = jobsOf(view, hook);
  const last = jobs.at(-1);
  const attempt = Math.max(last?.attempt ?? 0, recorded(view, hook)?.attempt ?? 0) + 1;
  if (last === undefined || last.deletedAt !== undefined) {
    return last === undefined ? start(view, hook, attempt) : waiting(`${at}: its Job is going`);
  }
  return last.state === 'Failed' ? again(view, { hook, last, attempt }) : wait(view, hook, last);
}

export function hasSucceeded(view: ComponentView, hook: Hook): boolean {
  if (recorded(view, hook)?.state === 'Succeeded') return true;
  if (jobsOf(view, hook).some(({ state }) => state === 'Succeeded')) return true;
  // Where it would run there is nothing any more, the namespace included.
  return view.observation.refusals[hookKey(view.component.name, hook.name)]?.status === 404;
}

/** Of the runs before this one there are none: they have another label. */
export function jobsOf({ observation, component }: ComponentView, { name }: Hook): SeenJob[] {
  return observation.jobs
    .filter((job) => job.component === component.name && job.hook === name)
    .sort((a, b) => a.attempt - b.attempt);
}

function recorded({ hooks }: ComponentView, { name }: Hook) {
  return hooks.find((hook) => hook.name === name);
}

export function hookKey(component: string, hook: string): string {
  return `hook ${component}/${hook}`;
}

function wait({ now }: ComponentView, hook: Hook, job: SeenJob): StepOutcome {
  const at = `hook ${hook.name}, attempt ${job.attempt}`;
  const overdue = job.createdAt + hook.timeoutSeconds * 1000 + overdueMs;
  const object = jobReference(job);
  if (now >= overdue) {
    const message = `Job ${job.namespace}/${job.name} is past its deadline of ${hook.timeoutSeconds} s and was not ended: it is deleted and begun again.`;
    return waiting(at, {
      actions: [{ kind: 'delete', component: job.component, object, uid: job.uid, propagation: 'Foreground' }],
      blockers: [{ code: 'hook-overdue', who: 'operators', object, message }],
    });
  }
  const image: BlockerDraft[] =
    job.waits === undefined
      ? []
      : [{ code: 'hook-image', who: 'workload-owner', object, message: `Hook ${hook.name}: ${job.waits}` }];
  return waiting(at, { blockers: image, wake: [overdue] });
}

interface FailedHook {
  readonly hook: Hook;
  readonly last: SeenJob;
  readonly attempt: number;
}

function again(view: ComponentView, { hook, last, attempt }: FailedHook): StepOutcome {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(last.attempt - 1, 30));
  const due = (last.endedAt ?? last.createdAt) + pause;
  const blocker: BlockerDraft = {
    code: 'hook-failed',
    who: 'workload-owner',
    object: jobReference(last),
    message: `Hook ${hook.name} failed in attempt ${last.attempt}: ${last.why ?? 'its Job tells no reason'}`,
    ...(last.endedAt !== undefined && { sinceAt: last.endedAt }),
  };
  if (view.now < due) {
    return waiting(`hook ${hook.name} failed, attempt ${attempt} follows`, { blockers: [blocker], wake: [due] });
  }
  const begun = start(view, hook, attempt);
  return { ...begun, blockers: [blocker, ...begun.blockers] };
}

function start(view: ComponentView, hook: Hook, attempt: number): StepOutcome {
  const { now, plan, component, observation } = view;
  const at = `hook ${hook.name}, attempt ${attempt}`;
  const refusal = observation.refusals[hookKey(component.name, hook.name)];
  const action: HookStart = {
    kind: 'startHook',
    component: component.name,
    namespace: component.namespace,
    hook,
    attempt,
    job: jobName(plan, component.name, { hook: hook.name, attempt }),
    labels: labelsOf(plan, component.name, { hook: hook.name, attempt }),
  };
  if (refusal === undefined) return waiting(at, { actions: [action] });
  const object = { apiVersion: 'batch/v1', kind: 'Job', namespace: component.namespace, name: action.job };
  const due = retryAt(refusal);
  const actions: UninstallAction[] = now >= due ? [action] : [];
  return waiting(at, { actions, blockers: refusalBlocker(`Hook ${hook.name}`, object, refusal), wake: [due] });
}

interface Attempt {
  readonly hook: string;
  readonly attempt: number;
}

function labelsOf(plan: UninstallPlan, component: string, { hook, attempt }: Attempt): Record<string, string> {
  return {
    [hookLabels.subject]: plan.subject.name,
    [hookLabels.run]: plan.run,
    [hookLabels.component]: component,
    [hookLabels.hook]: hook,
    [hookLabels.attempt]: `${attempt}`,
  };
}

/** At most 63 characters, and the same for the same attempt: whoever tries it twice is told that it is there. */
function jobName(plan: UninstallPlan, component: string, { hook, attempt }: Attempt): string {
  const whole = [plan.subject.kind, plan.subject.name, plan.run, component, hook].join('/');
  return `${hook.slice(0, 40).replace(/-+$/, '')}-${digest(whole)}-${attempt}`;
}

/** FNV-1a, 32 bits: names of Jobs in one namespace are few. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function jobReference({ namespace, name }: SeenJob) {
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name };
}

const notingMs = 500;

/** When every hook's success is in the status: the Jobs are the only other place that knows. */
export function removeJobs(view: ComponentView): StepOutcome {
  const { component, hooks, observation } = view;
  const jobs = observation.jobs.filter((job) => job.component === component.name);
  if (jobs.length === 0) return done;
  const isRecorded = allHooks(component.hooks).every(
    (hook) =>
      hooks.some(({ name, state }) => name === hook.name && state === 'Succeeded') || jobsOf(view, hook).length === 0,
  );
  if (!isRecorded) return waiting('noting the results of the hooks', { wake: [view.now + notingMs] });
  return waiting('removing the Jobs of the hooks', {
    actions: jobs
      .filter(({ deletedAt }) => deletedAt === undefined)
      .map((job) => ({
        kind: 'delete',
        component: component.name,
        object: jobReference(job),
        uid: job.uid,
        propagation: 'Foreground',
      })),
  });
}

export function allHooks({ preDelete, delete: instead, postDelete }: Hooks): readonly Hook[] {
  return [...preDelete, ...instead, ...postDelete];
}
