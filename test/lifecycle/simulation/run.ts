import { decide } from '../../../src/lifecycle/decide.ts';
import type {
  Decision,
  DeliveryReport,
  LifecycleClaim,
  LifecycleDecisions,
  LifecycleInput,
  Mail,
  ObservedCluster,
  ObservedResource,
} from '../../../src/lifecycle/decision.ts';
import { renew } from '../../../src/lifecycle/renew.ts';
import { hour } from '../sample.ts';
import { check, checkPress, checkPublished } from './oracle.ts';
import { clusters, count, type World } from './world.ts';

const minute = hour / 60;

/** One run of the runner over some of the claims, with a push that may fail in every way. */
export function runOver(world: World, names: readonly string[]): ReadonlyMap<string, number> {
  const { chance, weather } = world;
  const began = world.now;
  const first = decide(began + weather.clockAhead, inputOf(world, names, []));
  const mails = first.decisions.flatMap((decision) => decision.mails);
  // A server may take its time, and the machine be suspended between the decision and the answer.
  if (mails.length > 0)
    world.now += chance.happens(0.1) ? chance.between(0, 36) * hour : chance.between(0, 20) * minute;
  const reports = mails.flatMap((mail) => send(world, mail));
  const push = chance.between(0, 99);
  if (push < 2) return stillDue(world, names); // the runner died before it could push
  const pressed = push < 5 ? names.slice(0, 3) : [];
  for (const name of pressed) press(world, name, world.now, false);
  const open = stillOpen(world, names, first, pressed);
  const again = () => decide(world.now + weather.clockAhead, inputOf(world, open, reports));
  const isSettled = reports.length === 0 && push >= 5;
  const second = isSettled ? first : joined(first, again(), open);
  land(world, second.decisions);
  publish(world, second.deadlines);
  // The line broke although the push had come through: decided again, on what the push left.
  if (push > 97) land(world, again().decisions);
  const next = nextOf(world, names, second);
  world.now = began;
  return next;
}

/** Those about which there was something to decide, or is by now. About the others it is the same until they are due. */
function stillOpen(world: World, names: readonly string[], first: LifecycleDecisions, changed: readonly string[]) {
  const now = world.now + world.weather.clockAhead;
  const decided = new Set([...first.decisions.map(({ name }) => name), ...changed]);
  return names.filter((name) => decided.has(name) || (first.next.get(name) ?? Number.POSITIVE_INFINITY) <= now);
}

function joined(first: LifecycleDecisions, second: LifecycleDecisions, open: readonly string[]): LifecycleDecisions {
  const decided = new Set(open);
  const others = <T>(entries: ReadonlyMap<string, T>) => [...entries].filter(([name]) => !decided.has(name));
  return {
    decisions: second.decisions,
    holds: second.holds,
    deadlines: new Map([...others(first.deadlines), ...second.deadlines]),
    next: new Map([...others(first.next), ...second.next]),
  };
}

function inputOf(world: World, names: readonly string[], reports: readonly DeliveryReport[]): LifecycleInput {
  const { git, weather, resources, settings, compiled } = world;
  const claims = names.flatMap((name) => git.claims.get(name) ?? []);
  return {
    settings,
    mail: { kind: weather.isMailConfigured ? 'ready' : 'notConfigured' },
    reports,
    clocks: clusters
      .filter((name) => !weather.unknownClusters.has(name))
      .map((from) => ({ from, ahead: -weather.clockAhead + world.chance.between(-60, 60) * 1000 })),
    claims,
    installations: [],
    records: new Map(names.flatMap((name) => git.records.get(name) ?? []).map((record) => [record.name, record])),
    unreadable: weather.unreadable,
    clusters: new Map(clusters.map((name) => [name, clusterOf(name, { claims, weather, resources })])),
    compiled,
  };
}

function clusterOf(
  name: string,
  { claims, weather, resources }: Pick<World, 'weather' | 'resources'> & { readonly claims: readonly LifecycleClaim[] },
): ObservedCluster {
  if (weather.unknownClusters.has(name)) return { kind: 'unknown', why: 'it does not answer' };
  const mine = claims.filter(({ cluster }) => cluster === name);
  const there = mine.flatMap((claim): [string, ObservedResource][] => {
    const resource = resources.get(claim.name);
    return resource === undefined ? [] : [[claim.name, resource]];
  });
  return { kind: 'known', claims: new Map(there), installations: new Map() };
}

/** What servers do, and what the runner hears of it: after DATA the line may break although the mail was taken. */
function send(world: World, mail: Mail): DeliveryReport[] {
  const { weather, chance } = world;
  return mail.to.map(({ email }) => {
    const at = world.now + weather.clockAhead;
    const report = (outcome: DeliveryReport['outcome']): DeliveryReport => ({ mail, to: email, at, outcome });
    if (weather.isMailDown || (weather.isGreylisting && chance.happens(0.8))) return report('deferred');
    if ((weather.deadAddresses.get(email) ?? 0) > world.now) return report('rejected');
    const isTaken = chance.happens(0.97);
    if (isTaken) taken(world, mail, email);
    return report(isTaken && chance.happens(0.98) ? 'accepted' : 'deferred');
  });
}

