import type { PolicyRule } from '../plan/policy.ts';
import type { Origin } from '../validate/finding.ts';

/** What people wrote, with every default filled in and every name worked out: the only input of `plan`. */

export interface Settings {
  readonly origin: Origin;
  /** DNS label; prefix of the appliers' objects. */
  readonly name: string;
  readonly clusters: readonly HostCluster[];
  readonly claims: ClaimDefaults;
  readonly expiry: ExpirySettings;
  readonly ingress: IngressSettings;
  readonly mail?: MailSettings;
  readonly keepalive?: KeepaliveSettings;
  readonly git: GitSettings;
  readonly images: ImageSettings;
  readonly maintenance: MaintenanceSettings;
  readonly lifecycle: { readonly schedule: string; readonly timeZone: string };
  readonly removal: { readonly maxShare: number; readonly atLeast: number };
  /** Who may delete a claim with kubectl: everybody whose RBAC allows it, or only these groups. */
  readonly deletion: { readonly groups: 'anyone' | readonly string[] };
  readonly policy: { readonly rules: readonly PolicyRule[] };
}

/** One cluster that an applier applies `out/<name>/` to. */
export interface HostCluster {
  readonly name: string;
  /** API server as the applier reaches it. */
  readonly server: string;
  /** For Flux on another cluster: name of the Secret with a kubeconfig. */
  readonly kubeConfigSecret?: string;
  readonly applier: 'argocd' | 'flux';
  /** Namespace of the applier's own objects: `argocd` or `flux-system`. */
  readonly applierNamespace: string;
  /** Names of bare-metal `Cluster` documents whose nodes are in this cluster; its own name always counts. */
  readonly configs: readonly string[];
  readonly exposedAppsBaseDomain?: string;
  /** True for the one cluster that runs the lifecycle CronJob and the keep-alive page. */
  readonly home: boolean;
}

export interface ClaimDefaults {
  /** Host cluster of claims that name none. */
  readonly cluster?: string;
  readonly version: string;
  readonly backingStore: BackingStore;
  readonly replicas: number;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly quota?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
}

export interface ExpirySettings {
  readonly after: Seconds;
  readonly grace: Seconds;
  readonly warnBefore: Seconds;
  /** Longest time by which an administrator may extend a claim. */
  readonly maxExtension: Seconds;
}

export interface IngressSettings {
  readonly className?: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly tls: boolean;
  /** Secret with a wildcard certificate; without it the issuer's annotation makes one per claim. */
  readonly tlsSecret?: string;
}

export interface MailSettings {
  readonly from: string;
  readonly replyTo?: string;
  readonly host: string;
  readonly port: number;
  readonly security: 'STARTTLS' | 'TLS' | 'None';
  /** Secret with `username` and `password`. */
  readonly credentialsSecret?: string;
  readonly language: 'en' | 'de';
}

export interface KeepaliveSettings {
  /** Public URL, e.g. `https://keepalive.example.edu`. */
  readonly url: string;
  readonly host: string;
  readonly replicas: number;
  /** Secret with the signing keys. */
  readonly keysSecret: string;
  /** Of one replica: what was asked of it while git could not be reached. */
  readonly storage: Storage;
}

export interface GitSettings {
  /** Where appliers and runner find this repository. */
  readonly url: string;
  readonly branch: string;
  /** Secret with credentials for the runner. */
  readonly credentialsSecret?: string;
  readonly target: GitTarget;
  /** How lifecycle runner and keep-alive page write `state/`: to the branch, or to one for a pull request. */
  readonly state: Pick<GitTarget, 'push' | 'pullRequestBranch'>;
  readonly author: { readonly name: string; readonly email: string };
}

/** Where `quiesce commit` puts `out/`. Undefined fields: this repository, its branch, `out`. */
export interface GitTarget {
  readonly url?: string;
  readonly branch?: string;
  readonly path: string;
  /** `direct`: push to the branch. `branch`: push `<pullRequestBranch>` for a pull request. */
  readonly push: 'direct' | 'branch';
  readonly pullRequestBranch: string;
}

