import { instantText } from '../../instant.ts';
import { dateBlockers } from './blocker.ts';
import { errorAmong } from './errors.ts';
import { allHooks, hasSucceeded, hookKey, jobsOf } from './hooks.ts';
import type { ComponentStatus, HookStatus, UninstallPhase } from './status.ts';
import type { ComponentView, StepOutcome } from './view.ts';

export interface Told {
  readonly outcome: StepOutcome | undefined;
  readonly before: readonly ComponentStatus[] | undefined;
  readonly phase: UninstallPhase;
  readonly isStopped: boolean;
}

export function componentStatus(view: ComponentView, { outcome, before, phase, isStopped }: Told): ComponentStatus {
  const { component, now } = view;
  const own = before?.find(({ name }) => name === component.name);
  const hooks = hookStatuses(view);
  const blockers = outcome === undefined ? [] : dateBlockers(now, outcome.blockers, own?.blockers);
  const isError = errorAmong(now, blockers) !== undefined;
  const isGone = phase === 'Deleted' || outcome?.isDone === true;
  if (isStopped && own !== undefined) return own;
  const its = isGone ? 'Deleted' : outcome === undefined ? 'DeletePending' : isError ? 'DeleteError' : 'Deleting';
  return {
    name: component.name,
    phase: its,
    since: own?.phase === its && own.since !== undefined ? own.since : instantText(now),
    ...(hooks.length > 0 && { hooks }),
    ...(!isGone && blockers.length > 0 && { blockers: blockers.slice(0, 10) }),
  };
}

function hookStatuses(view: ComponentView): HookStatus[] {
  return allHooks(view.component.hooks).flatMap((hook): HookStatus[] => {
    const last = jobsOf(view, hook).at(-1);
    const known = view.hooks.find(({ name }) => name === hook.name);
    const isSkipped = view.observation.refusals[hookKey(view.component.name, hook.name)]?.status === 404;
    // Jobs go one by one: those of earlier attempts may be there longer than the last one.
    const attempt = Math.max(last?.attempt ?? 0, known?.attempt ?? 0);
    if (hasSucceeded(view, hook) && !isSkipped) {
      return [{ name: hook.name, state: 'Succeeded', ...(attempt > 0 && { attempt }) }];
    }
    if (last !== undefined) return [{ name: hook.name, state: last.state, attempt }];
    return known === undefined ? [] : [known];
  });
}
