import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import { isSame } from '../../same.ts';
import type { EventNote, StatusWrite } from './action.ts';
import type { BlockView } from './block-status.ts';
import { type DatedBlocker, datedAsShown, isStalling } from './blockers.ts';
import { blockedEvent } from './events.ts';
import { nextHeartbeat } from './heartbeat.ts';
import type { Blocker, BlockStatus } from './status.ts';

/** How often mere progress is written: a node may lose many pods in a second. */
const progressPause = 2_000;

export interface StatusOutcome {
  readonly write?: StatusWrite;
  readonly wake: readonly Instant[];
}

/** Written when it differs from what is shown, and while work runs so that it is seen to run. */
export function writeStatus(now: Instant, view: BlockView, status: BlockStatus): StatusOutcome {
  const { block } = view;
  const next = nextHeartbeat(now, status.heartbeat);
  if (isSame(status, block.status)) return { wake: next };
  const last = parseInstant(block.status?.heartbeat);
  const isRecent = last !== undefined && last <= now && now - last < progressPause;
  if (isRecent && isSame(withoutProgress(status), withoutProgress(block.status ?? {}))) {
    return { wake: [last + progressPause] };
  }
  const written = status.heartbeat === undefined ? status : { ...status, heartbeat: instantText(now) };
  return {
    write: {
      kind: 'status',
      block: block.name,
      uid: block.uid,
      status: written,
      events: newlyBlocked(now, view, status),
    },
    wake: next,
  };
}

function withoutProgress({ heartbeat: _, nodes = [], ...rest }: BlockStatus): unknown {
  return { ...rest, nodes: nodes.map(({ podsLeft: __, ...node }) => node) };
}

/** Of what is shown of each node, what stalls it now and did not when the status was last written. */
function newlyBlocked(now: Instant, { block, selected }: BlockView, status: BlockStatus): EventNote[] {
  const before = blockersByNode(block.status);
  const after = blockersByNode(status);
  const toldAt = parseInstant(block.status?.heartbeat) ?? Number.NEGATIVE_INFINITY;
  return selected.flatMap(({ plan }) => {
    if (plan?.phase !== 'Draining' || plan.held.block.name !== block.name) return [];
    const { node } = plan.held;
    const told = new Set(stalling(toldAt, before.get(node.name)).map(({ key }) => key));
    const blockers = stalling(now, after.get(node.name)).filter(({ key }) => !told.has(key));
    return blockedEvent(
      node,
      block.name,
      blockers.map(({ blocker }) => blocker),
    );
  });
}

function blockersByNode(status: BlockStatus | undefined): ReadonlyMap<string | undefined, readonly Blocker[]> {
  return new Map((status?.nodes ?? []).map(({ node, blockers = [] }) => [node, blockers]));
}

function stalling(at: Instant, shown: readonly Blocker[] = []): DatedBlocker[] {
  return shown.map(datedAsShown).filter((blocker) => isStalling(at, blocker));
}
