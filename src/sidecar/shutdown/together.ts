import type { Instant } from '../../instant.ts';
import type { Decision } from '../maintenance/action.ts';
import { decideMaintenance, isBlind } from '../maintenance/decide.ts';
import type { Observation } from '../maintenance/observation.ts';
import { earliest } from '../maintenance/wake.ts';
import type { ShutdownDecision } from './action.ts';
import { decideShutdown } from './decide.ts';
import { shutdownBlock } from './held.ts';
import type { ShutdownObservation } from './observation.ts';

/** Nodes are drained for blocks and for shutdowns alike, so both are decided from one look at the cluster. */
export interface NodesObservation {
  readonly maintenance: Observation;
  /** Without drains: they come from the decision about maintenance. */
  readonly shutdowns: readonly ShutdownObservation[];
}

export interface NodesDecision {
  readonly maintenance: Decision;
  readonly shutdowns: readonly ShutdownDecision[];
  readonly requeueAt?: Instant;
}

/** What a shutdown asks for is a block like any other; what came of it decides how the shutdown goes on. */
export function decideNodes(now: Instant, { maintenance, shutdowns }: NodesObservation): NodesDecision {
  const blocks = [...maintenance.blocks, ...shutdowns.map(shutdownBlock)];
  const decision = decideMaintenance(now, { ...maintenance, blocks });
  // Of a cluster whose nodes are not known every machine would seem to be off.
  if (isBlind(maintenance)) return { maintenance: decision, shutdowns: [] };
  const drains = decision.statuses.flatMap(({ status }) => status.nodes ?? []);
  const decided = shutdowns.map((shutdown) => decideShutdown(now, { ...shutdown, drains }));
  const wakes = [decision, ...decided].flatMap(({ requeueAt }) => requeueAt ?? []);
  const requeueAt = earliest(now, wakes);
  return { maintenance: decision, shutdowns: decided, ...(requeueAt !== undefined && { requeueAt }) };
}
