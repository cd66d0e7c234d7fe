import { App, Chart } from 'cdk8s';
import type { LoadedComponents } from '../../constructs/installation.ts';
import { contentObjects, type OtherContent } from '../../constructs/objects.ts';
import type { PlainObject } from '../../constructs/plain-object.ts';
import type {
  ClusterConfig,
  Component,
  DeclaredNode,
  HostCluster,
  Installation,
  SelectedNode,
  Settings,
  Shutdown,
} from '../../src/resolve/state.ts';

const origin = { file: 'state/settings.yaml', document: 0 };

export const lab: HostCluster = {
  name: 'lab',
  server: 'https://kubernetes.default.svc',
  applier: 'argocd',
  applierNamespace: 'argocd',
  configs: ['lab'],
  exposedAppsBaseDomain: 'apps.example.edu',
  home: true,
};

/** Another cluster, which the Flux of the first one applies to. */
export const edge: HostCluster = {
  name: 'edge',
  server: 'https://edge.example.edu:6443',
  kubeConfigSecret: 'edge-kubeconfig',
  applier: 'flux',
  applierNamespace: 'flux-system',
  configs: ['edge'],
  home: false,
};

export const settings: Settings = {
  origin,
  name: 'campus',
  clusters: [lab, edge],
  claims: {
    version: '0.30.1',
    backingStore: 'embeddedDatabase',
    replicas: 1,
    resources: { requests: {}, limits: {} },
    storage: { size: '5Gi' },
  },
  expiry: { after: 7_776_000, grace: 5_184_000, warnBefore: 604_800, maxExtension: 31_536_000 },
  ingress: { className: 'nginx', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' }, tls: true },
  mail: {
    from: 'platform@example.edu',
    host: 'smtp.example.edu',
    port: 587,
    security: 'STARTTLS',
    credentialsSecret: 'smtp-credentials',
    language: 'en',
  },
  keepalive: {
    url: 'https://keepalive.example.edu',
    host: 'keepalive.example.edu',
    replicas: 2,
    keysSecret: 'keepalive-keys',
    storage: { size: '1Gi', className: 'fast' },
  },
  git: {
    url: 'https://git.example.edu/platform/clusters.git',
    branch: 'main',
    credentialsSecret: 'git-credentials',
    target: { path: 'out', push: 'direct', pullRequestBranch: 'quiesce' },
    state: { push: 'direct', pullRequestBranch: 'quiesce/state' },
    author: { name: 'Quiesce', email: 'quiesce@example.edu' },
  },
  images: { quiesce: 'registry.example.edu/quiesce:0.1.0', pullPolicy: 'IfNotPresent', pullSecrets: ['registry'] },
  maintenance: {
    taints: 'sidecar',
    cordon: false,
    maxConcurrent: 0,
    csiPodNames: ['weird-csi'],
    strict: false,
    profile: '1.29',
  },
  lifecycle: { schedule: '*/15 * * * *', timeZone: 'Europe/Berlin' },
  removal: { maxShare: 0.2, atLeast: 5 },
  deletion: { groups: ['ops', 'platform "core"'] },
  policy: { rules: [] },
};

const KEY = 'baremetal.cluster.gke.io/maintenance';
const maintenanceTaints: SelectedNode['maintenanceTaints'] = [
  { key: KEY, effect: 'NoSchedule' },
  { key: KEY, effect: 'NoExecute' },
];
const gpu = { key: 'gpu', value: 'a100', effect: 'NoSchedule' } as const;

export const declared: readonly DeclaredNode[] = [
  { address: '10.0.0.1', pool: 'control-plane', role: 'control-plane', taints: [] },
  { address: '10.0.0.5', pool: 'lb', role: 'load-balancer', taints: [] },
  { address: '10.0.0.11', pool: 'gpu', role: 'worker', taints: [gpu] },
  { address: '10.0.0.12', pool: 'plain', role: 'worker', taints: [] },
  { address: 'fd00::12', pool: 'plain', role: 'worker', taints: [] },
];

export const config: ClusterConfig = {
  origin,
  name: 'lab',
  cluster: 'lab',
  blocks: ['10.0.0.10-10.0.0.11', 'fd00::/64', '10.0.0.99'],
  nodes: declared.filter(({ address }) => ['10.0.0.11', 'fd00::12'].includes(address)).map(withMaintenance),
  unmatched: ['10.0.0.99'],
  deadlineSeconds: 1200,
  ignorePdb: false,
  profile: '1.29',
  declared,
};

function withMaintenance(node: DeclaredNode): SelectedNode {
  return { ...node, maintenanceTaints };
}

export function componentWith(changes: Partial<Component> & { readonly name: string }): Component {
  return {
    namespace: 'monitoring',
    dependsOn: [],
    wave: 0,
    source: { kind: 'manifests', dir: `state/manifests/${changes.name}` },
    deletion: {
      preDelete: [],
      delete: [],
      postDelete: [],
      sweep: [],
      persistentVolumeClaims: 'Retain',
      namespace: 'DeleteWhenEmpty',
    },
    ...changes,
  };
}

const operator = componentWith({
  name: 'operator',
  deletion: {
    preDelete: [
      { name: 'drain', image: 'busybox', command: ['sh', '-c', 'true'], serviceAccount: 'drainer', timeout: 60 },
    ],
    delete: [],
    postDelete: [],
    sweep: [{ apiGroups: ['monitoring.example.com'], kinds: ['Probe'], selector: 'made-by=operator' }],
    persistentVolumeClaims: 'Delete',
    namespace: 'Keep',
  },
});
const chart = componentWith({
  name: 'dashboards',
  dependsOn: ['operator'],
  wave: 1,
  source: { kind: 'helm', chart: 'grafana', repository: 'https://charts.example.edu', version: '8.0.0', values: {} },
});

export function installationWith(
  components: readonly Component[],
  state: Installation['state'] = 'Installed',
): Installation {
  return {
    origin,
    name: 'monitoring',
    cluster: 'lab',
    state,
    deletion: { strategy: 'Ordered', timeout: 1800, confirm: false },
    components,
  };
}

export const monitoring = installationWith([operator, chart]);

export const shutdown: Shutdown = {
  origin,
  cluster: 'lab',
  action: 'Shutdown',
  backupAcknowledged: true,
  powerHook: { name: 'power', image: 'ipmi', command: [], timeout: 120 },
};

interface Options {
  readonly settings?: Settings;
  readonly loaded?: readonly PlainObject[];
  readonly components?: LoadedComponents;
}

/** The objects of a unit, as they are written. */
export function objectsOf(content: OtherContent, options: Options = {}): PlainObject[] {
  const unit = new Chart(new App(), 'unit', { disableResourceNameHashes: true });
  const context = { settings: options.settings ?? settings, version: '0.1.0' };
  contentObjects(unit, content, context, options.loaded ?? [], options.components);
  return unit.toJson() as PlainObject[];
}

export function bootstrap(
  cluster: HostCluster,
  changes: { readonly claims?: readonly string[]; readonly configs?: readonly string[] } = {},
) {
  const components = monitoring.components.map(({ name, dependsOn }) => ({ name, dependsOn }));
  const content = {
    kind: 'bootstrap',
    cluster,
    claims: ['ada'],
    configs: ['metal'],
    installations: [{ name: 'monitoring', components }],
  } as const;
  return { ...content, ...changes };
}
