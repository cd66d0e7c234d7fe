import { type Change, type ChangeKind, counted, durationText } from './change.ts';
import { type Danger, danger } from './danger.ts';
import type { ClaimFacts } from './facts.ts';
import { compareQuantities } from './quantity.ts';
import { isOlder } from './version-order.ts';

export interface Said {
  readonly kind: ChangeKind;
  readonly text: Change['text'];
  readonly dangers?: readonly Danger[];
}

type Rule = (before: ClaimFacts, after: ClaimFacts) => Said | undefined;

export function claimTitle(claim: ClaimFacts): string {
  return `Virtual cluster ${claim.name} on ${claim.cluster}`;
}
const title = claimTitle;

export const storeNames: Record<ClaimFacts['backingStore'], string> = {
  embeddedDatabase: 'embedded database',
  embeddedEtcd: 'embedded etcd',
  deployedEtcd: 'deployed etcd',
  externalDatabase: 'external database',
};

const state: Rule = (before, after) => {
  if (before.state === after.state) return undefined;
  if (after.state === 'Deleted') return deletionOrdered(before, after);
  if (before.state === 'Deleted') {
    const then = after.state === 'Running' ? 'run' : 'sleep';
    return {
      kind: 'deletion-withdrawn',
      text: `${title(after)} is no longer to be deleted and is to ${then} again.`,
      dangers: danger(
        'data-lost',
        'an uninstall that has begun is not undone: what it deleted so far, data included, does not come back',
      ),
    };
  }
  const replicas = counted(after.replicas, 'control-plane replica');
  return after.state === 'Sleeping'
    ? { kind: 'sleeps', text: `${title(after)} goes to sleep: ${replicas} and every pod in it stop, data stays.` }
    : { kind: 'wakes', text: `${title(after)} wakes up with ${replicas}.` };
};

function deletionOrdered(before: ClaimFacts, after: ClaimFacts): Said {
  const dangers = danger('data-lost', 'everything in it is uninstalled and its data is lost');
  const graceless = before.state === 'Running' ? danger('no-grace', noGrace) : [];
  const guarded =
    before.protected || after.protected ? danger('protection-removed', 'it is, or was, marked as protected') : [];
  return {
    kind: 'deletion-ordered',
    text: `${title(after)} is ordered to be deleted.`,
    dangers: [...dangers, ...graceless, ...guarded],
  };
}

const noGrace = 'it runs until now: there is no grace period of a sleep, in which somebody could miss it';

const cluster: Rule = (before, after) =>
  before.cluster === after.cluster
    ? undefined
    : {
        kind: 'moved',
        text: `Virtual cluster ${after.name} moves from ${before.cluster} to ${after.cluster}.`,
        dangers: danger(
          'left-behind',
          `data is not moved: it starts empty on ${after.cluster}, and what runs on ${before.cluster} is left behind`,
        ),
      };

const exposure: Rule = (before, after) => {
  if (before.host === after.host) return undefined;
  if (after.host === undefined) {
    return { kind: 'unexposed', text: `${title(after)} is no longer reachable at ${before.host}.` };
  }
  if (before.host === undefined) return exposed(after);
  return { kind: 'host-changed', text: `${title(after)} is exposed at ${after.host} and no longer at ${before.host}.` };
};

export function exposed(claim: ClaimFacts): Said | undefined {
  if (claim.host === undefined) return undefined;
  return {
    kind: 'exposed',
    text: `${title(claim)} is exposed at ${claim.host}.`,
    dangers: danger(
      'public-exposure',
      `public exposure: whoever reaches the ingress of ${claim.cluster} reaches its Service "http"`,
    ),
  };
}

const store: Rule = (before, after) =>
  before.backingStore === after.backingStore
    ? undefined
    : {
        kind: 'store-changed',
        text: `${title(after)} changes from ${storeNames[before.backingStore]} to ${storeNames[after.backingStore]}.`,
        dangers: danger('data-lost', 'data lost: the new store starts empty, nothing is copied'),
      };

/** A claim on an external database has no volume. */
const storage: Rule = (before, after) => {
  if (before.storage === after.storage || after.backingStore === 'externalDatabase') return undefined;
  const order = compareQuantities(after.storage, before.storage);
  if (order === 0) return undefined;
  const shrunk = order !== undefined && order < 0 ? danger('volume-shrunk', shrinks) : [];
  return {
    kind: 'storage-changed',
    text: `${title(after)} asks for a volume of ${after.storage} in place of ${before.storage}.`,
    dangers: [...shrunk, ...danger('immutable-field', fixedVolume)],
  };
};

