import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import { compareText } from '../../sidecar/maintenance/order.ts';
import type { Move, Nowhere, NowhereReason, OwnerName, PodName, RemovedPod } from '../rehearsal.ts';
import type { Misfit } from '../simulate/fit.ts';
import { between, compareSpans } from '../span.ts';
import type { CourseRecord, Departure } from './record.ts';
import type { Courses } from './rehearse.ts';

/** What takes the place of a pod finds no node: by the key of the pod that had to go. */
export type Stranded = ReadonlyMap<string, Nowhere>;

export function movesOf(node: string, courses: Courses, stranded: Stranded): readonly Move[] {
  const pairs = pairsOf(node, courses).filter(([soonest, latest]) => isEvicted(soonest) || isEvicted(latest));
  return pairs
    .map(([soonest, latest, key]): Move & { readonly value: number } => {
      const { pod, stage, priority } = eitherOf(soonest, latest);
      const granted = (departure: Departure | undefined) => (isEvicted(departure) ? departure?.at : undefined);
      const nowhere = stranded.get(key);
      return {
        ...nameOf(pod),
        ...ownerOf(pod),
        stage,
        ...(stage === 3 && { priority }),
        value: priority,
        evicted: between(granted(soonest), granted(latest)),
        gone: between(soonest?.goneAt, latest?.goneAt),
        ...(nowhere !== undefined && { nowhere }),
      };
    })
    .sort((a, b) => a.stage - b.stage || a.value - b.value || compareSpans(a.evicted, b.evicted) || compareNames(a, b))
    .map(({ value: _, ...move }) => move);
}

export function removedOf(node: string, courses: Courses, stranded: Stranded): readonly RemovedPod[] {
  const pairs = pairsOf(node, courses).filter(([soonest, latest]) => isRemoved(soonest) || isRemoved(latest));
  return pairs
    .map(([soonest, latest, key]): RemovedPod => {
      const removal = isRemoved(latest) ? latest : soonest;
      const { pod, isOverdue, pastBudget } = eitherOf(removal, soonest);
      const at = (departure: Departure | undefined) => (isRemoved(departure) ? departure?.at : undefined);
      const nowhere = stranded.get(key);
      return {
        ...nameOf(pod),
        ...ownerOf(pod),
        why: isOverdue === true ? 'deadline' : 'taint',
        certain: isRemoved(soonest) && isRemoved(latest),
        at: between(at(soonest), at(latest)),
        ...(pastBudget !== undefined && { pastBudget }),
        ...(nowhere !== undefined && { nowhere }),
      };
    })
    .sort((a, b) => compareSpans(a.at, b.at) || compareNames(a, b));
}

function isEvicted(departure: Departure | undefined): boolean {
  return departure?.how === 'evicted';
}

function isRemoved(departure: Departure | undefined): boolean {
  return departure?.how === 'removed';
}

type Pair = readonly [soonest: Departure | undefined, latest: Departure | undefined, key: string];

/** The same departure in both courses: of a pod of the snapshot, or the nth of new ones that are alike. */
function pairsOf(node: string, { soonest, latest }: Courses): Pair[] {
  const [left, right] = [keyed(node, soonest), keyed(node, latest)];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => [left.get(key), right.get(key), key]);
}

const indices = new WeakMap<CourseRecord, ReadonlyMap<string, ReadonlyMap<string, Departure>>>();

function keyed(node: string, course: CourseRecord): ReadonlyMap<string, Departure> {
  const index = indices.get(course) ?? indexOf(course);
  indices.set(course, index);
  return index.get(node) ?? new Map();
}

function indexOf({ departures }: CourseRecord): ReadonlyMap<string, ReadonlyMap<string, Departure>> {
  const index = new Map<string, Map<string, Departure>>();
  for (const departure of departures) {
    const { node, pod } = departure;
    const known = index.get(node) ?? new Map<string, Departure>();
    index.set(node, known);
    let serial = 1;
    while (known.has(keyOf(pod, serial))) serial += 1;
    known.set(keyOf(pod, serial), departure);
  }
  return index;
}

function keyOf(pod: ObservedPod, serial: number): string {
  return isMade(pod) ? `new ${serial} ${pod.namespace}/${pod.owner?.uid}` : pod.uid;
}

function isMade({ uid }: ObservedPod): boolean {
  return uid.startsWith('made-');
}

function eitherOf(first: Departure | undefined, second: Departure | undefined): Departure {
  const departure = first ?? second;
  if (departure === undefined) throw new Error('unreachable: a pair has one side at least');
  return departure;
}

/** The name of one that is made anew tells nothing but whose it is. */
function nameOf(pod: ObservedPod): PodName {
  const { namespace, name, owner } = pod;
  if (!isMade(pod)) return { namespace, name };
  return { namespace, name: owner?.kind === 'StatefulSet' ? name : (owner?.name ?? name), isNew: true };
}

function ownerOf({ owner }: ObservedPod): { readonly owner?: OwnerName } {
  return owner === undefined ? {} : { owner: { kind: owner.kind, name: owner.name } };
}

function compareNames(a: PodName, b: PodName): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

/**
 * A pod that waits at the end stands for one that had to go: the one of its name, else the last ones of its controller.
 */
export function strandedIn({ soonest, latest }: Courses): Stranded {
  const [left, right] = [strandedOf(soonest), strandedOf(latest)];
  return new Map(
    [...new Set([...left.keys(), ...right.keys()])].map((key) => [
      key,
      { certain: left.has(key) && right.has(key), reasons: reasonsOf(right.get(key) ?? left.get(key) ?? []) },
    ]),
  );
}

function strandedOf(course: CourseRecord): Map<string, readonly Misfit[]> {
  const stranded = new Map<string, readonly Misfit[]>();
  const left = new Map<string, Departure[]>();
  for (const departure of [...course.departures].sort((a, b) => (a.goneAt ?? a.at) - (b.goneAt ?? b.at))) {
    const uid = departure.pod.owner?.uid;
    if (uid !== undefined) left.set(uid, [...(left.get(uid) ?? []), departure]);
  }
  for (const { pod, misfits } of course.waiting) {
    const mates = left.get(pod.owner?.uid ?? '') ?? [];
    const byName = mates.findLastIndex(
      ({ pod: { name, namespace } }) => name === pod.name && namespace === pod.namespace,
    );
    const [departure] = mates.splice(byName < 0 ? mates.length - 1 : byName, 1);
    if (departure === undefined) continue;
    const key = [...keyed(departure.node, course)].find(([, each]) => each === departure)?.[0];
    if (key !== undefined) stranded.set(key, misfits);
  }
  return stranded;
}

const reasonOrder: readonly NowhereReason[] = [
  'not-ready',
  'cordoned',
  'taints',
  'affinity',
  'volume',
  'ports',
  'capacity',
  'pods',
];

function reasonsOf(misfits: readonly Misfit[]): Nowhere['reasons'] {
  const counts = new Map<string, { readonly reason: NowhereReason; readonly detail?: string; nodes: number }>();
  for (const { reason, detail } of misfits) {
    const key = `${reason} ${detail ?? ''}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { reason, ...(detail !== undefined && { detail }), nodes: 1 });
    else known.nodes += 1;
  }
  return [...counts.values()]
    .sort(
      (a, b) =>
        reasonOrder.indexOf(a.reason) - reasonOrder.indexOf(b.reason) || compareText(a.detail ?? '', b.detail ?? ''),
    )
    .map(({ reason, detail, nodes }) => ({ reason, nodes, ...(detail !== undefined && { detail }) }));
}
