import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { IngressSettings, KeepaliveSettings, Settings } from '../src/resolve/state.ts';
import { systemNamespace } from './api-group.ts';
import { programLabels, programSelector } from './ownership.ts';
import {
  containerSecurity,
  environment,
  gitEnvironment,
  gitFolders,
  imageOf,
  podSecurity,
  probe,
  pullSecrets,
  secret,
  volumeMounts,
  volumes,
} from './program-pod.ts';
import { quantities } from './quantities.ts';
import { servicePorts } from './service-ports.ts';
import { DataStatefulSet, dataVolumeClaims } from './stateful-set.ts';

const KEEPALIVE = 'quiesce-keepalive';
const PAGE = 8080;
const METRICS = 9090;
const REQUESTS = '/var/lib/quiesce-requests';
/**
 * For a process that shall stay small. An arena for each thread (glibc) is made for programs that allocate from many, and
 * costs the page a tenth; room for young objects (V8), which it has few of, costs as much again while many press at once.
 */
export const smallMemory = { MALLOC_ARENA_MAX: '1', NODE_OPTIONS: '--max-semi-space-size=1' };

/** The page behind the link in the mails: open to everybody, so it has no access to the cluster at all. */
export function addKeepalive(scope: Construct, settings: Settings, keepalive: KeepaliveSettings): void {
  const metadata = { name: KEEPALIVE, namespace: systemNamespace, labels: programLabels(KEEPALIVE) };
  const selector = { matchLabels: programSelector(KEEPALIVE) };
  new k8s.KubeServiceAccount(scope, 'account', { metadata, automountServiceAccountToken: false });
  // Each replica has a volume: a renewal that was answered with "kept" must not go with its pod.
  new DataStatefulSet(scope, 'stateful-set', {
    metadata,
    spec: {
      serviceName: KEEPALIVE,
      replicas: keepalive.replicas,
      podManagementPolicy: 'Parallel',
      revisionHistoryLimit: 3,
      selector,
      ...dataVolumeClaims(keepalive.storage),
      template: { metadata: { labels: programLabels(KEEPALIVE) }, spec: pod(settings, keepalive) },
    },
  });
  new k8s.KubeService(scope, 'service', {
    metadata,
    spec: { selector: programSelector(KEEPALIVE), ports: servicePorts({ http: [80, PAGE] }) },
  });
  addIngress(scope, keepalive, settings.ingress);
  // Only the page and the metrics can be reached. What it reaches itself (git) is not known well enough to limit.
  new k8s.KubeNetworkPolicy(scope, 'network-policy', {
    metadata,
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [PAGE, METRICS].map((port) => ({ port: k8s.IntOrString.fromNumber(port), protocol: 'TCP' })) },
      ],
    },
  });
  // With a single replica a budget would only hold up drains.
  if (keepalive.replicas > 1) {
    new k8s.KubePodDisruptionBudget(scope, 'budget', {
      metadata,
      spec: { maxUnavailable: k8s.IntOrString.fromNumber(1), unhealthyPodEvictionPolicy: 'AlwaysAllow', selector },
    });
  }
}

function addIngress(scope: Construct, { host, url }: KeepaliveSettings, ingress: IngressSettings): void {
  const { className, annotations, tls, tlsSecret } = ingress;
  const path = new URL(url).pathname.replace(/(?<=.)\/$/, '');
  const backend = { service: { name: KEEPALIVE, port: { name: 'http' } } };
  new k8s.KubeIngress(scope, 'ingress', {
    metadata: { name: KEEPALIVE, namespace: systemNamespace, labels: programLabels(KEEPALIVE), annotations },
    spec: {
      ...(className !== undefined && { ingressClassName: className }),
      rules: [{ host, http: { paths: [{ path, pathType: 'Prefix', backend }] } }],
      ...(tls && { tls: [{ hosts: [host], secretName: tlsSecret ?? `${KEEPALIVE}-tls` }] }),
    },
  });
}

function pod(settings: Settings, keepalive: KeepaliveSettings): k8s.PodSpec {
  const folders = [...gitFolders(settings), secret('keys', keepalive.keysSecret, 'QUIESCE_KEYS')];
  const listen = { QUIESCE_LISTEN: `:${PAGE}`, QUIESCE_METRICS_LISTEN: `:${METRICS}`, QUIESCE_URL: keepalive.url };
  return {
    serviceAccountName: KEEPALIVE,
    automountServiceAccountToken: false,
    securityContext: podSecurity,
    ...(settings.images.pullSecrets.length > 0 && { imagePullSecrets: pullSecrets(settings.images) }),
    containers: [
      {
        name: 'keepalive',
        ...imageOf(settings.images),
        command: ['quiesce'],
        args: ['keepalive'],
        env: environment(
          { ...listen, ...gitEnvironment(settings), QUIESCE_REQUESTS: REQUESTS, ...smallMemory },
          folders,
        ),
        ports: [
          { name: 'http', containerPort: PAGE, protocol: 'TCP' },
          { name: 'metrics', containerPort: METRICS, protocol: 'TCP' },
        ],
        livenessProbe: probe('/healthz', 'metrics', { periodSeconds: 10, failureThreshold: 3 }),
        readinessProbe: probe('/readyz', 'metrics', { periodSeconds: 5, failureThreshold: 3 }),
        resources: {
          requests: quantities({ cpu: '50m', memory: '64Mi' }),
          limits: quantities({ memory: '256Mi' }),
        },
        securityContext: containerSecurity,
        volumeMounts: [...volumeMounts(folders), { name: 'data', mountPath: REQUESTS }],
      },
    ],
    volumes: volumes(folders),
  };
}
