import type {
  ClaimFacts,
  ComponentFacts,
  Facts,
  InstallationFacts,
  MaintenanceFacts,
  RecordFacts,
} from '../plan/facts.ts';
import type { Finding, Origin } from '../validate/finding.ts';
import {
  backingStoresStay,
  claimsStayInTheirCluster,
  namesWithKeptDataAreFree,
  removedClaimsWereUninstalled,
} from './across-claims.ts';
import {
  componentsStay,
  installationsStayInTheirCluster,
  removedInstallationsWereUninstalled,
} from './across-installations.ts';
import {
  claimNamesDiffer,
  configNamesDiffer,
  hostsDiffer,
  installationNamesDiffer,
  kindsShareNoName,
  namespacesAreNoClaims,
} from './across-names.ts';

export interface AcrossInput {
  /** Everything there is, whether compiled now or remembered. */
  readonly items: readonly { readonly facts: Facts; readonly origin: Origin }[];
  /** What the last compile that was written knew. */
  readonly previous: readonly { readonly facts: Facts; readonly source: string }[];
  /** Paths of all state files. One that is there and yields nothing has errors of its own: it has not vanished. */
  readonly sources?: ReadonlySet<string>;
}

/** A thing as it is now. */
export interface Item<F extends Facts> {
  readonly facts: F;
  readonly origin: Origin;
}

/** A thing as it was. */
export interface Former<F extends Facts> {
  readonly facts: F;
  readonly source: string;
}

/** The input, sorted by place and by kind. */
export interface View {
  readonly claims: readonly Item<ClaimFacts>[];
  /** Of two with one name, the last. */
  readonly claimByName: ReadonlyMap<string, Item<ClaimFacts>>;
  readonly configs: readonly Item<MaintenanceFacts>[];
  readonly installations: readonly Item<InstallationFacts>[];
  readonly components: readonly Item<ComponentFacts>[];
  readonly records: ReadonlyMap<string, Item<RecordFacts>>;
  readonly formerClaims: ReadonlyMap<string, Former<ClaimFacts>>;
  readonly formerInstallations: ReadonlyMap<string, Former<InstallationFacts>>;
  /** Whether a file that something came from is there, but could not be read this time. */
  readonly isUnreadable: (source: string) => boolean;
}

type AcrossRule = (view: View) => readonly Finding[];

/** What only shows when one file is held against all others, or against what was there before. */
const rules: readonly AcrossRule[] = [
  claimNamesDiffer,
  hostsDiffer,
  configNamesDiffer,
  installationNamesDiffer,
  kindsShareNoName,
  namespacesAreNoClaims,
  removedClaimsWereUninstalled,
  claimsStayInTheirCluster,
  backingStoresStay,
  namesWithKeptDataAreFree,
  removedInstallationsWereUninstalled,
  installationsStayInTheirCluster,
  componentsStay,
];

/** Works on facts alone, so that a compile of one changed file among ten thousand checks them all without reading them. */
export function acrossFindings(input: AcrossInput): Finding[] {
  const view = viewOf(input);
  return rules.flatMap((rule) => rule(view));
}

function viewOf({ items, previous, sources }: AcrossInput): View {
  const sorted = [...items].sort((a, b) => compareOrigins(a.origin, b.origin));
  const claims = sorted.filter((item): item is Item<ClaimFacts> => item.facts.kind === 'claim');
  const read = new Set(items.map(({ origin }) => origin.file));
  return {
    claims,
    claimByName: byName(claims),
    configs: sorted.filter((item): item is Item<MaintenanceFacts> => item.facts.kind === 'maintenance'),
    installations: sorted.filter((item): item is Item<InstallationFacts> => item.facts.kind === 'installation'),
    components: sorted.filter((item): item is Item<ComponentFacts> => item.facts.kind === 'component'),
    records: byName(sorted.filter((item): item is Item<RecordFacts> => item.facts.kind === 'record')),
    formerClaims: byName(previous.filter((item): item is Former<ClaimFacts> => item.facts.kind === 'claim')),
    formerInstallations: byName(
      previous.filter((item): item is Former<InstallationFacts> => item.facts.kind === 'installation'),
    ),
    isUnreadable: (source) => sources?.has(source) === true && !read.has(source),
  };
}

function byName<T extends { readonly facts: { readonly name: string } }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.facts.name, item]));
}

/** Which of two duplicates counts as the first must not depend on which of them was compiled now. */
function compareOrigins(a: Origin, b: Origin): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.document - b.document;
}
