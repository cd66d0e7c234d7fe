import type { Instant } from '../../instant.ts';
import { instantText } from '../../instant.ts';
import type { DatedBlocker } from './blockers.ts';
import type { ObservedBlock } from './observation.ts';
import type { Blocker, Condition, NodeStatus } from './status.ts';

/** The three that `kubectl wait` and the appliers know (kstatus): Ready, Reconciling, Stalled. */
export function conditionsOf(
  now: Instant,
  block: ObservedBlock,
  nodes: readonly NodeStatus[],
  inTheWay: readonly DatedBlocker[],
): Condition[] {
  const inMaintenance = nodes.filter(({ phase }) => phase === 'InMaintenance').length;
  const onTheirWay = nodes.filter(({ phase }) => phase === 'Draining' || phase === 'Leaving').length;
  return [
    readiness(inMaintenance, onTheirWay, nodes.length),
    onTheirWay > 0
      ? { type: 'Reconciling', status: true, reason: 'OnTheirWay', message: `${counted(onTheirWay)} on the way.` }
      : { type: 'Reconciling', status: false, reason: 'AtRest', message: 'No node is on its way.' },
    stalled(inTheWay.map(({ blocker }) => blocker).filter(({ permanent }) => permanent === true)),
  ].map((fact) => datedCondition(now, fact, block));
}

/** One of the three, before it is known since when. */
export interface Fact {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

function readiness(inMaintenance: number, onTheirWay: number, all: number): Fact {
  const type = 'Ready';
  if (all === 0) return { type, status: true, reason: 'NothingSelected', message: 'No node is selected.' };
  const message = `${inMaintenance} of ${counted(all)} in maintenance.`;
  if (inMaintenance === all) return { type, status: true, reason: 'InMaintenance', message };
  return { type, status: false, reason: onTheirWay > 0 ? 'OnTheirWay' : 'Waiting', message };
}

/** Only what waiting will not end: with anything else an applier that waits for us would give up too early. */
export function stalled([first, ...others]: readonly Omit<Blocker, 'since'>[]): Fact {
  const type = 'Stalled';
  if (first === undefined) return { type, status: false, reason: 'NothingPermanent', message: 'Waiting may help.' };
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return { type, status: true, reason: asReason(first.code), message: `${first.message}${more}` };
}

/** `pdb-never` → `PdbNever` */
function asReason(code: string): string {
  return code.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface Told {
  readonly generation: number;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Since when it is so, from what is shown. */
export function datedCondition(now: Instant, fact: Fact, { generation, status: shown }: Told): Condition {
  const { type, reason, message } = fact;
  const status = fact.status ? 'True' : 'False';
  const before = shown?.conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : instantText(now);
  return { type, status, observedGeneration: generation, lastTransitionTime, reason, message };
}

function counted(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}
