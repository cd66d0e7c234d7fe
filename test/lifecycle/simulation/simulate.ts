import { day, hour, start } from '../sample.ts';
import { chanceOf } from './chance.ts';
import { type Effect, happenings } from './happenings.ts';
import { pressLink, runOver } from './run.ts';
import { type World, worldOf } from './world.ts';

export interface Simulation {
  readonly seed: number;
  readonly claims: number;
  readonly years: number;
}

/** Years of an instance in which everything goes wrong. Throws at the first broken promise; tells what happened. */
export function simulate({ seed, claims, years }: Simulation): World {
  const chance = chanceOf(seed);
  const world = worldOf(chance, claims);
  const until = start + years * 365 * day;
  const list = happenings(world, start, until);
  const interval = chance.of([1, 1, 6, 24] as const) * hour;
  const due = new Due([...world.git.claims.keys()]);
  for (let run = start; run < until; run += interval) {
    while (list[0] !== undefined && list[0].at <= run) {
      const happening = list.shift();
      world.now = happening?.at ?? run;
      concern(due, happening?.what(world) ?? 'nothing');
    }
    presses(world, due, run);
    world.now = run;
    uninstall(world, due);
    if (!world.weather.isRunnerDown) lookAtDue(world, due);
  }
  return world;
}

function concern(due: Due, effect: Effect): void {
  if (effect === 'nothing') return;
  if (effect === 'everything') due.everything();
  else due.set(effect.claim, Number.NEGATIVE_INFINITY);
}

/** Presses of the button since the last run, each at its own time. */
function presses(world: World, due: Due, run: number): void {
  const ripe = world.presses.filter(({ landsAt }) => landsAt <= run);
  if (ripe.length === 0) return;
  world.presses = world.presses.filter(({ landsAt }) => landsAt > run);
  for (const { at, landsAt, mail } of ripe) {
    world.now = landsAt;
    pressLink(world, mail, at);
    if (world.chance.happens(0.3)) pressLink(world, mail, at + 1000);
    due.set(mail.claim, Number.NEGATIVE_INFINITY);
  }
}

/** What the sidecar does with a claim that is to be deleted. */
function uninstall(world: World, due: Due): void {
  for (const [name, over] of world.uninstalls) {
    if (over > world.now || world.git.claims.get(name)?.state !== 'Deleted') continue;
    const data = world.chance.happens(0.95) ? 'Deleted' : 'Kept';
    world.resources.set(name, { ...world.resources.get(name), uninstalled: { at: over, data } });
    world.uninstalls.delete(name);
    due.set(name, Number.NEGATIVE_INFINITY);
  }
}

function lookAtDue(world: World, due: Due): void {
  const now = world.now + world.weather.clockAhead;
  const names = due.until(now);
  if (names.length === 0) return;
  for (const [name, at] of runOver(world, names)) {
    const isThere = world.git.claims.has(name) || world.git.records.has(name);
    due.set(name, isThere ? at : Number.POSITIVE_INFINITY);
    const claim = world.git.claims.get(name);
    const resource = world.resources.get(name);
    if (claim?.state !== 'Deleted' || resource?.uninstalled !== undefined || world.uninstalls.has(name)) continue;
    world.uninstalls.set(name, world.now + world.chance.between(1, 48) * hour);
  }
}

/** When each claim is due: the names stay the same, so that looking for those that are takes no time. */
class Due {
  private readonly names: readonly string[];
  private readonly index: ReadonlyMap<string, number>;
  private readonly at: Float64Array;

  constructor(names: readonly string[]) {
    this.names = names;
    this.index = new Map(names.map((name, index) => [name, index]));
    this.at = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
  }

  set(name: string, at: number): void {
    const index = this.index.get(name);
    if (index !== undefined) this.at[index] = at;
  }

  everything(): void {
    this.at.fill(Number.NEGATIVE_INFINITY);
  }

  until(now: number): string[] {
    const due: string[] = [];
    for (let index = 0; index < this.at.length; index += 1) {
      if ((this.at[index] ?? 0) <= now) due.push(this.names[index] ?? '');
    }
    return due;
  }
}
