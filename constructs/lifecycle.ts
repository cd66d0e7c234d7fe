import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { HostCluster, Settings } from '../src/resolve/state.ts';
import { apiGroup, systemNamespace } from './api-group.ts';
import { programLabels } from './ownership.ts';
import {
  containerSecurity,
  environment,
  type Folder,
  gitEnvironment,
  gitFolders,
  imageOf,
  podSecurity,
  pullSecrets,
  secret,
  volumeMounts,
  volumes,
} from './program-pod.ts';
import { quantities } from './quantities.ts';

const LIFECYCLE = 'quiesce-lifecycle';
/** Name as in src/runner/unrecorded.ts. */
const UNRECORDED = 'quiesce-lifecycle-unrecorded';
const subject = { kind: 'ServiceAccount', name: LIFECYCLE, namespace: systemNamespace };

/** Kubeconfigs of the other host clusters, one key each, for the reports of their sidecars. It may be missing. */
const KUBECONFIGS = 'quiesce-kubeconfigs';

/** The runner that warns, puts to sleep and orders deletions by committing to `state/`: on the home cluster only. */
export function addLifecycle(scope: Construct, settings: Settings, cluster: HostCluster): void {
  const metadata = { name: LIFECYCLE, namespace: systemNamespace, labels: programLabels(LIFECYCLE) };
  new k8s.KubeServiceAccount(scope, 'account', { metadata, automountServiceAccountToken: false });
  addPermissions(scope);
  new k8s.KubeCronJob(scope, 'cron-job', {
    metadata,
    spec: {
      schedule: settings.lifecycle.schedule,
      timeZone: settings.lifecycle.timeZone,
      concurrencyPolicy: 'Forbid',
      // Without it, more than a hundred missed runs (a long downtime) stop the CronJob for good.
      startingDeadlineSeconds: 600,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 5,
      jobTemplate: {
        spec: {
          // The next run tries again. One at once would only send the same mails again while git cannot be written.
          backoffLimit: 0,
          // A run that hangs would forbid all later ones.
          activeDeadlineSeconds: 1800,
          template: { metadata: { labels: programLabels(LIFECYCLE) }, spec: pod(settings, cluster) },
        },
      },
    },
  });
}

/** What it does to the world is mail and git. Of the cluster it reads our resources, and publishes deadlines on them. */
function addPermissions(scope: Construct): void {
  const metadata = { name: LIFECYCLE, labels: programLabels(LIFECYCLE) };
  new k8s.KubeClusterRole(scope, 'role', {
    metadata,
    rules: [
      { apiGroups: [apiGroup], resources: ['vclusterclaims', 'installations'], verbs: ['get', 'list'] },
      { apiGroups: [apiGroup], resources: ['vclusterclaims/status'], verbs: ['patch'] },
    ],
  });
  new k8s.KubeClusterRoleBinding(scope, 'binding', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: LIFECYCLE },
    subjects: [subject],
  });
  addMemory(scope);
}

/** What was sent and is not on record yet: it makes one ConfigMap, whose name it cannot be held to before there is one. */
function addMemory(scope: Construct): void {
  const metadata = { name: LIFECYCLE, namespace: systemNamespace, labels: programLabels(LIFECYCLE) };
  const configMaps = { apiGroups: [''], resources: ['configmaps'] };
  new k8s.KubeRole(scope, 'memory-role', {
    metadata,
    rules: [
      { ...configMaps, verbs: ['create'] },
      { ...configMaps, verbs: ['get', 'patch', 'delete'], resourceNames: [UNRECORDED] },
    ],
  });
  new k8s.KubeRoleBinding(scope, 'memory-binding', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: LIFECYCLE },
    subjects: [subject],
  });
}

function pod(settings: Settings, cluster: HostCluster): k8s.PodSpec {
  const folders = foldersOf(settings);
  return {
    serviceAccountName: LIFECYCLE,
    automountServiceAccountToken: true,
    restartPolicy: 'Never',
    securityContext: podSecurity,
    ...(settings.images.pullSecrets.length > 0 && { imagePullSecrets: pullSecrets(settings.images) }),
    containers: [
      {
        name: 'lifecycle',
        ...imageOf(settings.images),
        command: ['quiesce'],
        args: ['lifecycle'],
        env: environment({ QUIESCE_CLUSTER: cluster.name, ...gitEnvironment(settings) }, folders),
        resources: {
          requests: quantities({ cpu: '100m', memory: '256Mi' }),
          limits: quantities({ memory: '512Mi' }),
        },
        securityContext: containerSecurity,
        volumeMounts: volumeMounts(folders),
      },
    ],
    volumes: volumes(folders),
  };
}

function foldersOf(settings: Settings): Folder[] {
  const { mail, keepalive, clusters } = settings;
  const smtp = mail?.credentialsSecret;
  return [
    ...gitFolders(settings),
    ...(smtp === undefined ? [] : [secret('smtp', smtp, 'QUIESCE_SMTP_CREDENTIALS')]),
    // It signs the links that the keep-alive page takes.
    ...(keepalive === undefined ? [] : [secret('keys', keepalive.keysSecret, 'QUIESCE_KEYS')]),
    ...(clusters.length > 1 ? [secret('kubeconfigs', KUBECONFIGS, 'QUIESCE_KUBECONFIGS', true)] : []),
  ];
}
