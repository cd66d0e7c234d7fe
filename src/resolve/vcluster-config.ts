import type { BackingStore, Resources, Storage } from './state.ts';
import type { ResolveTools } from './tools.ts';

type Values = Readonly<Record<string, unknown>>;

/** What the built-in values depend on. Nothing of it is the claim's name or state: many claims share one text. */
export interface ConfigInput {
  readonly backingStore: BackingStore;
  readonly replicas: number;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly values?: Values;
}

/**
 * vCluster reads its whole configuration from this one text: it is strict about unknown keys and fills in no defaults
 * (what is absent is false or empty), so everything that shall be on is said, with keys that every version since 0.20
 * knows.
 */
function builtIn({ backingStore, replicas, resources, storage }: ConfigInput): Values {
  const on = { enabled: true };
  return {
    sync: {
      toHost: {
        services: on,
        endpoints: on,
        persistentVolumeClaims: on,
        configMaps: on,
        secrets: on,
        pods: { enabled: true, rewriteHosts },
      },
      fromHost: {
        events: on,
        csiDrivers: { enabled: 'auto' },
        csiNodes: { enabled: 'auto' },
        csiStorageCapacities: { enabled: 'auto' },
        storageClasses: { enabled: 'auto' },
      },
    },
    controlPlane: {
      distro: { k8s: { enabled: true, apiServer: on, controllerManager: on } },
      backingStore: storeValues(backingStore, replicas, storage),
      proxy: { bindAddress: '0.0.0.0', port: 8443 },
      coredns,
      service: { enabled: true, spec: { type: 'ClusterIP' } },
      statefulSet: {
        resources,
        highAvailability: { replicas, leaseDuration: 60, renewDeadline: 40, retryPeriod: 15 },
        persistence: { volumeClaim: { enabled: 'auto', retentionPolicy: 'Retain', ...volumeValues(storage) } },
      },
      advanced: { serviceAccount: on, workloadServiceAccount: on },
    },
    rbac: { role: on, clusterRole: { enabled: 'auto' } },
    networking: { advanced: { clusterDomain: 'cluster.local', proxyKubelets: { byHostname: true, byIP: true } } },
    experimental: { syncSettings: { setOwner: true } },
  };
}

/** Written as text, which versions from 0.27 on read beside the form that they prefer. */
const rewriteHosts = {
  enabled: true,
  initContainer: {
    image: 'library/alpine:3.20',
    resources: { limits: { cpu: '30m', memory: '64Mi' }, requests: { cpu: '30m', memory: '64Mi' } },
  },
};

const coredns = {
  enabled: true,
  service: { spec: { type: 'ClusterIP' } },
  deployment: {
    replicas: 1,
    resources: { limits: { cpu: '1000m', memory: '170Mi' }, requests: { cpu: '20m', memory: '64Mi' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { 'k8s-app': 'vcluster-kube-dns' } },
      },
    ],
  },
};

function storeValues(store: BackingStore, replicas: number, storage: Storage): Values {
  switch (store) {
    case 'embeddedDatabase':
      return { database: { embedded: { enabled: true } } };
    // Where it is comes from a Secret, at start: never through git.
    case 'externalDatabase':
      return { database: { external: { enabled: true } } };
    case 'embeddedEtcd':
      return { etcd: { embedded: { enabled: true } } };
    case 'deployedEtcd':
      return {
        etcd: { deploy: { enabled: true, statefulSet: etcdValues(replicas, storage), service: { enabled: true } } },
      };
  }
}

function etcdValues(replicas: number, storage: Storage): Values {
  return {
    enabled: true,
    highAvailability: { replicas },
    persistence: { volumeClaim: { enabled: true, retentionPolicy: 'Retain', ...volumeValues(storage) } },
  };
}

function volumeValues({ size, className }: Storage): Values {
  return { size, ...(className !== undefined && { storageClass: className }), accessModes: ['ReadWriteOnce'] };
}

/** Texts made before, by what they were made from: ten thousand claims have a few dozen configurations between them. */
const made = new WeakMap<ResolveTools, Map<string, string>>();

/** The whole vcluster.yaml: built-in values with the claim's own laid over. */
export function vclusterConfig(input: ConfigInput, tools: ResolveTools): string {
  const texts = made.get(tools) ?? new Map<string, string>();
  made.set(tools, texts);
  const key = JSON.stringify([input.backingStore, input.replicas, input.resources, input.storage, input.values]);
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = tools.stringify(overlay(builtIn(input), input.values ?? {}));
  texts.set(key, text);
  return text;
}

/** As Helm lays values over a chart's: maps are merged, everything else is replaced, and null removes. */
export function overlay(base: Values, over: Values): Values {
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = result.get(key);
    if (value === null) result.delete(key);
    else result.set(key, isMap(value) ? overlay(isMap(below) ? below : {}, value) : value);
  }
  return Object.fromEntries(result);
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
