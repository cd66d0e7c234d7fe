import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { ClaimProps, ClaimShape, ClaimText } from './claim-props.ts';
import { chartLabels, podLabels } from './metadata.ts';
import { protectedAnnotations } from './protection.ts';
import { quantities } from './quantities.ts';
import { servicePorts } from './service-ports.ts';
import { scaleFor } from './sleep.ts';
import { DataStatefulSet, dataVolumeClaims } from './stateful-set.ts';
import { vclusterRelease } from './vcluster-release.ts';

const APP = 'vcluster-etcd';
const PKI = '/run/config/pki';

/** Services of an etcd beside the control plane. The headless one names members that are not ready yet to each other. */
export function addEtcdServices(scope: Construct, { shape, text }: ClaimProps): void {
  const ports = servicePorts({ etcd: [2379, 2379], peer: [2380, 2380] });
  const common = { selector: podLabels(text, APP), ports };
  new k8s.KubeService(scope, 'etcd-service', {
    metadata: etcdMetadata(`${text.name}-etcd`, shape, text),
    spec: { type: 'ClusterIP', ...common },
  });
  new k8s.KubeService(scope, 'etcd-headless-service', {
    metadata: etcdMetadata(`${text.name}-etcd-headless`, shape, text),
    spec: { clusterIp: 'None', publishNotReadyAddresses: true, ...common },
  });
}

/** As many members as the control plane has replicas. */
export function addEtcd(scope: Construct, { shape, text }: ClaimProps): void {
  const scale = scaleFor(shape.state, shape.replicas);
  const metadata = etcdMetadata(`${text.name}-etcd`, shape, text);
  new DataStatefulSet(scope, 'etcd', {
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...scale.annotations } },
    spec: {
      replicas: scale.replicas,
      // Members need a majority to become ready: started one after the other, the first would wait for ever.
      podManagementPolicy: 'Parallel',
      serviceName: `${text.name}-etcd-headless`,
      selector: { matchLabels: podLabels(text, APP) },
      template: { metadata: { labels: podLabels(text, APP) }, spec: etcdPod(shape, text) },
      ...dataVolumeClaims(shape.storage),
    },
  });
}

function etcdMetadata(name: string, shape: ClaimShape, text: ClaimText) {
  return { name, namespace: text.namespace, labels: chartLabels(shape, text, APP), annotations: protectedAnnotations };
}

/** The certificates are made by the control plane on its first start; until then the pods wait for the Secret. */
function etcdPod(shape: ClaimShape, text: ClaimText): k8s.PodSpec {
  return {
    terminationGracePeriodSeconds: 10,
    automountServiceAccountToken: false,
    serviceAccountName: `vc-${text.name}`,
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          apartFrom(text, 'kubernetes.io/hostname', 100),
          apartFrom(text, 'topology.kubernetes.io/zone', 50),
        ],
      },
    },
    containers: [
      {
        name: 'etcd',
        image: vclusterRelease(shape.version).etcd,
        command: etcdCommand(shape, text),
        env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        resources: { requests: quantities({ cpu: '20m', memory: '150Mi' }) },
        startupProbe: { httpGet: metricsGet('/readyz'), ...probeTimes, failureThreshold: 24 },
        livenessProbe: { httpGet: metricsGet('/livez'), ...probeTimes, failureThreshold: 8 },
        volumeMounts: [
          { name: 'data', mountPath: '/var/lib/etcd' },
          { name: 'certs', mountPath: PKI, readOnly: true },
        ],
      },
    ],
    volumes: [{ name: 'certs', secret: { secretName: `${text.name}-certs` } }],
  };
}

const probeTimes = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15, successThreshold: 1 };

/** Health is served in clear text beside the metrics, since the API wants a client certificate. */
function metricsGet(path: string): k8s.HttpGetAction {
  return { path, port: k8s.IntOrString.fromNumber(2381), scheme: 'HTTP' };
}

function apartFrom(text: ClaimText, topologyKey: string, weight: number): k8s.WeightedPodAffinityTerm {
  return { weight, podAffinityTerm: { topologyKey, labelSelector: { matchLabels: podLabels(text, APP) } } };
}

/** `$(NAME)` is filled in by the kubelet. An existing data directory overrides `initial-…`, so waking changes nothing. */
function etcdCommand(shape: ClaimShape, text: ClaimText): string[] {
  const domain = `${text.name}-etcd-headless.${text.namespace}`;
  const members = Array.from({ length: shape.replicas }, (_, ordinal) => `${text.name}-etcd-${ordinal}`);
  return [
    'etcd',
    '--name=$(NAME)',
    '--data-dir=/var/lib/etcd',
    '--snapshot-count=10000',
    `--initial-cluster=${members.map((member) => `${member}=https://${member}.${domain}:2380`).join(',')}`,
    `--initial-cluster-token=${text.name}`,
    '--initial-cluster-state=new',
    `--initial-advertise-peer-urls=https://$(NAME).${domain}:2380`,
    `--advertise-client-urls=https://$(NAME).${domain}:2379`,
    '--listen-client-urls=https://0.0.0.0:2379',
    '--listen-peer-urls=https://0.0.0.0:2380',
    '--listen-metrics-urls=http://0.0.0.0:2381',
    '--client-cert-auth=true',
    `--cert-file=${PKI}/etcd-server.crt`,
    `--key-file=${PKI}/etcd-server.key`,
    `--trusted-ca-file=${PKI}/etcd-ca.crt`,
    '--peer-client-cert-auth=true',
    `--peer-cert-file=${PKI}/etcd-peer.crt`,
    `--peer-key-file=${PKI}/etcd-peer.key`,
    `--peer-trusted-ca-file=${PKI}/etcd-ca.crt`,
  ];
}
