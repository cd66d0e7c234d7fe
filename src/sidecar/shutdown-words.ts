import type { ShutdownAction, ShutdownDecision } from './shutdown/action.ts';
import type { ShutdownStatus } from './shutdown/status.ts';

/** What a decision would do, and what keeps it from doing more; one line each, for people. */
export function tellShutdown({ actions, status }: ShutdownDecision): readonly string[] {
  return [...actions.map(tellShutdownAction), ...tellStatus(status)];
}

export function tellShutdownAction(action: ShutdownAction): string {
  switch (action.kind) {
    case 'power':
      return `turn ${action.power.toLowerCase()} node ${action.node} by Job ${action.job}`;
    case 'forget':
      return `delete Job ${action.job} of an earlier order`;
    case 'status':
      return `write the status of clustershutdown ${action.shutdown}`;
  }
}

function tellStatus({ phase, gates = [], blockers = [] }: ShutdownStatus): string[] {
  if (phase === 'Idle') return [];
  return [
    `shutdown: ${phase}`,
    ...gates
      .filter(({ open }) => !open)
      .map(({ name, message }) => `  closed: ${name}${message === undefined ? '' : `: ${message}`}`),
    ...blockers.map(({ code, message, who }) => `  waits: ${code}: ${message}${who === undefined ? '' : ` [${who}]`}`),
  ];
}
