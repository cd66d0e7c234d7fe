import { at, type Finding } from '../validate/finding.ts';
import { nameBudgetFault } from '../validate/kinds/claim-name.ts';
import { namesOverLimit, overLimitFault, replicasFault } from '../validate/kinds/workload-rules.ts';
import { faultAt } from '../validate/rule.ts';
import type { WrittenClaim } from '../validate/written.ts';
import { resourcesOf, storageOf } from './defaults.ts';
import type { BackingStore, ClaimDefaults, Resources, Storage } from './state.ts';

interface Workload {
  readonly backingStore: BackingStore;
  readonly replicas: number;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly findings: readonly Finding[];
}

/** The control plane: what the claim asks for, over the settings' defaults, and whether the two fit together. */
export function resolveWorkload(written: WrittenClaim, defaults: ClaimDefaults): Workload {
  const { spec } = written;
  const backingStore = spec.backingStore ?? defaults.backingStore;
  // A default for other stores must not make a claim with an embedded database wrong that said nothing.
  const replicas = spec.replicas ?? (backingStore === 'embeddedDatabase' ? 1 : defaults.replicas);
  const resources = mergedResources(spec.resources, defaults.resources);
  const storage = spec.storage === undefined ? defaults.storage : { ...defaults.storage, ...storageOf(spec.storage) };
  return {
    backingStore,
    replicas,
    resources,
    storage,
    findings: [
      ...nameFindings(written, backingStore),
      ...replicaFindings(written, backingStore, replicas),
      ...secretFindings(written, backingStore),
      ...limitFindings(written, resources),
    ],
  };
}

/** Name by name, so that a claim that raises its memory keeps the default CPU. */
function mergedResources(written: WrittenClaim['spec']['resources'], defaults: Resources): Resources {
  if (written === undefined) return defaults;
  const own = resourcesOf(written);
  return { requests: { ...defaults.requests, ...own.requests }, limits: { ...defaults.limits, ...own.limits } };
}

/** The rules have looked at the store that is written; this is for one that comes from the settings. */
function nameFindings({ origin, spec, metadata }: WrittenClaim, store: BackingStore): Finding[] {
  const isKnown = spec.backingStore !== undefined || nameBudgetFault(metadata.name, 'embeddedDatabase') !== undefined;
  const fault = isKnown ? undefined : nameBudgetFault(metadata.name, store);
  return fault === undefined ? [] : [faultAt(fault, origin, ['metadata', 'name'])];
}

function replicaFindings({ origin, spec }: WrittenClaim, store: BackingStore, replicas: number): Finding[] {
  const fault = replicasFault(store, replicas);
  const field = spec.replicas === undefined ? 'backingStore' : 'replicas';
  return fault === undefined ? [] : [faultAt(fault, origin, ['spec', field])];
}

function secretFindings({ origin, spec }: WrittenClaim, store: BackingStore): Finding[] {
  const hasSecret = spec.externalDatabaseSecret !== undefined;
  if (store === 'externalDatabase' && !hasSecret) {
    const remedy = 'Name a Secret with the key "dataSource" in "spec.externalDatabaseSecret".';
    const place = at(origin, ['spec', 'backingStore'], spec.backingStore === undefined ? 'key' : 'value');
    return [
      {
        code: 'external-database-secret-missing',
        at: place,
        message: 'An external database needs a Secret with its address.',
        remedy,
      },
    ];
  }
  if (store === 'externalDatabase' || !hasSecret) return [];
  return [
    {
      code: 'external-database-secret-unused',
      at: at(origin, ['spec', 'externalDatabaseSecret'], 'key'),
      message: `The backing store is ${store}, which uses no external database.`,
      remedy: 'Write "backingStore: externalDatabase", or remove the Secret.',
    },
  ];
}

function limitFindings({ origin, spec }: WrittenClaim, { requests, limits }: Resources): Finding[] {
  if (spec.resources === undefined) return [];
  return namesOverLimit(requests, limits).map((name) => {
    const side = spec.resources?.requests?.[name] === undefined ? 'limits' : 'requests';
    return faultAt(overLimitFault(name, requests[name] ?? '', limits[name] ?? ''), origin, [
      'spec',
      'resources',
      side,
      name,
    ]);
  });
}
