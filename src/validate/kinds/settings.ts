import * as z from 'zod';
import { type ChangeKind, changeWords } from '../../plan/change.ts';
import { type DangerKind, dangerWords } from '../../plan/danger.ts';
import { cronFault } from '../grammar/cron.ts';
import { holds } from '../grammar/holds.ts';
import { annotationsFaults } from '../grammar/labels.ts';
import { domainFault } from '../grammar/names.ts';
import { timeZoneFault } from '../grammar/time-zone.ts';
import { gitUrlFault, httpsUrlFault, originUrlFault } from '../grammar/url.ts';
import { vclusterVersionFault } from '../grammar/version.ts';
import { dnsLabel, duration, email, image, line, metadataWith, objectName, ourApiVersion } from './fields.ts';
import { backingStore, limits, quota, replicas, resources, storage } from './workload.ts';

const baseDomain = z.string().check(holds(domainFault));

const hostCluster = z.strictObject({
  name: dnsLabel.describe('Name of the cluster: the folder of `out/`, and what claims write in `spec.cluster`.'),
  server: z.string().check(holds(httpsUrlFault)).describe('Its API server, as the applier reaches it.'),
  applier: z.enum(['argocd', 'flux']).describe('What applies `out/<name>/` to it.'),
  applierNamespace: dnsLabel
    .describe("Namespace of the applier's own objects. Default: `argocd` or `flux-system`.")
    .optional(),
  kubeConfigSecret: objectName
    .describe("Flux on another cluster: Secret with a kubeconfig for this one, in the applier's namespace.")
    .optional(),
  configs: z
    .array(dnsLabel)
    .describe(
      'Names of the bare-metal `Cluster` documents whose nodes are in this cluster. Its own name always counts.',
    )
    .optional(),
  exposedAppsBaseDomain: z
    .union([z.literal('None'), baseDomain])
    .describe("Claims are exposed as `<claim>.<this domain>`. Default: the instance's; `None` exposes nothing here.")
    .optional(),
  home: z
    .boolean()
    .describe('True for the one cluster that runs the lifecycle CronJob and the keep-alive page.')
    .optional(),
});

const claimDefaults = z.strictObject({
  cluster: dnsLabel.describe('Host cluster of claims that name none. Default: the only one there is.').optional(),
  version: z
    .string()
    .check(holds(vclusterVersionFault))
    .describe(
      'vCluster version of claims that name none. There is no built-in one: upgrading Quiesce upgrades no claim.',
    ),
  backingStore: backingStore.describe('Default: embeddedDatabase.').optional(),
  replicas: replicas.describe('Control-plane replicas of claims that name none. Default: 1.').optional(),
  resources: resources.describe('Of one control-plane replica. Default: 200m CPU, 256Mi to 2Gi memory.').optional(),
  storage: storage.describe('Volume of one replica. Default: 5Gi of the default class.').optional(),
  quota: quota.describe("ResourceQuota for each claim's namespace. Default: none.").optional(),
  limits: limits.describe("LimitRange for each claim's namespace. Default: none.").optional(),
});

const expiry = z.strictObject({
  after: duration.describe('A claim is put to sleep this long after its last renewal. Default: 90d.').optional(),
  grace: duration.describe('Its deletion is ordered this long after that. Default: 60d.').optional(),
  warnBefore: duration
    .describe('Warnings are sent this long before each of the two. Default: 7d, and not less.')
    .optional(),
  maxExtension: duration
    .describe('How much longer than these defaults a claim may ask to live. Default: 180d.')
    .optional(),
});

const ingress = z.strictObject({
  className: objectName.describe("Ingress class. Default: the cluster's default one.").optional(),
  annotations: z
    .record(z.string(), z.string())
    .check(holds(annotationsFaults))
    .describe('Annotations on every Ingress, for example the certificate issuer.')
    .optional(),
  tls: z.boolean().describe('Serve https. Default: true when `tlsSecret` or an issuer annotation is set.').optional(),
  tlsSecret: objectName.describe('Secret with a wildcard certificate. Default: one certificate per claim.').optional(),
});

const mail = z.strictObject({
  from: email.describe('Sender of warnings.'),
  replyTo: email.describe('Where answers go. Default: the sender.').optional(),
  host: z.string().check(holds(domainFault)).describe('SMTP server.'),
  port: z.int().min(1).max(65_535).describe('Default: 587 for STARTTLS, 465 for TLS, 25 for None.').optional(),
  security: z.enum(['STARTTLS', 'TLS', 'None']).describe('Default: STARTTLS, which then is required.').optional(),
  credentialsSecret: objectName.describe('Secret with `username` and `password`.').optional(),
  language: z.enum(['en', 'de']).describe('Language of mails and of the page. Default: en.').optional(),
});

const keepalive = z.strictObject({
  url: z.string().check(holds(originUrlFault)).describe('Public URL of the keep-alive page.'),
  replicas: z.int().min(1).max(20).describe('Default: 2.').optional(),
  keysSecret: objectName.describe('Secret with the keys that sign links. Default: quiesce-keepalive-keys.').optional(),
  storage: storage
    .describe('Volume of one replica, for renewals while git cannot be reached. Default: 1Gi.')
    .optional(),
});

const gitTarget = z.strictObject({
  url: z.string().check(holds(gitUrlFault)).describe('Another repository for `out/`. Default: this one.').optional(),
  branch: line.describe('Another branch for `out/`. Default: the same.').optional(),
  path: line.describe('Folder for the output. Default: out.').optional(),
  push: z
    .enum(['direct', 'branch'])
    .describe('`direct` pushes to the branch; `branch` pushes `pullRequestBranch` for a pull request. Default: direct.')
    .optional(),
  pullRequestBranch: line.describe('Default: quiesce/out.').optional(),
});

