import type { PolicyRule } from '../plan/policy.ts';
import type { WrittenSettings } from '../validate/written.ts';
import { durationOr, limitsOf, quantitiesOf, resourcesOf, storageOf } from './defaults.ts';
import type {
  ClaimDefaults,
  GitSettings,
  HostCluster,
  IngressSettings,
  KeepaliveSettings,
  MailSettings,
  MaintenanceSettings,
  Settings,
} from './state.ts';
import type { Resolved } from './tools.ts';

type Spec = WrittenSettings['spec'];

const builtInResources = { requests: { cpu: '200m', memory: '256Mi' }, limits: { memory: '2Gi' } };
const ports = { STARTTLS: 587, TLS: 465, None: 25 };

/** Fills in every default of the instance. The rules have spoken already: nothing can be wrong here. */
export function resolveSettings(written: WrittenSettings): Resolved<Settings> {
  const { spec, metadata, origin } = written;
  const { expiry = {}, lifecycle, removal, mail, keepalive } = spec;
  const value: Settings = {
    origin,
    name: metadata.name,
    clusters: spec.clusters.map((cluster) => hostCluster(cluster, spec)),
    claims: claimDefaults(spec.claims),
    expiry: {
      after: durationOr(expiry.after, '90d'),
      grace: durationOr(expiry.grace, '60d'),
      warnBefore: durationOr(expiry.warnBefore, '7d'),
      maxExtension: durationOr(expiry.maxExtension, '180d'),
    },
    ingress: ingress(spec.ingress),
    ...(mail !== undefined && { mail: mailSettings(mail) }),
    ...(keepalive !== undefined && { keepalive: keepaliveSettings(keepalive) }),
    git: git(spec.git),
    images: {
      quiesce: spec.images.quiesce,
      pullPolicy: spec.images.pullPolicy ?? 'IfNotPresent',
      pullSecrets: spec.images.pullSecrets ?? [],
    },
    maintenance: maintenance(spec.maintenance),
    lifecycle: { schedule: lifecycle?.schedule ?? '17 * * * *', timeZone: lifecycle?.timeZone ?? 'Etc/UTC' },
    removal: { maxShare: removal?.maxShare ?? 0.2, atLeast: removal?.atLeast ?? 5 },
    deletion: { groups: spec.deletion?.groups ?? 'anyone' },
    policy: { rules: (spec.policy?.rules ?? []).map(policyRule) },
  };
  return { value, findings: [] };
}

function policyRule(written: NonNullable<Spec['policy']>['rules'][number]): PolicyRule {
  const { name, dangers = [], changes = [], clusters = [], labelOnly = false } = written;
  return { name, dangers, changes, clusters, labelOnly };
}

function hostCluster(written: Spec['clusters'][number], spec: Spec): HostCluster {
  const { name, server, applier, kubeConfigSecret, configs = [] } = written;
  const domain = written.exposedAppsBaseDomain ?? spec.exposedAppsBaseDomain;
  return {
    name,
    server,
    ...(kubeConfigSecret !== undefined && { kubeConfigSecret }),
    applier,
    applierNamespace: written.applierNamespace ?? (applier === 'argocd' ? 'argocd' : 'flux-system'),
    configs: configs.includes(name) ? configs : [name, ...configs],
    ...(domain !== undefined && domain !== 'None' && { exposedAppsBaseDomain: domain }),
    home: written.home ?? spec.clusters.length === 1,
  };
}

function claimDefaults(written: Spec['claims']): ClaimDefaults {
  const backingStore = written.backingStore ?? 'embeddedDatabase';
  const quota = quantitiesOf(written.quota);
  const limits = limitsOf(written.limits);
  return {
    ...(written.cluster !== undefined && { cluster: written.cluster }),
    version: written.version,
    backingStore,
    replicas: written.replicas ?? 1,
    resources: written.resources === undefined ? builtInResources : resourcesOf(written.resources),
    storage: written.storage === undefined ? { size: '5Gi' } : storageOf(written.storage),
    ...(quota !== undefined && { quota }),
    ...(limits !== undefined && { limits }),
  };
}

function ingress(written: Spec['ingress']): IngressSettings {
  const { className, annotations = {}, tlsSecret } = written ?? {};
  const hasIssuer = Object.keys(annotations).some((key) => key.includes('issuer'));
  return {
    ...(className !== undefined && { className }),
    annotations,
    tls: written?.tls ?? (tlsSecret !== undefined || hasIssuer),
    ...(tlsSecret !== undefined && { tlsSecret }),
  };
}

function mailSettings(written: NonNullable<Spec['mail']>): MailSettings {
  const { from, replyTo, host, credentialsSecret, security = 'STARTTLS' } = written;
  return {
    from,
    ...(replyTo !== undefined && { replyTo }),
    host,
    port: written.port ?? ports[security],
    security,
    ...(credentialsSecret !== undefined && { credentialsSecret }),
    language: written.language ?? 'en',
  };
}

function keepaliveSettings(written: NonNullable<Spec['keepalive']>): KeepaliveSettings {
  const url = URL.canParse(written.url) ? new URL(written.url) : undefined;
  return {
    url: url?.origin ?? written.url,
    host: url?.hostname ?? '',
    replicas: written.replicas ?? 2,
    keysSecret: written.keysSecret ?? 'quiesce-keepalive-keys',
    storage: written.storage === undefined ? { size: '1Gi' } : storageOf(written.storage),
  };
}

function git({ url, branch, credentialsSecret, target, state, author }: Spec['git']): GitSettings {
  return {
    url,
    branch: branch ?? 'main',
    ...(credentialsSecret !== undefined && { credentialsSecret }),
    target: {
      ...(target?.url !== undefined && { url: target.url }),
      ...(target?.branch !== undefined && { branch: target.branch }),
      path: target?.path ?? 'out',
      push: target?.push ?? 'direct',
      pullRequestBranch: target?.pullRequestBranch ?? 'quiesce/out',
    },
    state: { push: state?.push ?? 'direct', pullRequestBranch: state?.pullRequestBranch ?? 'quiesce/state' },
    author,
  };
}

function maintenance(written: Spec['maintenance']): MaintenanceSettings {
  return {
    taints: written?.taints ?? 'sidecar',
    cordon: written?.cordon ?? false,
    maxConcurrent: written?.maxConcurrent ?? 0,
    csiPodNames: written?.csiPodNames ?? [],
    strict: written?.strict ?? false,
    profile: written?.profile ?? '1.29',
  };
}
