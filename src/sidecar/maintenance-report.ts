import type { Log } from './log.ts';
import type { Action } from './maintenance/action.ts';
import { tellAction } from './maintenance-words.ts';
import type { Metrics } from './metrics.ts';
import type { ShutdownAction } from './shutdown/action.ts';
import { tellShutdownAction } from './shutdown-words.ts';

export type NodesAction = Action | ShutdownAction;

export interface ReportOptions {
  readonly metrics: Metrics;
  readonly log: Log;
  failed(what: string): void;
}

/** What came of an action, as numbers and in the log. */
export function outcomeReport({ metrics, log, failed }: ReportOptions): (action: NodesAction, outcome: string) => void {
  return (action, outcome) => {
    const text = tell(action);
    metrics.actions.inc({ loop: 'maintenance', action: action.kind, outcome });
    if (action.kind === 'evict') metrics.evictions.inc({ answer: outcome });
    const fields = { loop: 'maintenance', action: action.kind, outcome, ...subjectOf(action) };
    log[isNews(action, outcome) ? 'info' : 'debug'](fields, text);
    if (!fine.includes(outcome)) failed(`${text}: ${outcome}`);
  };
}

/** A budget that says no is not a failure: its time may come. */
const fine: readonly string[] = ['done', 'evicted', 'gone', 'replaced', 'blockedByBudget', 'budgetUnobserved'];

/** What changes a node is news, and so is a pod that goes. Refused evictions are many, and shown in the status. */
function isNews({ kind }: NodesAction, outcome: string): boolean {
  return kind === 'node' || kind === 'power' || (kind === 'evict' && outcome === 'evicted');
}

function isOfShutdown(action: NodesAction): action is ShutdownAction {
  return 'shutdown' in action;
}

function tell(action: NodesAction): string {
  return isOfShutdown(action) ? tellShutdownAction(action) : tellAction(action);
}

function subjectOf(action: NodesAction): Readonly<Record<string, string>> {
  if (isOfShutdown(action)) {
    const { shutdown } = action;
    if (action.kind === 'power') return { shutdown, node: action.node, job: action.job };
    return action.kind === 'forget' ? { shutdown, job: action.job } : { shutdown };
  }
  if (action.kind === 'status') return { block: action.block };
  if (action.kind === 'evict') return { node: action.node, pod: `${action.namespace}/${action.name}` };
  return { node: action.node };
}
