import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { ClaimProps, ClaimShape, ClaimText } from './claim-props.ts';
import { podLabels } from './metadata.ts';
import { quantities, resourceRequirements } from './quantities.ts';
import { vclusterRelease } from './vcluster-release.ts';

const API_PORT = 8443;

/** The same for a running and a sleeping claim: anything here that knew the state would replace the pods. */
export function controlPlanePod({ shape, text }: ClaimProps): k8s.PodTemplateSpec {
  return {
    metadata: { labels: podLabels(text), annotations: { vClusterConfigHash: text.configHash } },
    spec: {
      terminationGracePeriodSeconds: 15,
      serviceAccountName: `vc-${text.name}`,
      initContainers: [kubernetesBinaries(shape)],
      containers: [syncer(shape, text)],
      volumes: volumes(shape, text),
    },
  };
}

function kubernetesBinaries(shape: ClaimShape): k8s.Container {
  return {
    name: 'kubernetes',
    image: vclusterRelease(shape.version).kubernetes,
    command: ['cp'],
    args: ['-r', '/kubernetes/.', '/binaries/'],
    resources: {
      requests: quantities({ cpu: '40m', memory: '64Mi' }),
      limits: quantities({ cpu: '100m', memory: '256Mi' }),
    },
    volumeMounts: [{ name: 'binaries', mountPath: '/binaries' }],
  };
}

/** No command: the image starts vCluster by itself. */
function syncer(shape: ClaimShape, text: ClaimText): k8s.Container {
  return {
    name: 'syncer',
    image: vclusterRelease(shape.version).controlPlane,
    ...(shape.externalDatabase && { args: ['--set', `${DATA_SOURCE}=$(DATA_SOURCE)`] }),
    env: environment(shape, text),
    // Asked often and forgiven long: pods start in seconds, and a control plane is not killed for a slow database.
    startupProbe: { httpGet: httpsGet('/readyz'), periodSeconds: 6, timeoutSeconds: 3, failureThreshold: 300 },
    readinessProbe: { httpGet: httpsGet('/readyz'), periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 60 },
    livenessProbe: {
      httpGet: httpsGet('/healthz'),
      initialDelaySeconds: 60,
      periodSeconds: 2,
      timeoutSeconds: 3,
      failureThreshold: 60,
    },
    resources: resourceRequirements(shape.resources),
    securityContext: { allowPrivilegeEscalation: false, runAsUser: 0, runAsGroup: 0 },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'binaries', mountPath: '/binaries' },
      { name: 'certs', mountPath: '/pki' },
      { name: 'helm-cache', mountPath: '/.cache/helm' },
      { name: 'vcluster-config', mountPath: '/var/lib/vcluster' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

function httpsGet(path: string): k8s.HttpGetAction {
  return { path, port: k8s.IntOrString.fromNumber(API_PORT), scheme: 'HTTPS' };
}

/**
 * vCluster takes a database's address from its configuration only, and that is in git in clear text. So the Secret's
 * key `dataSource` goes into the environment, and from there, by the kubelet, into an argument that sets the value.
 * A comma in it has to be written `\,` (the argument is read as Helm reads `--set`).
 */
const DATA_SOURCE = 'controlPlane.backingStore.database.external.dataSource';

function environment(shape: ClaimShape, text: ClaimText): k8s.EnvVar[] {
  const secret = { name: text.externalDatabaseSecret, key: 'dataSource' };
  return [
    { name: 'VCLUSTER_NAME', value: text.name },
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'NODE_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
    ...(shape.externalDatabase ? [{ name: 'DATA_SOURCE', valueFrom: { secretKeyRef: secret } }] : []),
  ];
}

/** A control plane that keeps its data elsewhere (see `hasOwnData`) has a scratch volume in place of a claim. */
function volumes(shape: ClaimShape, text: ClaimText): k8s.Volume[] {
  const scratch = ['helm-cache', 'binaries', 'tmp', 'certs', ...(hasOwnData(shape) ? [] : ['data'])];
  return [
    ...scratch.map((name) => ({ name, emptyDir: {} })),
    { name: 'vcluster-config', secret: { secretName: `vc-config-${text.name}` } },
  ];
}

/** Whether the control plane holds the virtual cluster's data itself, and so is a StatefulSet. */
export function hasOwnData(shape: ClaimShape): boolean {
  return shape.backingStore === 'embeddedDatabase' || shape.backingStore === 'embeddedEtcd';
}