export interface ImageSettings {
  /** One image holds all three programs. */
  readonly quiesce: string;
  readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  readonly pullSecrets: readonly string[];
}

export interface MaintenanceSettings {
  /** `sidecar`: no Node is rendered. `applier`: Node manifests own the whole taint list. */
  readonly taints: 'sidecar' | 'applier';
  readonly cordon: boolean;
  /** How many nodes of a block at once; 0 = all, as the source does. */
  readonly maxConcurrent: number;
  readonly csiPodNames: readonly string[];
  /** Selecting an address that no declared node has is an error. */
  readonly strict: boolean;
  /** Taints and the way out, by the version of GKE on bare metal. */
  readonly profile: '1.29' | '1.28';
}

export type Seconds = number;
export type BackingStore = 'embeddedDatabase' | 'embeddedEtcd' | 'deployedEtcd' | 'externalDatabase';
export type ClaimState = 'Running' | 'Sleeping' | 'Deleted';

export interface Resources {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}
export interface Storage {
  readonly size: string;
  readonly className?: string;
}
export interface Limits {
  readonly default: Readonly<Record<string, string>>;
  readonly defaultRequest: Readonly<Record<string, string>>;
}

export interface Owner {
  readonly name: string;
  readonly email: string;
  /** For dates in mails. */
  readonly timeZone?: string;
  /** Of mails and of the page. */
  readonly language?: 'en' | 'de';
}

export interface Claim {
  readonly origin: Origin;
  readonly name: string;
  /** `vcluster-<name>`. */
  readonly namespace: string;
  readonly cluster: string;
  readonly owners: readonly Owner[];
  readonly state: ClaimState;
  readonly version: string;
  /** Control-plane replicas while running: kept while asleep. */
  readonly replicas: number;
  readonly backingStore: BackingStore;
  readonly externalDatabaseSecret?: string;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly quota?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  /** Present when exposed. `service` is vCluster's translated name of `default/http`. */
  readonly exposure?: { readonly host: string; readonly service: string };
  /** The whole vcluster.yaml as text: built-in values with the claim's own laid over. */
  readonly config: string;
  /** The claim's own, as they are written; absent without any, and where a chart has its own. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What the claim asks for beyond its namespace (sync from host): decides the ClusterRole. */
  readonly hostSync: readonly string[];
  readonly expiry: { readonly after: Seconds; readonly grace: Seconds } | 'Never';
  /** RFC 3339. It is not put to sleep before this, within what the settings allow. */
  readonly extendedUntil?: string;
  readonly schedules: readonly { readonly sleep?: string; readonly wake?: string; readonly timeZone: string }[];
  readonly protected: boolean;
  /** Its volumes stay when it is deleted. */
  readonly keepData?: true;
  readonly chart?: HelmSource;
  /** Hash of what makes it the same claim under another name (owner and spec without state): finds renames. */
  readonly identity: string;
  /** As written in `metadata`: carried to the VClusterClaim resource. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** RFC 3339, from the annotation that an older system kept renewals in. */
  readonly renewedAt?: string;
}

