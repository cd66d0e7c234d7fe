import { expect } from 'vitest';
import { clusterShutdown } from '../../../constructs/crds/cluster-shutdown.ts';
import { decideShutdown } from '../../../src/sidecar/shutdown/decide.ts';
import type { ShutdownStatus } from '../../../src/sidecar/shutdown/status.ts';
import { valueFaults, type WrittenSchema } from '../../constructs/structural-schema.ts';
import { now } from '../maintenance/observed.ts';
import { type Differs, hook, observed } from './observed.ts';

/** Always one that the API server would take. */
export function statusOf(differs: Differs, at = now): ShutdownStatus {
  const { status } = decideShutdown(at, observed(differs));
  expect(valueFaults(clusterShutdown.status as WrittenSchema, JSON.parse(JSON.stringify(status)))).toEqual([]);
  return status;
}

export function turned(differs: Differs, at = now): string[] {
  return decideShutdown(at, observed(differs)).actions.flatMap((action) =>
    action.kind === 'power' ? [`${action.power} ${action.node} from ${action.runOn}`] : [],
  );
}

export const withHook = (differs: Differs = {}): Differs => ({
  ...differs,
  spec: { powerHook: hook, ...differs.spec },
});
