import { type Change, type ChangeKind, counted } from './change.ts';
import { danger } from './danger.ts';
import type { ClaimFacts } from './facts.ts';

/** More than a fifth of the claims, and at least five: rather a slip in the settings than five decisions. */
const massShare = 0.2;
const massAtLeast = 5;
const massKinds: Partial<Record<ChangeKind, string>> = {
  'deletion-ordered': 'ordered to be deleted',
  gone: 'no longer declared',
  renamed: 'renamed',
  moved: 'moved to another cluster',
  sleeps: 'put to sleep',
  'store-changed': 'given another backing store',
  'ha-changed': 'given another count of replicas',
  'host-access-changed': 'given other access to their host cluster',
  unexposed: 'no longer exposed',
  exposed: 'exposed',
  unprotected: 'no longer protected',
  'expiry-changed': 'given other terms of expiry',
  'version-changed': 'given another version',
};

/** New claims do not count: many of them at once destroy nothing. */
export function massChanges(found: readonly Change[], before: ReadonlyMap<string, ClaimFacts>): readonly Change[] {
  return Object.entries(massKinds).flatMap(([kind, what]): Change[] => {
    const affected = found.filter(
      ({ kind: is, subject }) =>
        is === kind && subject.kind === 'claim' && (is === 'renamed' || before.has(subject.name)),
    ).length;
    if (affected < massAtLeast || affected <= before.size * massShare) return [];
    const text = `${counted(affected, 'virtual cluster')} at once: ${what} (${before.size} were declared before).`;
    const subject = { kind: 'all', name: kind, cluster: '' } as const;
    return [
      {
        kind: 'mass-change',
        subject,
        text,
        dangers: danger('mass-change', 'mass change: is each of them meant?'),
        unit: '',
      },
    ];
  });
}