export interface HelmSource {
  /** A path in this repository, `oci://…`, or a name in `repository`. */
  readonly chart: string;
  readonly repository?: string;
  readonly version?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** One `state/clusters/<name>.yaml`. */
export interface ClusterConfig {
  readonly origin: Origin;
  readonly name: string;
  /** Host cluster that its nodes are in. */
  readonly cluster: string;
  /** As written, in order: shown to people and in the resource. */
  readonly blocks: readonly string[];
  readonly nodes: readonly SelectedNode[];
  /** Selected addresses that no declared node has (`node` unknown to the file), e.g. single addresses. */
  readonly unmatched: readonly string[];
  readonly deadlineSeconds: Seconds;
  /** True also under profile 1.28, which knows no other way. */
  readonly ignorePdb: boolean;
  /** From the file's own `anthosBareMetalVersion`, else from the settings. */
  readonly profile: '1.29' | '1.28';
  /** Every declared node, for `taints: applier`. */
  readonly declared: readonly DeclaredNode[];
}

export interface Taint {
  readonly key: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly value?: string;
}
export interface DeclaredNode {
  readonly address: string;
  readonly pool: string;
  readonly role: 'control-plane' | 'load-balancer' | 'worker';
  /** Taints of its pool. */
  readonly taints: readonly Taint[];
}
export interface SelectedNode extends DeclaredNode {
  /** What maintenance adds, in order: NoSchedule first. */
  readonly maintenanceTaints: readonly Taint[];
}

export interface Installation {
  readonly origin: Origin;
  readonly name: string;
  readonly cluster: string;
  readonly state: 'Installed' | 'Deleted';
  readonly deletion: { readonly strategy: 'Ordered' | 'Quick'; readonly timeout: Seconds; readonly confirm: boolean };
  /** In the order written. */
  readonly components: readonly Component[];
}

export interface Component {
  readonly name: string;
  readonly namespace: string;
  readonly dependsOn: readonly string[];
  /** Length of the longest dependency chain below it: 0 for the first ones. Sync wave. */
  readonly wave: number;
  readonly source: { readonly kind: 'manifests'; readonly dir: string } | ({ readonly kind: 'helm' } & HelmSource);
  readonly deletion: ComponentDeletion;
}

export interface ComponentDeletion {
  readonly preDelete: readonly JobSpec[];
  readonly delete: readonly JobSpec[];
  readonly postDelete: readonly JobSpec[];
  readonly sweep: readonly {
    readonly apiGroups: readonly string[];
    readonly kinds: readonly string[];
    readonly selector: string;
  }[];
  readonly persistentVolumeClaims: 'Retain' | 'Delete';
  readonly namespace: 'DeleteWhenEmpty' | 'Keep';
}
export interface JobSpec {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly serviceAccount?: string;
  readonly timeout: Seconds;
}

export interface Shutdown {
  readonly origin: Origin;
  readonly cluster: string;
  readonly action: 'Shutdown' | 'Restart' | 'None';
  readonly backupAcknowledged: boolean;
  readonly powerHook?: JobSpec;
}

/** Instants are RFC 3339 in UTC, as written. */
export interface LifecycleRecord {
  readonly origin: Origin;
  readonly name: string;
  readonly identity?: string;
  readonly firstSeen?: string;
  readonly renewals: readonly RecordedRenewal[];
  readonly warnings: readonly DeliveredWarning[];
  /** Published deadlines: they only ever move later. */
  readonly deadlines?: { readonly sleep?: string; readonly delete?: string };
  /** Warnings and sleeps from before this are void. */
  readonly warnedAnewFrom?: string;
  readonly notices: readonly DeliveredNotice[];
  readonly rejections: readonly RejectedAddress[];
  /** When expiry put it to sleep, and the deadline that had passed then. */
  readonly asleep?: { readonly at: string; readonly deadline: string };
  /** The newest tick that was heeded. */
  readonly schedule?: { readonly tick: string; readonly does: 'Sleep' | 'Wake' };
  readonly deletion?: DeletionOrder;
  /** As the sidecar reports it; only phases that last. */
  readonly observed?: { readonly phase: string; readonly since: string; readonly reason?: string };
  readonly uninstalled?: { readonly at: string; readonly data: 'Deleted' | 'Kept' };
}
export interface RecordedRenewal {
  readonly at: string;
  readonly by?: string;
  /** The deadline that the link named. */
  readonly deadline?: string;
}
interface DeletionOrder {
  readonly at: string;
  readonly by: 'Expiry' | 'Kubectl' | 'Person';
  readonly deadline?: string;
  /** When it was seen that somebody had taken it back. */
  readonly withdrawnAt?: string;
}
export interface DeliveredNotice {
  readonly about: 'Asleep' | 'DeletionOrdered';
  /** When what it tells of had happened. */
  readonly at: string;
  readonly deliveredAt: string;
  readonly to: readonly string[];
}
interface RejectedAddress {
  readonly to: string;
  readonly at: string;
  readonly reply?: string;
}
export interface DeliveredWarning {
  readonly about: 'Sleep' | 'Deletion';
  /** The deadline that the mail named. */
  readonly deadline: string;
  readonly deliveredAt: string;
  readonly to: readonly string[];
}