const shrinks = 'PVC shrunk: no volume can be made smaller, and what is on it may not fit in a new one';
const fixedVolume =
  'immutable field: Kubernetes refuses another size in the volume claim template of a StatefulSet, so the applier will report an error';

const replicas: Rule = (before, after) =>
  before.replicas === after.replicas
    ? undefined
    : {
        kind: 'ha-changed',
        text: `${title(after)} has ${counted(after.replicas, 'control-plane replica')} in place of ${before.replicas}.`,
        ...(after.replicas < before.replicas && {
          dangers: danger('ha-reduced', 'HA reduced: fewer replicas survive the loss of a node'),
        }),
      };

const version: Rule = (before, after) =>
  before.version === after.version
    ? undefined
    : {
        kind: 'version-changed',
        text: `${title(after)} changes from version ${before.version} to ${after.version}.`,
        ...(isOlder(after.version, before.version) && {
          dangers: danger('downgrade', 'downgrade: an older control plane may not read what the newer one stored'),
        }),
      };

const protection: Rule = (before, after) => {
  if (before.protected === after.protected) return undefined;
  return after.protected
    ? { kind: 'protected', text: `${title(after)} is protected: it never expires and cannot be deleted.` }
    : {
        kind: 'unprotected',
        text: `${title(after)} is no longer protected.`,
        dangers: danger('protection-removed', 'it can expire and be deleted from now on'),
      };
};

const expiry: Rule = (before, after) => {
  const [was, is] = [expiryText(before), expiryText(after)];
  if (was === is) return undefined;
  const sooner = lifetime(after) < lifetime(before);
  return {
    kind: 'expiry-changed',
    text: `${title(after)} ${is}; before, it ${was}.`,
    ...(sooner && {
      dangers: danger(
        'expires-sooner',
        'its deletion can come sooner, though never without a warning that was delivered 7 days before',
      ),
    }),
  };
};

const owner: Rule = (before, after) => {
  const [was, is] = [before.owners.join(', '), after.owners.join(', ')];
  return was === is
    ? undefined
    : { kind: 'owner-changed', text: `${title(after)} belongs to ${is}; before, to ${was}.` };
};

const extension: Rule = (before, after) => {
  if (before.extendedUntil === after.extendedUntil) return undefined;
  const was = before.extendedUntil === undefined ? '' : ` (before, until ${before.extendedUntil})`;
  const text =
    after.extendedUntil === undefined
      ? `${title(after)} is no longer extended${was}.`
      : `${title(after)} is extended: it is not put to sleep before ${after.extendedUntil}${was}.`;
  // Written in UTC: what comes first as text comes first in time.
  const sooner = (after.extendedUntil ?? '') < (before.extendedUntil ?? '');
  return {
    kind: 'expiry-changed',
    text,
    ...(sooner && { dangers: danger('expires-sooner', 'it can be put to sleep, and then deleted, sooner') }),
  };
};

/** What a claim syncs from its host decides its ClusterRole. */
const hostAccess: Rule = (before, after) => {
  const [was, is] = [before.hostSync ?? [], after.hostSync ?? []];
  if (was.join() === is.join()) return undefined;
  const more = is.filter((path) => !was.includes(path));
  if (more.length > 0) return hostAccessOf(after, more);
  const less = was.filter((path) => !is.includes(path));
  return {
    kind: 'host-access-changed',
    text: `${title(after)} no longer reads from its host cluster: ${less.join(', ')}.`,
  };
};

export function hostAccessOf(claim: ClaimFacts, paths = claim.hostSync ?? []): Said | undefined {
  if (paths.length === 0) return undefined;
  return {
    kind: 'host-access-changed',
    text: `${title(claim)} gets access to its host cluster: ${paths.join(', ')}.`,
    dangers: danger('rbac-widened', 'RBAC widened: its control plane may read, or write, beyond its own namespace'),
  };
}

/** Every rule, in no particular order: the list is sorted afterwards. */
export const claimRules: readonly Rule[] = [
  state,
  cluster,
  exposure,
  store,
  storage,
  replicas,
  version,
  protection,
  expiry,
  extension,
  hostAccess,
  owner,
];

function expiryText({ expiry: rule }: ClaimFacts): string {
  if (rule === 'Never') return 'never expires';
  return `is put to sleep after ${durationText(rule.after)} and deleted ${durationText(rule.grace)} later`;
}

function lifetime({ expiry: rule }: ClaimFacts): number {
  return rule === 'Never' ? Number.POSITIVE_INFINITY : rule.after + rule.grace;
}
