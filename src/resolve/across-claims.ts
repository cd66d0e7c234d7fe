import type { ClaimFacts } from '../plan/facts.ts';
import { at, type Finding } from '../validate/finding.ts';
import { shown } from '../validate/grammar/fault.ts';
import type { Former, Item, View } from './across.ts';

/**
 * A claim may go when its last compile ordered the deletion and its record tells of the end. A record alone is not
 * enough: it may tell of an earlier claim of the same name.
 */
export function removedClaimsWereUninstalled(view: View): Finding[] {
  const { claims, claimByName, formerClaims, records, isUnreadable } = view;
  const created = new Map(
    claims.filter(({ facts }) => !formerClaims.has(facts.name)).map((claim) => [claim.facts.identity, claim]),
  );
  return [...formerClaims.values()].flatMap((former): Finding[] => {
    const { name, state, identity } = former.facts;
    if (claimByName.has(name) || isUnreadable(former.source)) return [];
    if (state === 'Deleted' && records.get(name)?.facts.uninstalled !== undefined) return [];
    const renamed = state === 'Deleted' ? undefined : created.get(identity);
    return [renamed === undefined ? vanished(former) : renamedTo(renamed, former)];
  });
}

function vanished({ facts: { name, state }, source }: Former<ClaimFacts>): Finding {
  const isOrdered = state === 'Deleted';
  return {
    code: 'claim-vanished',
    at: { kind: 'file', file: source },
    message: isOrdered
      ? `The claim ${shown(name)} is gone from ${source} before its uninstall was completed.`
      : `The claim ${shown(name)} is gone from ${source}, but was never deleted.`,
    remedy: isOrdered
      ? `Restore the file; it may go once state/records/${name}.yaml tells of the completed uninstall.`
      : `Restore the file; to delete the claim, run "quiesce delete ${name}".`,
  };
}

function renamedTo({ facts, origin }: Item<ClaimFacts>, { facts: { name }, source }: Former<ClaimFacts>): Finding {
  return {
    code: 'claim-renamed',
    at: at(origin, ['metadata', 'name']),
    message: `The claim ${shown(name)} was renamed to ${shown(facts.name)}; the new name would be an empty virtual cluster.`,
    remedy: `Restore the name ${shown(name)}; or keep both, move the data, and then run "quiesce delete ${name}".`,
    related: [{ message: `${shown(name)} was here`, at: { kind: 'file', file: source } }],
  };
}

/** Claims that are there now and were there before. Facts that are one object are from one line, and equal. */
function kept({ claims, formerClaims }: View): { readonly claim: Item<ClaimFacts>; readonly former: ClaimFacts }[] {
  return claims.flatMap((claim) => {
    const former = formerClaims.get(claim.facts.name)?.facts;
    return former === undefined || former === claim.facts ? [] : [{ claim, former }];
  });
}

/** Also while it is being deleted: the order would go to the wrong cluster. */
export function claimsStayInTheirCluster(view: View): Finding[] {
  return kept(view).flatMap(({ claim: { facts, origin }, former }): Finding[] => {
    if (facts.cluster === former.cluster) return [];
    return [
      {
        code: 'claim-moved',
        at: at(origin, ['spec', 'cluster']),
        message: `The claim ${shown(facts.name)} is on ${shown(former.cluster)} and cannot be moved to ${shown(facts.cluster)}: it would start there empty.`,
        remedy: `Write "cluster: ${former.cluster}"; or create a claim of another name on ${shown(facts.cluster)}, move the data, and run "quiesce delete ${facts.name}".`,
      },
    ];
  });
}

export function backingStoresStay(view: View): Finding[] {
  return kept(view).flatMap(({ claim: { facts, origin }, former }): Finding[] => {
    if (facts.backingStore === former.backingStore || facts.state === 'Deleted' || former.state === 'Deleted')
      return [];
    return [
      {
        code: 'backing-store-changed',
        at: at(origin, ['spec', 'backingStore']),
        message: `The claim ${shown(facts.name)} keeps its data in ${former.backingStore}; ${facts.backingStore} would start empty.`,
        remedy: `Write "backingStore: ${former.backingStore}"; or create a claim of another name and move the data.`,
      },
    ];
  });
}

/** A claim that is still marked Deleted has kept the data just now, and its file goes next. */
export function namesWithKeptDataAreFree({ claims, records }: View): Finding[] {
  return claims.flatMap(({ facts, origin }): Finding[] => {
    const record = records.get(facts.name);
    if (facts.state === 'Deleted' || record?.facts.uninstalled?.data !== 'Kept') return [];
    return [
      {
        code: 'name-blocked-by-data',
        at: at(origin, ['metadata', 'name']),
        message: `The volumes of an earlier ${shown(facts.name)} were kept; this claim would start on them.`,
        remedy: `Choose another name, or delete those volumes and then ${record.origin.file}.`,
        related: [{ message: 'kept, as the record says', at: at(record.origin, ['spec', 'uninstalled', 'data']) }],
      },
    ];
  });
}
