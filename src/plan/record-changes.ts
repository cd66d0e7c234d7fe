import type { Change } from './change.ts';
import { danger } from './danger.ts';
import type { ClaimFacts, RecordFacts } from './facts.ts';

/** `claims` are those there are now. A completed uninstall is news of its own only while the claim is still declared: otherwise the claim's end tells it. */
export function recordChanges(
  before: RecordFacts | undefined,
  after: RecordFacts | undefined,
  claims: ReadonlyMap<string, ClaimFacts>,
): readonly Change[] {
  const name = (after ?? before)?.name ?? '';
  const cluster = claims.get(name)?.cluster ?? '';
  const of = { subject: { kind: 'record', name, cluster }, unit: `record/${name}` } as const;
  const done = after?.uninstalled;
  if (done !== undefined && before?.uninstalled === undefined && claims.has(name)) {
    const data = done.data === 'Deleted' ? 'its data was deleted' : 'its data was kept';
    const text = `The uninstall of ${name} was completed at ${done.at}, ${data}.`;
    return [{ kind: 'uninstall-recorded', ...of, text, dangers: [] }];
  }
  if (after !== undefined)
    return before === undefined ? [] : deadlines(before, after).map((said) => ({ ...of, ...said }));
  if (before?.uninstalled?.data !== 'Kept') return [];
  const dangers = danger('guard-changed', 'a new claim of this name would come up on the old data');
  return [{ kind: 'record-removed', ...of, text: `The record that data of ${name} was kept is removed.`, dangers }];
}

/** Published deadlines only ever move later: one that comes sooner was not written by the lifecycle runner. */
function deadlines(before: RecordFacts, after: RecordFacts): Pick<Change, 'kind' | 'text' | 'dangers'>[] {
  const dates = [
    ['sleep', 'is to be put to sleep'],
    ['delete', 'is to be deleted'],
  ] as const;
  return dates.flatMap(([which, what]) => {
    const [was, is] = [before.deadlines?.[which], after.deadlines?.[which]];
    if (was === undefined || is === undefined || was === is) return [];
    // In UTC, all of one form: what comes first as text comes first in time.
    const why =
      'a published deadline moves earlier, which the lifecycle runner never does: owners rely on the later one';
    return [
      {
        kind: 'deadline-moved' as const,
        text: `Virtual cluster ${after.name} ${what} at ${is} in place of ${was}.`,
        dangers: is < was ? danger('expires-sooner', why) : [],
      },
    ];
  });
}
