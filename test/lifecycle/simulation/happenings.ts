import type { LifecycleClaim } from '../../../src/lifecycle/decision.ts';
import { day, hour } from '../sample.ts';
import { copyOf, count, type Git, newClaim, replaceClaim, type World } from './world.ts';

/** Something that happens at an instant, whoever does it. */
export interface Happening {
  readonly at: number;
  readonly what: (world: World) => Effect;
}

/** Whom it concerns: the runner has to look at these again. */
export type Effect = 'everything' | 'nothing' | { readonly claim: string };

/** Every fault comes, lasts for a while, and goes. */
const outages: readonly {
  readonly often: number;
  readonly days: number;
  readonly set: (world: World, on: boolean) => void;
}[] = [
  { often: 5, days: 20, set: ({ weather }, on) => Object.assign(weather, { isRunnerDown: on }) },
  { often: 6, days: 15, set: ({ weather }, on) => Object.assign(weather, { isMailDown: on }) },
  { often: 2, days: 10, set: ({ weather }, on) => Object.assign(weather, { isMailConfigured: !on }) },
  { often: 6, days: 3, set: ({ weather }, on) => Object.assign(weather, { isGreylisting: on }) },
  { often: 6, days: 12, set: ({ weather }, on) => toggle(weather.unknownClusters, 'annex', on) },
  { often: 6, days: 6, set: ({ weather }, on) => toggle(weather.unknownClusters, 'main', on) },
];

function toggle(set: Set<string>, item: string, on: boolean): void {
  if (on) set.add(item);
  else set.delete(item);
}

/** Three years of them, in order. */
export function happenings({ chance, git }: World, from: number, until: number): Happening[] {
  const list: Happening[] = [];
  const some = (often: number, what: () => Happening['what']): void => {
    const years = (until - from) / (365 * day);
    for (let index = 0; index < Math.round(often * years); index += 1)
      list.push({ at: from + chance.between(0, until - from), what: what() });
  };
  for (const { often, days, set } of outages) {
    some(often, () => (world) => {
      set(world, true);
      const at = world.now + chance.between(1, days * 24) * hour;
      foresee(list, { at, what: (later) => unnoticed(() => set(later, false)) });
      return 'nothing';
    });
  }
  some(6, () => (world) => jump(world, list));
  some(3, () => settingsEdit);
  some(1.5, () => (world) => backUp(world, list));
  const size = git.claims.size;
  some(size * 1.2, () => (world) => edit(world, `c${chance.between(0, size - 1)}`));
  return list.sort((a, b) => a.at - b.at);
}

function foresee(list: Happening[], happening: Happening): void {
  const later = list.findIndex(({ at }) => at > happening.at);
  list.splice(later === -1 ? list.length : later, 0, happening);
}

/** The runner notices when it comes to it. */
function unnoticed(what: () => void): Effect {
  what();
  return 'nothing';
}

/** From minutes, which nobody notices, to years; and back again after a while. */
function jump(world: World, list: Happening[]): Effect {
  const { chance, weather } = world;
  const far = chance.of([4 / 60, 1, 30, 24 * 8, 24 * 400, -4 / 60, -1, -24 * 9, -24 * 400] as const);
  weather.clockAhead = far * hour;
  const at = world.now + chance.between(1, 24 * 5) * hour;
  foresee(list, { at, what: (later) => unnoticed(() => Object.assign(later.weather, { clockAhead: 0 })) });
  return 'nothing';
}

function settingsEdit(world: World): Effect {
  const { chance } = world;
  const seconds = (days: number) => days * 86_400;
  world.settings = {
    ...world.settings,
    expiry: {
      after: seconds(chance.of([14, 30, 90, 120] as const)),
      grace: seconds(chance.of([14, 30, 60, 90] as const)),
      warnBefore: seconds(chance.of([7, 7, 10, 14] as const)),
      maxExtension: seconds(chance.of([0.5, 30, 180] as const)),
    },
  };
  for (const claim of world.git.claims.values()) {
    if (claim.expiry === 'Never') continue;
    const { after, grace } = world.settings.expiry;
    replaceClaim(world, { ...claim, expiry: { after, grace } });
  }
  count(world, 'settings edited');
  return 'everything';
}

/** Of the repository; the only ones that matter are those that somebody puts back. */
function backUp(world: World, list: Happening[]): Effect {
  const copy = copyOf(world.git);
  const at = world.now + world.chance.between(1, 60 * 24) * hour;
  foresee(list, { at, what: (later) => restore(later, copy) });
  return 'nothing';
}

/** What git said since then is gone, what clusters and people know is not. */
function restore(world: World, backup: Git): Effect {
  world.git = backup;
  world.uninstalls.clear();
  for (const name of world.git.claims.keys()) {
    world.compiled.add(name);
    if (!world.resources.has(name)) world.resources.set(name, {});
  }
  count(world, 'restored');
  return 'everything';
}

/** What people do to a claim. */
function edit(world: World, name: string): Effect {
  const claim = world.git.claims.get(name);
  const { chance, resources } = world;
  if (claim === undefined) {
    if (world.git.records.has(name)) return 'nothing';
    replaceClaim(world, newClaim(chance, name, world.now));
    resources.set(name, {});
    world.compiled.add(name);
    count(world, 'created');
    return { claim: name };
  }
  const changed = editOf(world, claim);
  if (changed !== undefined) replaceClaim(world, changed);
  return { claim: name };
}

function editOf(world: World, claim: LifecycleClaim): LifecycleClaim | undefined {
  const { chance, weather, resources } = world;
  const { email } = claim.owners[0] ?? { email: '' };
  const pick = chance.between(0, 99);
  if (claim.state === 'Deleted') return pick < 20 ? { ...claim, state: 'Running' } : undefined;
  if (pick < 35) return { ...claim, state: claim.state === 'Running' ? 'Sleeping' : 'Running' };
  if (pick < 45) return { ...claim, protected: !claim.protected };
  if (pick < 53) return { ...claim, expiry: claim.expiry === 'Never' ? own(world) : 'Never' };
  if (pick < 60)
    return { ...claim, expiry: { after: 86_400 * chance.between(8, 200), grace: 86_400 * chance.between(8, 90) } };
  if (pick < 66) return { ...claim, extendedUntil: new Date(world.now + chance.between(-10, 400) * day).toISOString() };
  if (pick < 76)
    return { ...claim, owners: [...claim.owners.slice(1), { name: 'New', email: `new-${world.now}@example.edu` }] };
  if (pick < 80) return { ...claim, renewedAt: new Date(world.now + chance.between(-30, 30) * day).toISOString() };
  if (pick < 86) weather.deadAddresses.set(email, world.now + chance.between(1, 120) * day);
  else if (pick < 90) toggle(weather.unreadable, claim.name, !weather.unreadable.has(claim.name));
  else if (pick < 94) resources.set(claim.name, { ...resources.get(claim.name), deletionAsked: world.now });
  else if (pick < 97 && !claim.protected) return { ...claim, state: 'Deleted' };
  return undefined;
}

function own({ settings }: World): LifecycleClaim['expiry'] {
  return { after: settings.expiry.after, grace: settings.expiry.grace };
}
