import { type Change, compareText } from './change.ts';
import { danger } from './danger.ts';
import type { SystemFacts } from './facts.ts';

/** A cluster that comes or goes as a whole is one change, not one for each of its parts. */
export function systemChanges(before: readonly SystemFacts[], after: readonly SystemFacts[]): readonly Change[] {
  const clusters = [...new Set([...before, ...after].map((part) => part.cluster))];
  return clusters.flatMap((cluster): readonly Change[] => {
    const of = { subject: { kind: 'cluster', name: cluster, cluster }, unit: 'settings' } as const;
    const [old, now] = [partsOf(cluster, before), partsOf(cluster, after)];
    if (old.length === 0)
      return [{ kind: 'cluster-added', ...of, text: `Host cluster ${cluster} is added.`, dangers: [] }];
    if (now.length > 0) return partChanges(cluster, old, now);
    const why = 'nothing of ours is applied there any more: whatever it still runs is left behind';
    const text = `Host cluster ${cluster} is removed.`;
    return [{ kind: 'cluster-removed', ...of, text, dangers: danger('left-behind', why) }];
  });
}

function partsOf(cluster: string, facts: readonly SystemFacts[]): readonly string[] {
  return facts
    .filter((part) => part.cluster === cluster)
    .map((part) => part.name)
    .sort(compareText);
}

function partChanges(cluster: string, before: readonly string[], after: readonly string[]): readonly Change[] {
  const of = (name: string) => ({ subject: { kind: 'system', name, cluster }, unit: 'settings' }) as const;
  const added = after
    .filter((name) => !before.includes(name))
    .map((name): Change => {
      return { kind: 'system-added', ...of(name), text: `Part "${name}" is added on ${cluster}.`, dangers: [] };
    });
  const removed = before
    .filter((name) => !after.includes(name))
    .map((name): Change => {
      const dangers = danger('left-behind', 'what it watched over is not looked after any more');
      return { kind: 'system-removed', ...of(name), text: `Part "${name}" is removed from ${cluster}.`, dangers };
    });
  return [...added, ...removed];
}
