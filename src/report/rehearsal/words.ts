import { counted } from '../../plan/change.ts';
import { misfitText } from '../../plan/rehearsed-changes.ts';
import type {
  BlockRehearsal,
  Move,
  NodeRehearsal,
  Nowhere,
  PodName,
  Rehearsal,
  RehearsedBlocker,
  RehearsedUninstallBlocker,
  Span,
  UninstallRehearsal,
} from '../../rehearsal/rehearsal.ts';
import type { Stage } from '../../sidecar/maintenance/status.ts';
import { remedyFor, whoText } from '../../sidecar/remedies.ts';

/** In the order of the drain; the numbers are those of the status. */
export const stageWords: Readonly<Record<Stage, string>> = {
  1: 'pods without a priority',
  2: 'pods of DaemonSets',
  3: 'pods with a priority',
  4: 'volumes are unmounted',
  5: 'CSI drivers',
};

export const stages: readonly Stage[] = [1, 2, 3, 4, 5];

/** To two digits or so: a rehearsal is not more exact. */
export function roughly(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 360) / 10} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** `after 2 min to 9 min`: when something happens. */
export function whenText({ from, to }: Span): string {
  if (from === null) return 'never';
  if (to === null) return from === 0 ? 'perhaps never' : `after ${roughly(from)} at the earliest, perhaps never`;
  return to === 0 ? 'at once' : `after ${rangeText(from, to)}`;
}

/** `2 min to 9 min`: how long something takes. */
export function lengthText({ from, to }: Span): string {
  if (from === null) return 'for ever';
  if (to === null) return from === 0 ? 'perhaps for ever' : `${roughly(from)} or longer, perhaps for ever`;
  return to === 0 ? 'no time' : rangeText(from, to);
}

/** The same where there is no room for words. */
export function shortSpan({ from, to }: Span): string {
  if (from === null) return 'never';
  return to === null ? `≥ ${roughly(from)}` : rangeText(from, to);
}

function rangeText(from: number, to: number): string {
  const [least, most] = [roughly(from), roughly(to)];
  if (least === most) return most;
  const [number, unit] = least.split(' ');
  return unit === most.split(' ')[1] ? `${number} to ${most}` : `${least} to ${most}`;
}

export function snapshotText({ cluster }: Rehearsal): string {
  const { takenAt, ageSeconds, nodes, pods, serverVersion } = cluster;
  const age = ageSeconds === undefined ? '' : `, ${roughly(ageSeconds)} before this`;
  const server = serverVersion === undefined ? '' : `, Kubernetes ${serverVersion}`;
  return `Snapshot of ${dateText(takenAt)}${age}: ${counted(nodes, 'node')}, ${counted(pods, 'pod')}${server}.`;
}

/** A snapshot says of itself when it was taken: what is no date stays as it is. */
function dateText(instant: string): string {
  return instant.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 $2 UTC');
}

export function isStale({ limits }: Rehearsal): boolean {
  return limits.some(({ code }) => code === 'stale');
}

export function isUneventful({ maintenance, uninstalls, sleeps }: Rehearsal): boolean {
  return maintenance.length + uninstalls.length + sleeps.length === 0;
}

export function blockText({ nodes, takes, deadlineSeconds, ignorePdb, maxConcurrent }: BlockRehearsal): string {
  const moving = nodes.filter(({ reached }) => reached !== undefined).length;
  const turns = maxConcurrent === 0 || maxConcurrent >= moving ? 'all at once' : `${maxConcurrent} at a time`;
  const how = ignorePdb ? 'budgets are ignored' : `deadline ${roughly(deadlineSeconds)} a node`;
  if (moving === 0) return `${counted(nodes.length, 'node')}, none of which changes.`;
  return `${counted(moving, 'node')}, ${turns}, ${how}: it takes ${lengthText(takes)}.`;
}

export function nodeTitle({ node, address, pool }: NodeRehearsal): string {
  const place = pool === undefined ? '' : ` of ${pool}`;
  return node === undefined ? `${address}${place}` : `${node} (${address})${place}`;
}

/** `enters maintenance after 2 min to 9 min, drained`. */
export function courseText(node: NodeRehearsal): string {
  const when = node.reached === undefined ? '' : ` ${whenText(node.reached)}`;
  const by = { drained: ', drained', deadline: ', by its deadline', either: ', drained or by its deadline' };
  switch (node.course) {
    case 'enters':
    case 'goes-on':
      return `in maintenance${when}${node.by === undefined ? '' : by[node.by]}`;
    case 'stays':
      return 'in maintenance already';
    case 'leaves':
      return `takes pods again${when}`;
    case 'missing':
      return 'no node has this address';
  }
}

/** What happens to its pods: `12 pods move, 2 are removed`. */
export function podsText({ moves, removed, untouched }: NodeRehearsal): string {
  const parts = [
    ...(moves.length === 0 ? [] : [`${counted(moves.length, 'pod')} evicted`]),
    ...(removed.length === 0 ? [] : [`${removed.length} removed by taint`]),
    ...(untouched === 0 ? [] : [`${untouched} left alone`]),
  ];
  return parts.join(', ');
}

export function podText({ namespace, name, isNew }: PodName): string {
  return `${namespace}/${name}${isNew === true ? ' (its successor)' : ''}`;
}

type AnyBlocker = RehearsedBlocker | RehearsedUninstallBlocker;

