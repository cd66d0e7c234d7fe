import type { Instant } from '../../instant.ts';
import { isStalling, type UninstallBlocker } from './blocker.ts';

const waits: readonly string[] = ['finalizer', 'terminating', 'dependents', 'instances-left', 'namespace-stuck'];
const atOnce: readonly string[] = ['hook-failed', 'hook-overdue', 'release-failed', 'release-unreadable'];

/** What makes a run show `DeleteError`, and not only what it waits for. */
export function errorAmong(now: Instant, blockers: readonly UninstallBlocker[]): UninstallBlocker | undefined {
  return blockers.find(
    (blocker) =>
      blocker.permanent === true ||
      atOnce.includes(blocker.code) ||
      (!waits.includes(blocker.code) && isStalling(now, blocker)),
  );
}