function taken(world: World, mail: Mail, to: string): void {
  const list = world.taken.get(mail.claim) ?? [];
  list.push({ kind: mail.kind, deadline: mail.deadline, to, at: world.now });
  world.taken.set(mail.claim, list);
  count(world, mail.kind);
  world.links.set(mail.claim, mail);
  const isAnswered = mail.kind.endsWith('Warning') && world.chance.happens(0.75);
  if (!isAnswered) return;
  const at = world.now + world.chance.between(0, 11 * 24) * hour;
  // The page keeps a press until it can write to git.
  const landsAt = at + (world.chance.happens(0.1) ? world.chance.between(1, 72) * hour : 0);
  world.presses.push({ at, landsAt, mail });
}

/** Somebody uses a link, perhaps twice, perhaps an old one. */
function press(world: World, name: string, at: number, isSure: boolean): boolean {
  const mail = world.links.get(name);
  if (mail === undefined || (!isSure && world.chance.happens(0.5))) return false;
  return pressLink(world, mail, at);
}

export function pressLink(world: World, mail: Mail, at: number): boolean {
  const claim = world.git.claims.get(mail.claim);
  const record = world.git.records.get(mail.claim);
  const request = { identity: mail.identity, deadline: mail.deadline, issuedAt: mail.deadline - 8 * 24 * hour };
  const answer = renew(at, { claim, record, settings: world.settings }, request);
  count(world, `press: ${answer.kind === 'refused' ? answer.code : answer.kind}`);
  if (answer.kind !== 'renewed') return false;
  checkPress(world, mail, record, answer.record);
  world.git.records.set(mail.claim, answer.record);
  if (answer.state !== undefined && claim !== undefined) {
    count(world, 'deletion taken back by a press');
    world.git.claims.set(mail.claim, { ...claim, state: answer.state.to });
    world.uninstalls.delete(mail.claim);
  }
  return true;
}

function land(world: World, decisions: readonly Decision[]): void {
  for (const decision of decisions) {
    const { name, state, record, remove } = decision;
    const claim = world.git.claims.get(name);
    if (claim !== undefined) check(world, { claim, before: world.git.records.get(name), decision });
    for (const event of decision.events)
      count(world, event.kind === 'deletionOrdered' ? `${event.kind} ${event.by}` : event.kind);
    for (const hold of decision.holds) if (hold.blocks !== undefined) count(world, `held: ${hold.code}`);
    if (claim !== undefined && state !== undefined) world.git.claims.set(name, { ...claim, state: state.to });
    if (record?.kind === 'write') world.git.records.set(name, record.record);
    if (record?.kind === 'remove') world.git.records.delete(name);
    if (remove === undefined) continue;
    world.git.claims.delete(name);
    world.compiled.delete(name);
    world.resources.delete(name);
    world.uninstalls.delete(name);
  }
}

function publish(
  world: World,
  deadlines: ReadonlyMap<string, { readonly sleep: number; readonly delete: number }>,
): void {
  for (const [name, { sleep, delete: end }] of deadlines) {
    const resource = world.resources.get(name);
    const claim = world.git.claims.get(name);
    if (resource === undefined || claim === undefined || world.weather.unknownClusters.has(claim.cluster)) continue;
    checkPublished(world, resource.deadlines, { sleep, delete: end });
    world.resources.set(name, { ...resource, deadlines: { sleep, delete: end } });
  }
}

/** When each claim has to be looked at again, by the runner's clock: what is held back, after some patience. */
function nextOf(
  world: World,
  names: readonly string[],
  { decisions, next, holds }: LifecycleDecisions,
): ReadonlyMap<string, number> {
  const now = world.now + world.weather.clockAhead;
  const byName = new Map(decisions.map((decision) => [decision.name, decision]));
  return new Map(
    names.map((name) => {
      const decision = byName.get(name);
      if (decision?.record !== undefined || decision?.state !== undefined) return [name, now];
      const later = next.get(name) ?? Number.POSITIVE_INFINITY;
      const isOpen = holds.length > 0 || (decision !== undefined && isWaiting(decision));
      return [name, isOpen ? Math.min(now + world.chance.between(1, 48) * hour, later) : later];
    }),
  );
}

/** For something that may come about without anybody editing it. */
function isWaiting({ mails, holds }: Decision): boolean {
  return mails.length > 0 || holds.some(({ code }) => code !== 'record-unreadable' && code !== 'extension-capped');
}

function stillDue(world: World, names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name) => [name, world.now + world.weather.clockAhead]));
}
