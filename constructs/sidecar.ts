import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { HostCluster, Settings } from '../src/resolve/state.ts';
import { systemNamespace } from './api-group.ts';
import { programLabels, programSelector } from './ownership.ts';
import {
  containerSecurity,
  environment,
  imageOf,
  podSecurity,
  probe,
  pullSecrets,
  scratch,
  volumeMounts,
  volumes,
} from './program-pod.ts';
import { protectedAnnotations } from './protection.ts';
import { quantities } from './quantities.ts';
import { servicePorts } from './service-ports.ts';
import { addSidecarPermissions, SIDECAR } from './sidecar-rbac.ts';

const PORT = 8080;

/** The program that puts nodes into maintenance, and what it needs: one for each host cluster. */
export function addSidecar(scope: Construct, settings: Settings, cluster: HostCluster): void {
  addSystemNamespace(scope);
  const metadata = { name: SIDECAR, namespace: systemNamespace, labels: programLabels(SIDECAR) };
  new k8s.KubeServiceAccount(scope, 'account', { metadata, automountServiceAccountToken: false });
  addSidecarPermissions(scope);
  addPriority(scope);
  new k8s.KubeDeployment(scope, 'deployment', {
    metadata,
    spec: {
      replicas: 2,
      revisionHistoryLimit: 3,
      selector: { matchLabels: programSelector(SIDECAR) },
      // One of the two may be away: a surge would need a third place, which a cluster in maintenance has not.
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: k8s.IntOrString.fromNumber(0), maxUnavailable: k8s.IntOrString.fromNumber(1) },
      },
      template: { metadata: { labels: programLabels(SIDECAR) }, spec: pod(settings, cluster) },
    },
  });
  new k8s.KubeService(scope, 'metrics', {
    metadata,
    spec: { selector: programSelector(SIDECAR), ports: servicePorts({ metrics: [PORT, PORT] }) },
  });
  // One of the two stays until the other runs elsewhere. A broken one must not hold up a drain.
  new k8s.KubePodDisruptionBudget(scope, 'budget', {
    metadata,
    spec: {
      minAvailable: k8s.IntOrString.fromNumber(1),
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: programSelector(SIDECAR) },
    },
  });
}

/** With its Secrets, which people put there: it must not be pruned. */
function addSystemNamespace(scope: Construct): void {
  new k8s.KubeNamespace(scope, 'namespace', {
    metadata: {
      name: systemNamespace,
      labels: { 'app.kubernetes.io/part-of': 'quiesce', 'pod-security.kubernetes.io/enforce': 'restricted' },
      annotations: protectedAnnotations,
    },
  });
}

/**
 * Evicted last, since stage 3 of a drain goes by this value, and placed first. Not `system-cluster-critical`: some
 * platforms allow that in chosen namespaces only.
 */
function addPriority(scope: Construct): void {
  new k8s.KubePriorityClass(scope, 'priority', {
    metadata: { name: SIDECAR, labels: programLabels(SIDECAR) },
    value: 1_000_000_000,
    globalDefault: false,
    description: 'For the program that takes nodes into maintenance and out again.',
  });
}

function pod(settings: Settings, cluster: HostCluster): k8s.PodSpec {
  const folders = [scratch('tmp', '/tmp', 'TMPDIR', '64Mi')];
  return {
    serviceAccountName: SIDECAR,
    automountServiceAccountToken: true,
    priorityClassName: SIDECAR,
    terminationGracePeriodSeconds: 30,
    securityContext: podSecurity,
    ...(settings.images.pullSecrets.length > 0 && { imagePullSecrets: pullSecrets(settings.images) }),
    ...placement(settings),
    containers: [
      {
        name: 'sidecar',
        ...imageOf(settings.images),
        command: ['quiesce'],
        args: ['sidecar'],
        env: [...environment({ QUIESCE_CLUSTER: cluster.name, QUIESCE_LISTEN: `:${PORT}` }, folders), ...downward()],
        ports: [{ name: 'metrics', containerPort: PORT, protocol: 'TCP' }],
        startupProbe: probe('/healthz', 'metrics', { periodSeconds: 2, failureThreshold: 30 }),
        livenessProbe: probe('/healthz', 'metrics', { periodSeconds: 10, failureThreshold: 3 }),
        readinessProbe: probe('/readyz', 'metrics', { periodSeconds: 5, failureThreshold: 3 }),
        resources: {
          requests: quantities({ cpu: '50m', memory: '128Mi' }),
          limits: quantities({ memory: '512Mi' }),
        },
        securityContext: containerSecurity,
        volumeMounts: volumeMounts(folders),
      },
    ],
    volumes: volumes(folders),
  };
}

function downward(): k8s.EnvVar[] {
  const fields = { POD_NAME: 'metadata.name', POD_NAMESPACE: 'metadata.namespace', NODE_NAME: 'spec.nodeName' };
  return Object.entries(fields).map(([name, fieldPath]) => ({ name, valueFrom: { fieldRef: { fieldPath } } }));
}

/**
 * It has to live through what it does, up to the maintenance of every node at once and the restart after it: if no
 * node took it, nobody could take the taints away again. So it tolerates them (the drain counts such pods out), and
 * prefers the control plane, which goes last and comes back first. Apart from each other, if there is room.
 */
function placement({
  maintenance,
}: Settings): Pick<k8s.PodSpec, 'affinity' | 'tolerations' | 'topologySpreadConstraints'> {
  const controlPlane = 'node-role.kubernetes.io/control-plane';
  const tolerated = [
    'baremetal.cluster.gke.io/maintenance',
    controlPlane,
    'node-role.kubernetes.io/master',
    ...(maintenance.cordon ? ['node.kubernetes.io/unschedulable'] : []),
  ];
  return {
    tolerations: tolerated.map((key) => ({ key, operator: 'Exists' })),
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, preference: { matchExpressions: [{ key: controlPlane, operator: 'Exists' }] } },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: programSelector(SIDECAR) },
      },
    ],
  };
}
