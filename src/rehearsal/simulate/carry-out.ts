import type { Action } from '../../sidecar/maintenance/action.ts';
import { classifyEviction } from '../../sidecar/maintenance/eviction-answer.ts';
import type { AnsweredEviction, RefusedWrite } from '../../sidecar/maintenance/observation.ts';
import type { Simulation } from './simulation.ts';

/** What the sidecar remembers of what the API server said. */
export interface Memory {
  readonly answers: Record<string, AnsweredEviction>;
  readonly refusals: Record<string, RefusedWrite>;
}

/** What act.ts of the sidecar does, on a simulated cluster; `at` by the sidecar's clock. */
export function carryOut(simulation: Simulation, action: Action, memory: Memory, at: number): void {
  const { answers, refusals } = memory;
  switch (action.kind) {
    case 'evict': {
      const { status, body } = simulation.evict(action);
      const attempts = (answers[action.uid]?.attempts ?? 0) + 1;
      answers[action.uid] = { answer: classifyEviction(status, body), at, attempts };
      return;
    }
    case 'node': {
      const status = simulation.patchNode(action);
      const attempts = (refusals[action.node]?.attempts ?? 0) + 1;
      if (status === 200) delete refusals[action.node];
      else refusals[action.node] = { status, text: 'conflict', at, attempts };
      return;
    }
    case 'status':
      simulation.writeStatus(action);
  }
}
