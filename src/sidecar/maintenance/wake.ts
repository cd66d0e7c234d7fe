import type { Instant } from '../../instant.ts';
import { stallsAt } from './blockers.ts';
import type { DrainingNode } from './evictions.ts';
import { settling } from './node-plan.ts';
import { cleaningUp } from './pod-blockers.ts';

/** When time alone changes what is to be said or done of a node. */
export function wakeTimes({ plan, blockers }: DrainingNode): Instant[] {
  if (plan.phase === 'Pending') return [];
  const leaving = [...plan.pods.draining, ...plan.pods.returning];
  const late = leaving.flatMap(({ deletionAt }) => (deletionAt === undefined ? [] : [deletionAt + cleaningUp + 1]));
  if (plan.phase === 'InMaintenance') return late;
  return [
    ...late,
    ...blockers.map(stallsAt),
    ...(plan.started === undefined ? [] : [plan.started + settling]),
    ...(plan.deadline === undefined ? [] : [plan.deadline]),
  ];
}

export function earliest(now: Instant, instants: readonly Instant[]): Instant | undefined {
  const ahead = instants.filter((instant) => instant > now && Number.isFinite(instant));
  return ahead.length === 0 ? undefined : ahead.reduce((first, instant) => Math.min(first, instant));
}
