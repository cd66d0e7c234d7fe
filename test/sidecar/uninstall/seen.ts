import { decideUninstall } from '../../../src/sidecar/uninstall/decide.ts';
import type { UninstallDecision } from '../../../src/sidecar/uninstall/decision.ts';
import type { NamespaceContent, SeenObject, UninstallObservation } from '../../../src/sidecar/uninstall/observation.ts';
import type { Hook, ObjectId, PlannedComponent, UninstallPlan } from '../../../src/sidecar/uninstall/plan.ts';
import { tellAction } from '../../../src/sidecar/uninstall/words.ts';

/** 2026-03-02T09:00:00Z */
export const now = 1_772_442_000_000;

export const labelsOf = (component: string, installation = 'shop') => ({
  'quiesce.dev/installation': installation,
  'quiesce.dev/component': component,
});

export function component(name: string, differs: Partial<PlannedComponent> = {}): PlannedComponent {
  return {
    name,
    after: [],
    namespace: 'shop',
    own: [{ labels: labelsOf(name) }],
    named: [],
    listed: [],
    keep: { listed: [], own: [] },
    sweeps: [],
    volumeClaims: [],
    persistentVolumeClaims: 'Retain',
    namespaces: 'DeleteWhenEmpty',
    hooks: { preDelete: [], delete: [], postDelete: [] },
    ...differs,
  };
}

export function plan(components: readonly PlannedComponent[], differs: Partial<UninstallPlan> = {}): UninstallPlan {
  return {
    subject: { kind: 'Installation', name: 'shop', uid: 'shop-uid' },
    run: 'run-1',
    strategy: 'Ordered',
    confirmed: true,
    timeoutSeconds: 3600,
    generation: 1,
    parallel: 4,
    components,
    ...differs,
  };
}

export const hook = (name: string, differs: Partial<Hook> = {}): Hook => ({
  name,
  image: 'registry.example.edu/hook:1',
  command: [],
  timeoutSeconds: 60,
  ...differs,
});

/** `Deployment shop/front`, `CustomResourceDefinition widgets.shop.example.edu`: of component `front` unless said. */
export function seen(text: string, differs: Partial<SeenObject> = {}): SeenObject {
  const { apiVersion, kind, namespace, name } = idFrom(text);
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    uid: text,
    resourceVersion: '1',
    createdAt: now - 3_600_000,
    labels: labelsOf('front'),
    finalizers: [],
    owners: [],
    rendered: true,
    ...differs,
  };
}

const versions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
  MutatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
  APIService: 'apiregistration.k8s.io/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  Lease: 'coordination.k8s.io/v1',
  VolumeSnapshot: 'snapshot.storage.k8s.io/v1',
  Widget: 'shop.example.edu/v1',
  VClusterClaim: 'quiesce.dev/v1alpha1',
};

export function idFrom(text: string): ObjectId {
  const [kind = '', place = ''] = text.split(' ');
  const [first = '', second] = place.split('/');
  const apiVersion = versions[kind] ?? 'v1';
  return { apiVersion, kind, ...(second !== undefined && { namespace: first }), name: second ?? first };
}

export function observation(
  objects: readonly SeenObject[],
  differs: Partial<UninstallObservation> = {},
): UninstallObservation {
  return {
    at: now,
    shown: undefined,
    unserved: [],
    depth: 'full',
    names: false,
    objects,
    unread: [],
    contents: [],
    instances: [],
    jobs: [],
    releases: [],
    refusals: {},
    deletions: {},
    ...differs,
  };
}

/** The same content, seen twice far enough apart. */
export function contents(namespace: string, objects: readonly SeenObject[], unread: NamespaceContent['unread'] = []) {
  return [
    { namespace, at: now - 2000, objects, unread },
    { namespace, at: now, objects, unread },
  ];
}

export function decided(decision: Pick<UninstallDecision, 'actions' | 'blockers' | 'status'>): {
  readonly does: readonly string[];
  readonly waits: readonly string[];
  readonly phase: string | undefined;
} {
  return {
    does: decision.actions.map(tellAction),
    waits: decision.blockers.map(({ code, object }) => `${code} ${object?.kind ?? ''} ${object?.name ?? ''}`.trim()),
    phase: decision.status.phase,
  };
}

export function decide(of: UninstallPlan, sight: UninstallObservation, at = now): UninstallDecision {
  return decideUninstall(of, sight, at);
}
