import { parseInstant } from '../../instant.ts';
import type { EventNote } from '../maintenance/action.ts';
import { isStalling, type UninstallBlocker } from './blocker.ts';
import type { UninstallPlan } from './plan.ts';
import type { Report } from './report.ts';
import type { UninstallStatus } from './status.ts';

/** What is new since the status was last written: the phase, components that are gone, what has come to be in the way. */
export function eventsOf(report: Report, status: UninstallStatus): EventNote[] {
  const { now, plan, shown, blockers } = report;
  const before = shown?.run === plan.run ? shown : undefined;
  const isPhaseNew = before?.phase !== status.phase;
  const then = parseInstant(before?.heartbeat) ?? now;
  const told = new Set((before?.blockers ?? []).filter((each) => isStalling(then, each)).map(keyOfBlocker));
  const fresh = blockers
    .filter((each) => isStalling(now, each) && !told.has(keyOfBlocker(each)))
    .filter(({ message }) => !isPhaseNew || message !== status.lastError?.message);
  const gone = (status.components ?? []).filter(({ name, phase }) => phase === 'Deleted' && wasThere(name, before));
  return [
    ...resumed(report, before),
    ...(isPhaseNew ? [phaseEvent(report, status)] : []),
    ...gone.map(({ name }) => note(plan, 'Normal', 'ComponentRemoved', `Component ${name} is gone.`)),
    ...fresh.slice(0, mostTold).map(({ message }) => note(plan, 'Warning', 'UninstallBlocked', message)),
  ];
}

/** While work runs, the heartbeat moves twice in this time. */
const silentMs = 60_000;

/** Whoever led before has gone without a word, and this one has taken over. */
function resumed({ now, plan }: Report, before: UninstallStatus | undefined): EventNote[] {
  const last = parseInstant(before?.heartbeat);
  if (last === undefined || now - last < silentMs) return [];
  const text = `Nobody has worked on the uninstall for ${Math.round((now - last) / 1000)} s; it goes on where it was.`;
  return [note(plan, 'Warning', 'UninstallResumed', text)];
}

/** At once; the status has them all. */
const mostTold = 5;

function keyOfBlocker({ code, object }: UninstallBlocker): string {
  return `${code} ${object?.kind} ${object?.namespace}/${object?.name}`;
}

function wasThere(component: string, before: UninstallStatus | undefined): boolean {
  return before?.components?.some(({ name, phase }) => name === component && phase !== 'Deleted') === true;
}

function phaseEvent({ plan, leftovers, orphaned }: Report, { phase, lastError, step }: UninstallStatus): EventNote {
  switch (phase) {
    case 'Deleted': {
      const remaining = leftovers.length + orphaned.length;
      const text =
        remaining > 0
          ? `Uninstalled; ${remaining} objects are left and listed in the status.`
          : 'Uninstalled: everything is gone.';
      return note(plan, remaining > 0 ? 'Warning' : 'Normal', 'Deleted', text);
    }
    case 'DeleteError':
      return note(plan, 'Warning', 'DeleteError', lastError?.message ?? 'The uninstall does not get on.');
    case 'Deleting':
      return note(plan, 'Normal', 'Deleting', `Being uninstalled: ${step ?? 'looking at what is there'}.`);
    default:
      return note(plan, 'Normal', 'DeletePending', 'To be uninstalled.');
  }
}

function note({ subject }: UninstallPlan, type: EventNote['type'], reason: string, text: string): EventNote {
  const { kind, name, uid } = subject;
  return {
    type,
    reason,
    action: 'Uninstall',
    regarding: { apiVersion: 'quiesce.dev/v1alpha1', kind, name, uid },
    note: text,
  };
}
