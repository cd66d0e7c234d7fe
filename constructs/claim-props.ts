import type {
  BackingStore,
  Claim,
  ClaimState,
  IngressSettings,
  Limits,
  Resources,
  Settings,
  Storage,
} from '../src/resolve/state.ts';
import { protectedAnnotations } from './protection.ts';

/**
 * A claim, split for rendering by example: thousands of claims share a few shapes, so each shape is built once with
 * placeholders for `text` and filled in per claim. The constructs may branch on `shape`, but only *place* what is in
 * `text`, alone or in a template literal: never measure, cut, hash, compare, or use it as a key. Every string that
 * needs more than placing is made here.
 */
export interface ClaimProps {
  readonly shape: ClaimShape;
  readonly text: ClaimText;
}

/** Plain JSON, everything that decides structure, and strings that repeat between claims. */
export interface ClaimShape {
  readonly state: ClaimState;
  readonly cluster: string;
  /** As the image is tagged: without a leading `v`. */
  readonly version: string;
  /** Control-plane replicas while running. */
  readonly replicas: number;
  readonly backingStore: BackingStore;
  readonly externalDatabase: boolean;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly quota?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  /** Present when exposed. */
  readonly ingress?: IngressSettings;
  readonly hostSync: readonly string[];
  readonly owners: number;
  readonly expiry: Claim['expiry'];
  readonly schedules: Claim['schedules'];
  readonly protected: boolean;
  readonly keepData?: true;
  /** Keys of what people wrote in `metadata`, sorted; the values are in the text. */
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/** What differs from claim to claim. Fields that a shape does not use are empty. */
export type ClaimText = {
  readonly name: string;
  readonly namespace: string;
  /** Of its cluster-wide role, in a budget of 63 characters. */
  readonly clusterRole: string;
  /** vcluster.yaml in base64. */
  readonly config: string;
  /** Changes with the configuration, so that the pods are replaced with it. */
  readonly configHash: string;
  readonly externalDatabaseSecret: string;
  readonly host: string;
  readonly service: string;
} & { readonly [numbered in `${'owner' | 'email' | 'label' | 'annotation'}${number}`]: string };

export function claimProps(claim: Claim, settings: Settings, hash: (text: string) => string): ClaimProps {
  return { shape: claimShape(claim, settings), text: claimText(claim, hash) };
}

function claimShape(claim: Claim, settings: Settings): ClaimShape {
  return {
    state: claim.state,
    cluster: claim.cluster,
    version: claim.version.replace(/^v/, ''),
    replicas: claim.replicas,
    backingStore: claim.backingStore,
    externalDatabase: claim.externalDatabaseSecret !== undefined,
    resources: claim.resources,
    storage: claim.storage,
    ...(claim.quota !== undefined && { quota: claim.quota }),
    ...(claim.limits !== undefined && { limits: claim.limits }),
    ...(claim.exposure !== undefined && { ingress: settings.ingress }),
    hostSync: claim.hostSync,
    owners: claim.owners.length,
    expiry: claim.expiry,
    schedules: claim.schedules,
    protected: claim.protected,
    ...(claim.keepData === true && { keepData: true }),
    labels: keysOf(claim.labels),
    annotations: keysOf(claim.annotations),
  };
}

function claimText(claim: Claim, hash: (text: string) => string): ClaimText {
  return {
    name: claim.name,
    namespace: claim.namespace,
    clusterRole: withinBudget(`vc-${claim.name}-v-${claim.namespace}`, hash),
    config: Buffer.from(claim.config, 'utf8').toString('base64'),
    configHash: hash(claim.config),
    externalDatabaseSecret: claim.externalDatabaseSecret ?? '',
    host: claim.exposure?.host ?? '',
    service: claim.exposure?.service ?? '',
    ...numbered(
      'owner',
      claim.owners.map(({ name }) => name),
    ),
    ...numbered(
      'email',
      claim.owners.map(({ email }) => email),
    ),
    ...numbered(
      'label',
      keysOf(claim.labels).map((key) => claim.labels?.[key] ?? ''),
    ),
    ...numbered(
      'annotation',
      keysOf(claim.annotations).map((key) => claim.annotations?.[key] ?? ''),
    ),
  };
}

function numbered(
  field: 'owner' | 'email' | 'label' | 'annotation',
  values: readonly string[],
): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [`${field}${index}`, value]));
}

/** Whether the resource is protected follows from the claim's state, so people cannot say so beside it. */
function keysOf(metadata: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(metadata)
    .filter((key) => !Object.hasOwn(protectedAnnotations, key))
    .sort();
}

/**
 * A name of at most 63 characters. vCluster's chart cuts this one without a hash, and `vc-<name>-v-vcluster-<name>`
 * of two claims that differ at the end then is one ClusterRole; so a long name ends in ten digits of its hash instead.
 */
function withinBudget(name: string, hash: (text: string) => string): string {
  return name.length <= 63 ? name : `${name.slice(0, 52)}-${hash(name).slice(0, 10)}`;
}
