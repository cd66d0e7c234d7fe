import { type Change, compareChanges, compareText } from './change.ts';
import { claimChanges, claimCreated, claimGone, claimRenamed } from './claim-changes.ts';
import type { ClaimFacts, Facts, RecordFacts } from './facts.ts';
import { componentChanges, installationChanges } from './installation-changes.ts';
import { maintenanceChanges, shutdownChanges } from './maintenance-changes.ts';
import { massChanges } from './mass-changes.ts';
import { recordChanges } from './record-changes.ts';
import { settingsChanges } from './settings-changes.ts';
import { systemChanges } from './system-changes.ts';

/**
 * What happens to running things when the state `before` becomes the state `after`, in a total order: the same two
 * states give the same list, whatever order their facts come in. It says what facts hold; what they do not hold shows as
 * "another configuration" at most.
 */
export function changes(before: readonly Facts[], after: readonly Facts[]): readonly Change[] {
  const [was, is] = [index(before), index(after)];
  const found = [
    ...claims(was, is),
    ...pairs(was.maintenance, is.maintenance).flatMap(([old, now]) => maintenanceChanges(old, now)),
    ...installations(was, is),
    ...components(was, is),
    ...pairs(was.shutdown, is.shutdown).flatMap(([old, now]) => shutdownChanges(old, now)),
    ...pairs(was.record, is.record).flatMap(([old, now]) => recordChanges(old, now, is.claim)),
    ...systemChanges([...was.system.values()], [...is.system.values()]),
    ...settingsChanges(was.settings.get('settings'), is.settings.get('settings')),
  ];
  return [...massChanges(found, was.claim), ...found].sort(compareChanges);
}

type Of<K extends Facts['kind']> = Extract<Facts, { kind: K }>;
type Index = { readonly [K in Facts['kind']]: ReadonlyMap<string, Of<K>> };

function index(facts: readonly Facts[]): Index {
  const found: { readonly [K in Facts['kind']]: Map<string, Of<K>> } = {
    claim: new Map(),
    maintenance: new Map(),
    component: new Map(),
    installation: new Map(),
    shutdown: new Map(),
    record: new Map(),
    system: new Map(),
    settings: new Map(),
  };
  for (const each of facts) (found[each.kind] as Map<string, Facts>).set(keyOf(each), each);
  return found;
}

function keyOf(facts: Facts): string {
  if (facts.kind === 'component') return `${facts.installation}/${facts.name}`;
  if (facts.kind === 'system') return `${facts.cluster}/${facts.name}`;
  return facts.kind === 'shutdown' ? facts.cluster : facts.name;
}

type Pair<T> = readonly [T | undefined, T | undefined];

/** Facts that are one object on both sides came from one line of an inventory: there is nothing to tell of them. */
function pairs<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): readonly Pair<T>[] {
  const found: Pair<T>[] = [];
  for (const [key, old] of before) {
    const now = after.get(key);
    if (old !== now) found.push([old, now]);
  }
  for (const [key, now] of after) if (!before.has(key)) found.push([undefined, now]);
  return found;
}

function claims(was: Index, is: Index): readonly Change[] {
  const gone = [...was.claim.values()].filter((claim) => !is.claim.has(claim.name));
  const created = [...is.claim.values()].filter((claim) => !was.claim.has(claim.name));
  const record = (name: string): RecordFacts | undefined => is.record.get(name) ?? was.record.get(name);
  // A completed uninstall is an end, whatever looks alike among the new ones.
  const renames = pairRenames(
    gone.filter((claim) => record(claim.name)?.uninstalled === undefined),
    created,
  );
  const arrived = new Set(renames.values());
  return [
    ...pairs(was.claim, is.claim).flatMap(([old, now]) =>
      old === undefined || now === undefined ? [] : claimChanges(old, now, is.record.get(now.name)),
    ),
    ...gone.flatMap((claim) => {
      const renamed = renames.get(claim);
      return renamed === undefined ? [claimGone(claim, record(claim.name))] : claimRenamed(claim, renamed);
    }),
    ...created.filter((claim) => !arrived.has(claim)).flatMap(claimCreated),
  ];
}

/** Those of the same identity are taken for each other in the order of their names. */
function pairRenames(gone: readonly ClaimFacts[], created: readonly ClaimFacts[]): ReadonlyMap<ClaimFacts, ClaimFacts> {
  const arrivals = new Map<string, ClaimFacts[]>();
  for (const claim of [...created].sort(byName).reverse()) {
    const alike = arrivals.get(claim.identity);
    if (alike === undefined) arrivals.set(claim.identity, [claim]);
    else alike.push(claim);
  }
  const renames = new Map<ClaimFacts, ClaimFacts>();
  for (const claim of [...gone].sort(byName)) {
    const renamed = arrivals.get(claim.identity)?.pop();
    if (renamed !== undefined) renames.set(claim, renamed);
  }
  return renames;
}

function installations(was: Index, is: Index): readonly Change[] {
  return pairs(was.installation, is.installation).flatMap(([old, now]) => {
    const name = (now ?? old)?.name ?? '';
    return installationChanges(old, now, is.record.get(name) ?? was.record.get(name));
  });
}

function components(was: Index, is: Index): readonly Change[] {
  const staysInstalled = (name: string): boolean =>
    was.installation.get(name)?.state === 'Installed' &&
    is.installation.get(name)?.state === 'Installed' &&
    was.installation.get(name)?.cluster === is.installation.get(name)?.cluster;
  return pairs(was.component, is.component)
    .filter(([old, now]) => staysInstalled((now ?? old)?.installation ?? ''))
    .flatMap(([old, now]) => componentChanges(old, now));
}

function byName(a: ClaimFacts, b: ClaimFacts): number {
  return compareText(a.name, b.name);
}