const gitState = z.strictObject({
  push: z
    .enum(['direct', 'branch'])
    .describe('`direct` pushes to the branch; `branch` pushes `pullRequestBranch` for a pull request. Default: direct.')
    .optional(),
  pullRequestBranch: line.describe('Default: quiesce/state.').optional(),
});

const git = z.strictObject({
  url: z.string().check(holds(gitUrlFault)).describe('This repository, as appliers and the lifecycle runner reach it.'),
  branch: line.describe('Default: main.').optional(),
  credentialsSecret: objectName.describe("Secret with the lifecycle runner's credentials.").optional(),
  target: gitTarget.describe('Where `quiesce commit` puts the output. Default: here, in `out`.').optional(),
  state: gitState
    .describe('How lifecycle runner and keep-alive page write `state/`. Default: straight to the branch.')
    .optional(),
  author: z
    .strictObject({ name: line.describe('Name.'), email: email.describe('Address.') })
    .describe('Author of the commits made by Quiesce.'),
});

const images = z.strictObject({
  quiesce: image.describe('Image with sidecar, lifecycle runner and keep-alive page.'),
  pullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).describe('Default: IfNotPresent.').optional(),
  pullSecrets: z.array(objectName).describe('Pull secrets. Default: none.').optional(),
});

const maintenance = z.strictObject({
  taints: z
    .enum(['sidecar', 'applier'])
    .describe('Who writes maintenance taints: the sidecar adds and removes single ones; `applier` renders whole Nodes.')
    .optional(),
  cordon: z.boolean().describe('Cordon as well: only then maintenance stops the billing. Default: false.').optional(),
  maxConcurrent: z.int().min(0).max(10_000).describe('Nodes of a block at once; 0 for all. Default: 0.').optional(),
  csiPodNames: z.array(line).describe('Names of pods to treat as CSI drivers, besides those found.').optional(),
  strict: z.boolean().describe('A block that matches no declared node is an error. Default: false.').optional(),
  profile: z
    .enum(['1.29', '1.28'])
    .describe('How nodes are drained where the cluster config names no version. Default: 1.29.')
    .optional(),
});

const lifecycle = z.strictObject({
  schedule: z
    .string()
    .check(holds(cronFault))
    .describe('When the lifecycle runner looks. Default: 17 * * * *.')
    .optional(),
  timeZone: z.string().check(holds(timeZoneFault)).describe('Zone of that line. Default: Etc/UTC.').optional(),
});

const removal = z.strictObject({
  maxShare: z
    .number()
    .min(0)
    .max(1)
    .describe('Largest share of claims or objects one compile may drop. Default: 0.2.')
    .optional(),
  atLeast: z.int().min(0).describe('So many may always go. Default: 5.').optional(),
});

const deletion = z.strictObject({
  groups: z
    .union([z.literal('anyone'), z.array(line).min(1)])
    .describe('Who may delete a claim with kubectl: `anyone` whose RBAC allows it, or members of these groups.'),
});

const policyRule = z.strictObject({
  name: dnsLabel.describe(
    'What approves it: the trailer `Quiesce-Approve: <name>` of a commit, or the label `quiesce-approve/<name>`.',
  ),
  dangers: z
    .array(z.enum(Object.keys(dangerWords) as DangerKind[]))
    .min(1)
    .describe('It meets changes with one of these dangers. With neither these nor kinds of changes: every danger.')
    .optional(),
  changes: z
    .array(z.enum(Object.keys(changeWords) as ChangeKind[]))
    .min(1)
    .describe('It meets changes of one of these kinds, dangerous or not.')
    .optional(),
  clusters: z.array(dnsLabel).min(1).describe('Only on these host clusters. Default: on all of them.').optional(),
  labelOnly: z
    .boolean()
    .describe('A trailer does not do: whoever proposes a change can write one. Default: false.')
    .optional(),
});

const policy = z.strictObject({
  rules: z.array(policyRule).min(1).describe('Each names what somebody has to approve before it is merged.'),
});

const spec = z.strictObject({
  clusters: z.array(hostCluster).min(1).describe('Clusters that host claims and installations.'),
  exposedAppsBaseDomain: baseDomain.describe('Base domain of every host cluster that names none.').optional(),
  claims: claimDefaults.describe('What claims get that they do not ask for.'),
  expiry: expiry.describe('When claims are put to sleep and deleted.').optional(),
  ingress: ingress.describe('How exposed claims are served.').optional(),
  mail: mail.describe('How owners are warned. Without it nothing ever expires.').optional(),
  keepalive: keepalive.describe('The page that renews a claim.').optional(),
  git: git.describe('This repository and where the output goes.'),
  images: images.describe('Images of Quiesce itself.'),
  maintenance: maintenance.describe('Node maintenance.').optional(),
  lifecycle: lifecycle.describe('The lifecycle runner.').optional(),
  removal: removal.describe('Guard against mass removal.').optional(),
  deletion: deletion.describe('Deletion with kubectl.').optional(),
  policy: policy.describe('What `quiesce validate --policy` lets pass only with an approval.').optional(),
});

export const settingsSchema = z
  .strictObject({
    apiVersion: z.literal(ourApiVersion).describe('Always quiesce.dev/v1alpha1.'),
    kind: z.literal('Settings').describe('Always Settings.'),
    metadata: metadataWith(dnsLabel.describe("Name of the instance: prefix of the appliers' objects.")),
    spec,
  })
  .describe('Instance-wide settings of Quiesce: `state/settings.yaml`.');

export type SettingsDocument = z.infer<typeof settingsSchema>;
