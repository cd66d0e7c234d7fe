import type {
  BlockRehearsal,
  Move,
  NodeRehearsal,
  RehearsedBlocker,
  RemovedPod,
} from '../../src/rehearsal/rehearsal.ts';
import type { SnapshotPod } from '../../src/rehearsal/snapshot.ts';
import type { Blocker } from '../../src/sidecar/maintenance/status.ts';
import type { AuditLine } from '../cluster/sidecar/audit.ts';
import { evictionsIn } from '../cluster/sidecar/looks.ts';
import { type Item, item } from './item.ts';
import type { Replayed } from './lane.ts';

/** What was said of a MaintenanceBlock, and what the API server has seen. */
export function compareMaintenance(replayed: Replayed): readonly Item[] {
  const { rehearsal, snapshot, watched } = replayed;
  const nodes = rehearsal.maintenance.flatMap((block) => block.nodes.map((node) => ({ block, node })));
  const fates = fatesOf(replayed);
  const threatened = new Set(rehearsal.limits.find(({ code }) => code === 'preemption')?.about);
  return [
    ...snapshot.pods.filter(isSpokenOf).flatMap((pod) =>
      podItems(pod, nodes.find(({ node }) => node.node === pod.node)?.node, {
        fate: fates.get(pod.uid) ?? 'stays',
        isThreatened: threatened.has(`${pod.namespace}/${pod.name}`),
      }),
    ),
    ...nodes.flatMap(({ node }) => orderItems(node, replayed)),
    ...nodes.flatMap(({ node }) => blockerItems(node, replayed)),
    ...nodes.flatMap(({ node, block }) => reachedItem(node, block, watched.shown.block)),
  ];
}

/** What is finished goes with the taint or stays, and nothing is said of it. */
function isSpokenOf({ node, phase }: SnapshotPod): boolean {
  return node !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}

type Fate = 'evicted' | 'removed' | 'driven out' | 'stays' | 'gone otherwise';

/** By UID of a Pod of the snapshot. The first thing that anybody did to it counts. */
function fatesOf({ snapshot, audit, after }: Replayed): ReadonlyMap<string, Fate> {
  const evicted = new Map(
    evictionsIn(audit)
      .filter(isGranted)
      .map((line) => [uidIn(line), line.received]),
  );
  const removed = firstOf(audit.filter(isByTaint));
  const drivenOut = firstOf(audit.filter(isByScheduler));
  const left = new Set(after.pods.filter(({ isGoing }) => !isGoing).map(({ uid }) => uid));
  return new Map(
    snapshot.pods.map(({ uid, namespace, name }): [string, Fate] => {
      if (left.has(uid)) return [uid, 'stays'];
      const key = `${namespace}/${name}`;
      const ways: [Fate, number | undefined][] = [
        ['evicted', evicted.get(uid)],
        ['removed', removed.get(key)],
        ['driven out', drivenOut.get(key)],
      ];
      const [first] = ways
        .flatMap(([fate, at]) => (at === undefined ? [] : [{ fate, at }]))
        .sort((a, b) => a.at - b.at);
      return [uid, first?.fate ?? 'gone otherwise'];
    }),
  );
}

/** When it was asked for first, by namespace and name. */
function firstOf(lines: readonly AuditLine[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { namespace, name, received } of lines) {
    const key = `${namespace}/${name}`;
    first.set(key, Math.min(first.get(key) ?? Number.POSITIVE_INFINITY, received));
  }
  return first;
}

function isGranted({ status }: AuditLine): boolean {
  return status === 200 || status === 201;
}

/**
 * Whoever is first: the taint manager, by whichever of its names, or the DaemonSet controller, which lets none of its
 * pods go on where a NoExecute taint is not tolerated.
 */
function isByTaint(line: AuditLine): boolean {
  return isDeletion(line) && /:(taint-eviction-controller|node-controller|daemon-set-controller)$/.test(line.user);
}

/** For a pod of more priority. */
function isByScheduler(line: AuditLine): boolean {
  return isDeletion(line) && line.user === 'system:kube-scheduler';
}

function isDeletion({ verb, resource, subresource, status }: AuditLine): boolean {
  return verb === 'delete' && resource === 'pods' && subresource === undefined && status < 300;
}

function uidIn({ body }: AuditLine): string {
  return /"preconditions":\{"uid":"([^"]+)"/.exec(JSON.stringify(body ?? {}))?.[1] ?? '';
}

/** Where nothing was to happen and nothing did, there is nothing to count. */
function podItems(
  { namespace, name }: SnapshotPod,
  node: NodeRehearsal | undefined,
  { fate, isThreatened }: { readonly fate: Fate; readonly isThreatened: boolean },
): Item[] {
  const move = node?.moves.find((each) => isNamed(each, namespace, name));
  const removed = node?.removed.find((each) => isNamed(each, namespace, name));
  const possible: Fate[] = [...possibleFates(move, removed), ...(isThreatened ? (['driven out'] as const) : [])];
  const isConcerned = node?.course === 'enters' || node?.course === 'goes-on';
  if (!isConcerned && possible[0] === 'stays' && fate === 'stays') return [];
  const [kind = 'stays'] = (['evicted', 'removed'] as const).filter((each) => possible.includes(each) || fate === each);
  return [item(kind, `Pod ${namespace}/${name}`, possible, fate)];
}

