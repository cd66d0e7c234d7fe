import { carryOut, type Memory } from '../../../src/rehearsal/simulate/carry-out.ts';
import type { Simulation } from '../../../src/rehearsal/simulate/simulation.ts';
import type { Decision } from '../../../src/sidecar/maintenance/action.ts';
import { decideMaintenance } from '../../../src/sidecar/maintenance/decide.ts';
import type { Observation } from '../../../src/sidecar/maintenance/observation.ts';

export interface DriveOptions {
  /** Nothing is done after this. */
  readonly until: number;
  /** Asked before each action: whether the process dies here, and with it what it remembers of answers. */
  readonly dies?: () => boolean;
  /** Asked before each pass. */
  readonly stops?: () => boolean;
  /** Asked before each pass: whether the watches have brought nothing new. */
  readonly lags?: () => boolean;
  /** How far the sidecar's clock is off, in milliseconds; asked before each pass. */
  readonly clockError?: () => number;
  /** Before each pass: what other people do. */
  readonly meanwhile?: (simulation: Simulation) => void;
  /** Each decision with what it was made from. */
  readonly onPass?: (observation: Observation, decision: Decision, now: number) => void;
}

/** Far more than any course takes: a decider that keeps writing the same thing would go on for ever. */
const mostPasses = 4_000;

/** The loop of the sidecar on a simulated cluster, until nothing is left to do. */
export function drive(simulation: Simulation, options: DriveOptions): void {
  let memory: Memory = { answers: {}, refusals: {} };
  let seen: Observation | undefined;
  for (let pass = 0; simulation.now < options.until; pass++) {
    if (pass > mostPasses) throw new Error('The decider does not come to rest.');
    if (options.stops?.() === true) return;
    options.meanwhile?.(simulation);
    const isOld = seen !== undefined && options.lags?.() === true;
    seen = isOld ? { ...(seen as Observation), ...copyOf(memory) } : simulation.observe(copyOf(memory));
    const now = simulation.now + (options.clockError?.() ?? 0);
    const decision = decideMaintenance(now, seen);
    options.onPass?.(seen, decision, now);
    for (const action of decision.actions) {
      if (options.dies?.() === true) {
        memory = { answers: {}, refusals: {} };
        break;
      }
      carryOut(simulation, action, memory, now);
    }
    const requeueIn = decision.requeueAt === undefined ? [] : [simulation.now + decision.requeueAt - now];
    const next = [...requeueIn, simulation.nextAt()].filter((instant) => instant !== undefined);
    if (decision.actions.length > 0 || isOld) simulation.advance(simulation.now + 100);
    else if (next.length === 0) return;
    else simulation.advance(Math.min(options.until, ...next));
  }
}

/** What was observed stays as it was. */
function copyOf({ answers, refusals }: Memory): Memory {
  return { answers: { ...answers }, refusals: { ...refusals } };
}