export function lastsText({ forEver, lasts }: Pick<AnyBlocker, 'forEver' | 'lasts'>): string {
  return forEver ? 'for ever' : lengthText(lasts);
}

export function actText({ code, who }: AnyBlocker, name: string): string {
  const remedy = remedyFor(code, name);
  return `Who has to act: ${whoText(who)}.${remedy === undefined ? '' : ` ${remedy}`}`;
}

/** The same thing in the way of several nodes. */
export interface SharedBlocker {
  readonly blocker: RehearsedBlocker;
  readonly nodes: readonly string[];
}

/** Each once: for ever first, then what is in the way of more nodes, then by words. */
export function sharedBlockers(nodes: readonly NodeRehearsal[]): readonly SharedBlocker[] {
  const shared = new Map<string, { readonly blocker: RehearsedBlocker; readonly nodes: string[] }>();
  for (const node of nodes) {
    for (const blocker of node.blockers) {
      const { forEver, code, message } = blocker;
      const key = [forEver ? 0 : 1, code, message].join(' ');
      const known = shared.get(key);
      if (known === undefined) shared.set(key, { blocker, nodes: [node.node ?? node.address] });
      else known.nodes.push(node.node ?? node.address);
    }
  }
  return [...shared.values()].sort(
    (a, b) => Number(b.blocker.forEver) - Number(a.blocker.forEver) || b.nodes.length - a.nodes.length,
  );
}

/** Pods of one controller that no node takes for the same reasons. */
export interface NowherePods {
  readonly owner: string;
  readonly nowhere: Nowhere;
  readonly why: string;
  readonly pods: readonly PodName[];
}

/** Those that are certain first. */
export function nowherePods(nodes: readonly NodeRehearsal[]): readonly NowherePods[] {
  const groups = new Map<string, Omit<NowherePods, 'pods'> & { readonly pods: PodName[] }>();
  for (const pod of nodes.flatMap(({ moves, removed }) => [...moves, ...removed])) {
    if (pod.nowhere === undefined) continue;
    const owner = pod.owner === undefined ? 'the bare Pods' : `${pod.owner.kind} ${pod.namespace}/${pod.owner.name}`;
    const why = `nowhere to go: ${nowhereText(pod.nowhere)}`;
    const key = `${owner} ${pod.nowhere.certain} ${why}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { owner, nowhere: pod.nowhere, why, pods: [pod] });
    else known.pods.push(pod);
  }
  return [...groups.values()].sort((a, b) => Number(b.nowhere.certain) - Number(a.nowhere.certain));
}

export function nowhereText({ reasons }: Nowhere): string {
  return reasons.length === 0 ? 'no node takes it' : reasons.map(misfitText).join(', ');
}

/** Pods of one controller in one stage. */
export interface Crew {
  readonly title: string;
  readonly pods: readonly Move[];
}

/** In the order in which the first of each goes. */
export function crewsOf(moves: readonly Move[]): readonly Crew[] {
  const crews = new Map<string, Move[]>();
  for (const move of moves) {
    const { namespace, name, owner } = move;
    const title = owner === undefined ? `Pod ${namespace}/${name}` : `${owner.kind} ${namespace}/${owner.name}`;
    const known = crews.get(title);
    if (known === undefined) crews.set(title, [move]);
    else known.push(move);
  }
  return [...crews].map(([title, pods]) => ({ title, pods }));
}

/** From the first to the last. */
export function wholeSpan(spans: readonly Span[]): Span {
  const from = spans.flatMap((span) => span.from ?? []);
  const isOpen = spans.some(({ to }) => to === null);
  if (from.length === 0) return { from: null, to: null };
  return { from: Math.min(...from), to: isOpen ? null : Math.max(...spans.map(({ to }) => to ?? 0)) };
}

export function uninstallTitle({ subject }: UninstallRehearsal): string {
  return subject.kind === 'Installation' ? `Installation ${subject.name}` : `Virtual cluster ${subject.name}`;
}

export function uninstallText({ ends, takes, strategy, isNew, isPartial }: UninstallRehearsal): string {
  const what = [
    isPartial === true ? 'what git does not list any more is uninstalled' : 'is uninstalled',
    ...(strategy === 'Quick' ? ['quickly'] : []),
    ...(isNew ? [] : ['as was ordered before']),
  ].join(', ');
  return ends === 'Deleted' ? `${what}: it takes ${lengthText(takes)}` : `${what}, and does not come to an end`;
}

/** `9 objects deleted, 2 of them with data; 3 kept`. */
export function amountText({ deleted, later, kept, orphaned }: UninstallRehearsal): string {
  const data = deleted.filter(({ isData }) => isData).length;
  return [
    `${counted(deleted.length, 'object')} deleted${data === 0 ? '' : `, ${data} of them with data`}`,
    ...(later === undefined || later.length === 0 ? [] : [`${later.length} held up by finalizers`]),
    ...(kept.length === 0 ? [] : [`${kept.length} kept`]),
    ...(orphaned.length === 0 ? [] : [`${orphaned.length} let go of unseen`]),
  ].join('; ');
}

export const keptWords = {
  policy: 'on purpose',
  foreign: "somebody else's",
  'not-empty': 'its namespace is not empty',
  unread: 'what it holds could not be read',
} as const satisfies Record<UninstallRehearsal['kept'][number]['why'], string>;
