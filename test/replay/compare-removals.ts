import type { DeletedObject, RehearsedUninstallBlocker, UninstallRehearsal } from '../../src/rehearsal/rehearsal.ts';
import type { UninstallBlocker } from '../../src/sidecar/uninstall/blocker.ts';
import { isCopy, kindKey, stageOf, stages } from '../../src/sidecar/uninstall/kinds.ts';
import { type AuditLine, sidecarUser } from '../cluster/sidecar/audit.ts';
import { type Item, item } from './item.ts';
import type { Replayed } from './lane.ts';
import type { Found } from './look.ts';

/** What was said of claims and installations that go or sleep, and what is left of them. */
export function compareRemovals(replayed: Replayed): readonly Item[] {
  const { rehearsal } = replayed;
  return [
    ...objectItems(replayed),
    ...rehearsal.uninstalls.flatMap((uninstall) => [
      ...orderItems(uninstall, replayed),
      ...keptItems(uninstall, replayed),
      ...blockerItems(uninstall.subject.name, uninstall.blockers, replayed),
      ...endItems(uninstall, replayed),
    ]),
    ...rehearsal.sleeps.flatMap((sleep) => [
      ...blockerItems(sleep.claim, sleep.blockers as readonly RehearsedUninstallBlocker[], replayed),
      ...sleepItems(sleep, replayed),
    ]),
  ];
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

function keyOf(object: Named): string {
  return `${kindKey(object)} ${object.namespace ?? ''}/${object.name}`;
}

function words({ kind, namespace, name }: Named): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Of everything that was there: whether it is gone. What Kubernetes keeps beside other objects is left out. */
function objectItems({ rehearsal, before, after }: Replayed): Item[] {
  const left = new Set(after.objects.map(({ uid }) => uid));
  const pods = rehearsal.sleeps.flatMap(({ stopped, deleted }) => [...stopped, ...deleted]);
  const said = new Set([
    ...rehearsal.uninstalls.flatMap(({ deleted }) => deleted.map(keyOf)),
    ...pods.map(({ namespace, name }) => keyOf({ apiVersion: 'v1', kind: 'Pod', namespace, name })),
  ]);
  return before.objects.filter(isCounted).flatMap((object) => {
    const [isSaid, isGone] = [said.has(keyOf(object)), !left.has(object.uid)];
    // That everybody else's things stay is said of each, but counted where it is not so.
    if (!isSaid && !isGone) return [];
    return [item('deleted', words(object), [isSaid ? 'gone' : 'there'], isGone ? 'gone' : 'there')];
  });
}

function isCounted(object: Found): boolean {
  return !isCopy(object) && object.kind !== 'VolumeAttachment';
}

/** What was told to go before something else of its component is told so in reality as well. */
function orderItems({ deleted, strategy }: UninstallRehearsal, { audit }: Replayed): Item[] {
  const asked = new Map<string, number>();
  for (const line of audit.filter(isDeletion)) {
    const key = placeKey(line.resource, line.namespace, line.name);
    if (!asked.has(key)) asked.set(key, line.received);
  }
  const timed = deleted
    .filter(({ how }) => how === 'order')
    .flatMap((object) => {
      const at = asked.get(placeKey(pluralOf(object), object.namespace, object.name));
      return at === undefined ? [] : [{ object, at }];
    });
  return timed.map(({ object, at }, index) => {
    const overtaken = timed.slice(0, index).find((other) => isEarlier(strategy, other.object, object) && other.at > at);
    const happened = overtaken === undefined ? 'in its turn' : `before ${words(overtaken.object)}`;
    return item('order', words(object), ['in its turn'], happened);
  });
}

/** Of one stage all are asked for at the same time, so between these there is no order; of a quick deletion, everything. */
function isEarlier(strategy: UninstallRehearsal['strategy'], a: DeletedObject, b: DeletedObject): boolean {
  if (strategy === 'Quick') return a.kind === 'Namespace' && b.kind !== 'Namespace';
  return a.component === b.component && stageIndex(a) < stageIndex(b);
}

function stageIndex(object: DeletedObject): number {
  return stages.indexOf(stageOf(object));
}

function isDeletion({ user, verb, status }: AuditLine): boolean {
  return user === sidecarUser && verb === 'delete' && status < 300;
}

function placeKey(plural: string, namespace: string | undefined, name: string | undefined): string {
  return `${plural} ${plural === 'namespaces' ? '' : (namespace ?? '')}/${name}`;
}

function pluralOf({ kind }: Named): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

/** What the sidecar lists as left over, once it is done. */
function keptItems({ subject, kept, ends }: UninstallRehearsal, { watched: { shown } }: Replayed): Item[] {
  const status = { ...shown.claims, ...shown.installations }[subject.name];
  if (status?.phase !== 'Deleted' || ends !== 'Deleted') return [];
  const listed = new Map((status.leftovers ?? []).map((object) => [keyOf(object), words(object)]));
  const said = new Map(kept.map((object) => [keyOf(object), words(object)]));
  return [...new Map([...listed, ...said])].map(([key, text]) =>
    item('kept', text, [said.has(key) ? 'kept' : 'not told of'], listed.has(key) ? 'kept' : 'not told of'),
  );
}

function blockerItems(of: string, said: readonly RehearsedUninstallBlocker[], { watched }: Replayed): Item[] {
  const forEver = new Set(said.filter((each) => each.forEver).map(blockerKey));
  const possible = new Set(said.map(blockerKey));
  const left = new Set(
    watched.left.filter((each) => each.of === of).map(({ blocker }) => blockerKey(blocker as UninstallBlocker)),
  );
  return [...new Set([...forEver, ...left])].map((key) => {
    const expected = forEver.has(key) ? ['blocked'] : possible.has(key) ? ['blocked', 'not blocked'] : ['not blocked'];
    return item('blocked', `${of}: ${key}`, expected, left.has(key) ? 'blocked' : 'not blocked');
  });
}

function blockerKey({ code, object, finalizer, ...more }: Omit<UninstallBlocker, 'since'>): string {
  const { pod } = more as { readonly pod?: { readonly namespace: string; readonly name: string } };
  const place = object === undefined ? undefined : words(object);
  return [code, place, pod && `${pod.namespace}/${pod.name}`, finalizer].filter((part) => part !== undefined).join(' ');
}

function endItems({ subject, ends, isPartial }: UninstallRehearsal, { watched: { shown } }: Replayed): Item[] {
  if (isPartial) return [];
  const phase = { ...shown.claims, ...shown.installations }[subject.name]?.phase ?? 'nothing';
  return [item('ends', `${subject.kind} ${subject.name}`, [ends], phase)];
}

function sleepItems(
  { claim, takes }: Replayed['rehearsal']['sleeps'][number],
  { watched: { shown } }: Replayed,
): Item[] {
  const { phase, reason } = shown.claims[claim] ?? {};
  const sleeps = phase === 'Asleep' || reason === 'WatchingForReturn';
  return [
    item('slept', `claim ${claim}`, [takes.from === null ? 'kept awake' : 'asleep'], sleeps ? 'asleep' : 'kept awake'),
  ];
}