function isNamed(pod: Move | RemovedPod, namespace: string, name: string): boolean {
  return pod.isNew !== true && pod.namespace === namespace && pod.name === name;
}

function possibleFates(move: Move | undefined, removed: RemovedPod | undefined): Fate[] {
  const isMoved = move !== undefined && move.evicted.from !== null;
  const maybeRemoved = removed !== undefined;
  const isSurelyMoved = isMoved && move.evicted.to !== null && !maybeRemoved;
  if (isSurelyMoved) return ['evicted'];
  if (isMoved && maybeRemoved) return ['evicted', 'removed'];
  if (maybeRemoved) return removed.certain ? ['removed'] : ['removed', 'stays'];
  return isMoved ? ['evicted', 'stays'] : ['stays'];
}

/** Nothing of a later stage was asked to go before something of an earlier one, on the same node. */
function orderItems({ moves }: NodeRehearsal, { audit, snapshot }: Replayed): Item[] {
  const granted = new Map(
    evictionsIn(audit)
      .filter(isGranted)
      .map((line) => [uidIn(line), line.received]),
  );
  const timed = moves.flatMap((move) => {
    const pod = snapshot.pods.find(({ namespace, name }) => isNamed(move, namespace, name));
    const at = pod && granted.get(pod.uid);
    return at === undefined ? [] : [{ move, at }];
  });
  return timed.map(({ move, at }) => {
    const overtaken = timed.find((other) => rankOf(other.move) < rankOf(move) && other.at > at);
    const happened = overtaken === undefined ? 'in its turn' : `before ${overtaken.move.name}`;
    return item('order', `Pod ${move.namespace}/${move.name}, stage ${move.stage}`, ['in its turn'], happened);
  });
}

/** Within the third stage, by priority. */
function rankOf({ stage, priority = 0 }: Move): number {
  return stage * 1e11 + (stage === 3 ? priority : 0);
}

/** What passes within a minute is not told of, so only what is left at the deadline counts. */
function blockerItems(node: NodeRehearsal, { watched, snapshot }: Replayed): Item[] {
  const awaited = new Set(node.waits.map(({ name }) => `volume ${name}`));
  // Where what takes the place of a pod lands is the scheduler's choice, so nothing is said of that.
  const here = snapshot.pods.filter((pod) => pod.node === node.node);
  const known = new Set(here.map(({ namespace, name }) => `${namespace}/${name}`));
  const isOfSnapshot = ({ pod }: Pick<Blocker, 'pod'>) =>
    pod === undefined || known.has(`${pod.namespace}/${pod.name}`);
  const said = new Map(node.blockers.filter(isOfSnapshot).map((blocker) => [blockerKey(blocker), blocker]));
  const seen = watched.left.filter(({ of }) => of === node.node).map(({ blocker }) => blocker as Blocker);
  const happened = new Set(seen.filter(isOfSnapshot).map(blockerKey));
  return [...new Set([...said.keys(), ...happened])].map((key) =>
    item(
      'blocked',
      `${node.node}: ${key}`,
      awaited.has(key) ? ['blocked', 'not blocked'] : possibleBlock(said.get(key)),
      happened.has(key) ? 'blocked' : 'not blocked',
    ),
  );
}

function possibleBlock(blocker: RehearsedBlocker | undefined): string[] {
  if (blocker === undefined) return ['not blocked'];
  // It may never come to be in the way, even if it would stay for ever.
  return blocker.forEver && blocker.since.to !== null ? ['blocked'] : ['blocked', 'not blocked'];
}

function blockerKey({ code, pod, pdb, volume, finalizer }: Omit<Blocker, 'since'>): string {
  const parts = [pod && `${pod.namespace}/${pod.name}`, pdb && `by ${pdb.namespace}/${pdb.name}`, volume, finalizer];
  return [code, ...parts.filter((part) => part !== undefined)].join(' ');
}

function reachedItem(
  node: NodeRehearsal,
  { ignorePdb }: BlockRehearsal,
  shown: Replayed['watched']['shown']['block'],
): Item[] {
  const found = shown?.nodes?.find((each) => each.node === node.node);
  const what = `node ${node.node ?? node.address}`;
  if (node.course === 'leaves') return [item('reached', what, ['left'], found === undefined ? 'left' : found.phase)];
  if (node.course === 'missing' || node.course === 'stays') return [];
  const happened =
    found?.phase !== 'InMaintenance' ? `${found?.phase}` : found.overran === true ? 'deadline' : 'drained';
  if (ignorePdb) return [item('reached', what, ['drained', 'deadline'], happened)];
  const possible = node.by === undefined || node.by === 'either' ? ['drained', 'deadline'] : [node.by];
  return [item('reached', what, possible, happened)];
}
