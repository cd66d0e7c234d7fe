import { type Behaviour, podAnnotations } from './behaviour.ts';
import type { KubeObject } from './objects.ts';

/** What a test wants to say about a Pod; everything else is the plainest there is. */
interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly behaviour?: Behaviour;
  /** Durations as Go writes them. */
  readonly readyAfter?: string;
  readonly finishAfter?: string;
  readonly goneAfter?: string;
  readonly finalizers?: readonly string[];
  readonly graceSeconds?: number;
  /** More of the Pod's spec: `nodeName`, `priorityClassName`, `tolerations`, `volumes`. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Workload extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface WorkloadOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly replicas?: number;
  readonly pod?: PodOptions;
}

export function namespace(name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

export function pod({ name, namespace = 'default', pod = {} }: Omit<WorkloadOptions, 'replicas'>): Workload {
  const { metadata, spec } = podTemplate(name, pod);
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, ...metadata }, spec };
}

export function deployment(options: WorkloadOptions): Workload {
  return replicated('Deployment', options, {});
}

/** With `volume`, each replica has a PersistentVolumeClaim `data-NAME-ORDINAL`. */
export function statefulSet({ volume, ...options }: WorkloadOptions & { readonly volume?: string }): Workload {
  const claim = (storage: string) => ({
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  const claims = volume === undefined ? {} : { volumeClaimTemplates: [claim(volume)] };
  return replicated('StatefulSet', options, { serviceName: options.name, ...claims });
}

export function daemonSet({ name, namespace = 'default', pod = {} }: Omit<WorkloadOptions, 'replicas'>): Workload {
  const spec = { selector: { matchLabels: { app: name } }, template: podTemplate(name, pod) };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, namespace }, spec };
}

/** Not retried unless told: the first failure is the Job's. */
export function job({
  backoffLimit = 0,
  ...options
}: Omit<WorkloadOptions, 'replicas'> & { readonly backoffLimit?: number }): Workload {
  const { name, namespace = 'default', pod = {} } = options;
  const template = podTemplate(name, { ...pod, spec: { restartPolicy: 'Never', ...pod.spec } });
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace }, spec: { backoffLimit, template } };
}

export interface BudgetOptions {
  readonly name: string;
  readonly namespace?: string;
  /** Default: the Pods of the workload with the budget's own name. `{}` is every Pod of the namespace. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

export function podDisruptionBudget({
  name,
  namespace = 'default',
  matchLabels = { app: name },
  ...numbers
}: BudgetOptions): Workload {
  const spec = { selector: { matchLabels }, ...numbers };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace }, spec };
}

export function priorityClass(name: string, value: number): KubeObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

function replicated(
  kind: 'Deployment' | 'StatefulSet',
  options: WorkloadOptions,
  more: Readonly<Record<string, unknown>>,
): Workload {
  const { name, namespace = 'default', replicas = 1, pod = {} } = options;
  const spec = { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, pod), ...more };
  return { apiVersion: 'apps/v1', kind, metadata: { name, namespace }, spec };
}

function podTemplate(name: string, options: PodOptions) {
  const { behaviour, readyAfter, finishAfter, goneAfter, finalizers, graceSeconds = 30 } = options;
  const annotations = {
    ...options.annotations,
    ...(behaviour !== undefined && { [podAnnotations.behaviour]: behaviour }),
    ...(readyAfter !== undefined && { [podAnnotations.readyAfter]: readyAfter }),
    ...(finishAfter !== undefined && { [podAnnotations.finishAfter]: finishAfter }),
    ...(goneAfter !== undefined && { [podAnnotations.goneAfter]: goneAfter }),
  };
  const metadata = {
    labels: { app: name, ...options.labels },
    annotations,
    ...(finalizers !== undefined && { finalizers }),
  };
  const containers = [{ name: 'main', image: 'example.invalid/none:1' }];
  return { metadata, spec: { containers, terminationGracePeriodSeconds: graceSeconds, ...options.spec } };
}
