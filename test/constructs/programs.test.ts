import type { PolicyRule } from 'cdk8s-plus-28/lib/imports/k8s.js';
import { describe, expect, test } from 'vitest';
import { fieldsOf, type Json, type PlainObject } from '../../constructs/plain-object.ts';
import { protectedAnnotations } from '../../constructs/protection.ts';
import type { SystemPart } from '../../src/plan/unit.ts';
import { lab, objectsOf, settings } from './instance.ts';
import { names, pick } from './sample.ts';

function part(name: SystemPart, changes: Partial<typeof settings> = {}): PlainObject[] {
  return objectsOf({ kind: 'system', part: name, cluster: lab }, { settings: { ...settings, ...changes } });
}

/** The pod spec of a Deployment or CronJob. */
function podOf(object: PlainObject) {
  const { spec } = object;
  const template = fieldsOf(
    object.kind === 'CronJob' ? fieldsOf(fieldsOf(fieldsOf(spec).jobTemplate).spec).template : fieldsOf(spec).template,
  );
  const pod = fieldsOf(template.spec);
  return { pod, container: fieldsOf((pod.containers as readonly Json[])[0]) };
}

const sidecar = part('sidecar');
const lifecycle = part('lifecycle');
const keepalive = part('keepalive');
const workloads = [pick(sidecar, 'Deployment'), pick(lifecycle, 'CronJob'), pick(keepalive, 'StatefulSet')];

describe.each(workloads.map((object) => [object.metadata.name, podOf(object)] as const))(
  'the pod of %s',
  (name, { pod, container }) => {
    test('meets the restricted standard with a root that is read-only', () => {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    });

    test('runs the program of that name from the image in the settings', () => {
      expect(container).toMatchObject({
        image: 'registry.example.edu/quiesce:0.1.0',
        imagePullPolicy: 'IfNotPresent',
        command: ['quiesce'],
        args: [name.replace('quiesce-', '')],
      });
      expect(pod.imagePullSecrets).toEqual([{ name: 'registry' }]);
    });

    test('has limits, a folder to write to, and no Secret in its environment', () => {
      expect(fieldsOf(container.resources).requests).toBeDefined();
      expect(fieldsOf(fieldsOf(container.resources).limits).memory).toBeDefined();
      expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
      expect(JSON.stringify(container.env)).not.toContain('secretKeyRef');
    });
  },
);

describe('sidecar', () => {
  test('brings its protected namespace and everything it needs', () => {
    expect(names(sidecar)).toEqual([
      'Namespace/quiesce-system',
      'ServiceAccount/quiesce-sidecar',
      'ClusterRole/quiesce-sidecar',
      'ClusterRoleBinding/quiesce-sidecar',
      'ClusterRole/quiesce-uninstall',
      'ClusterRoleBinding/quiesce-uninstall',
      'Role/quiesce-sidecar',
      'RoleBinding/quiesce-sidecar',
      'PriorityClass/quiesce-sidecar',
      'Deployment/quiesce-sidecar',
      'Service/quiesce-sidecar',
      'PodDisruptionBudget/quiesce-sidecar',
    ]);
    expect(pick(sidecar, 'Namespace').metadata.annotations).toEqual(protectedAnnotations);
  });

  test('lives through the maintenance of every node, and through a cordon where that belongs to it', () => {
    const keys = (objects: readonly PlainObject[]) =>
      (
        podOf(pick(objects, 'Deployment')).pod.tolerations as readonly {
          key: string;
          operator: string;
          effect?: string;
        }[]
      )
        .filter(({ operator, effect }) => operator === 'Exists' && effect === undefined)
        .map(({ key }) => key);
    const tolerated = [
      'baremetal.cluster.gke.io/maintenance',
      'node-role.kubernetes.io/control-plane',
      'node-role.kubernetes.io/master',
    ];
    expect(keys(sidecar)).toEqual(tolerated);
    const cordoning = part('sidecar', { maintenance: { ...settings.maintenance, cordon: true } });
    expect(keys(cordoning)).toEqual([...tolerated, 'node.kubernetes.io/unschedulable']);
  });

  test('one of two stays, but a broken one holds up no drain', () => {
    expect(pick(sidecar, 'Deployment').spec).toMatchObject({ replicas: 2 });
    expect(pick(sidecar, 'PodDisruptionBudget').spec).toMatchObject({
      minAvailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });
});

describe('permissions', () => {
  const rulesOf = (objects: readonly PlainObject[], kind: string, name: string) =>
    pick(objects, kind, name).rules as unknown as readonly PolicyRule[];

  test('no wildcard but in the role for uninstalling, which has to know every kind', () => {
    const roles = [...sidecar, ...lifecycle, ...keepalive].filter(({ kind }) => kind.endsWith('Role'));
    const wild = roles.filter((role) => JSON.stringify(role.rules).includes('"*"'));
    expect(wild.map(({ metadata }) => metadata.name)).toEqual(['quiesce-uninstall']);
    expect(rulesOf(sidecar, 'ClusterRole', 'quiesce-uninstall')[0]?.verbs).not.toContain('*');
  });

  test('the sidecar’s, verb by verb', () => {
    const table = rulesOf(sidecar, 'ClusterRole', 'quiesce-sidecar').flatMap(({ apiGroups, resources, verbs }) =>
      (resources ?? []).map((resource) => `${apiGroups?.[0]}/${resource}: ${verbs.join(' ')}`),
    );
    expect(table).toEqual([
      'quiesce.dev/vclusterclaims: list watch patch',
      'quiesce.dev/installations: list watch patch',
      'quiesce.dev/maintenanceblocks: list watch',
      'quiesce.dev/clustershutdowns: get list watch',
      'quiesce.dev/vclusterclaims/status: patch',
      'quiesce.dev/maintenanceblocks/status: patch',
      'quiesce.dev/installations/status: patch',
      'quiesce.dev/clustershutdowns/status: patch',
      '/nodes: list watch patch',
      '/pods: list watch delete',
      '/pods/eviction: create',
      '/persistentvolumes: list watch',
      'storage.k8s.io/csidrivers: list watch',
      'storage.k8s.io/csinodes: list watch',
      'policy/poddisruptionbudgets: list watch',
      'scheduling.k8s.io/priorityclasses: list watch',
      '/namespaces: list watch',
      'apps/statefulsets: list watch',
      'apps/deployments: list watch',
      'apps/statefulsets: get',
      'apps/replicasets: get',
      'apps/daemonsets: get',
      'batch/jobs: get',
      'events.k8s.io/events: create patch',
    ]);
  });

  test('nobody may impersonate, bind, escalate, or open a shell', () => {
    const roles = [...sidecar, ...lifecycle].filter(({ kind }) => kind.endsWith('Role'));
    const verbs = roles.flatMap((role) =>
      (role.rules as unknown as readonly PolicyRule[]).flatMap((rule) => rule.verbs),
    );
    expect([...new Set(verbs)].sort()).toEqual(['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']);
    expect(JSON.stringify(rulesOf(sidecar, 'ClusterRole', 'quiesce-sidecar'))).not.toContain('exec');
  });

  test('the runner reads our resources and publishes deadlines; the page has no token at all', () => {
    expect(rulesOf(lifecycle, 'ClusterRole', 'quiesce-lifecycle')).toEqual([
      { apiGroups: ['quiesce.dev'], resources: ['vclusterclaims', 'installations'], verbs: ['get', 'list'] },
      { apiGroups: ['quiesce.dev'], resources: ['vclusterclaims/status'], verbs: ['patch'] },
    ]);
    expect(keepalive.filter(({ kind }) => kind.includes('Role'))).toEqual([]);
    expect(podOf(pick(keepalive, 'StatefulSet')).pod).toMatchObject({ automountServiceAccountToken: false });
  });
});

describe('lifecycle', () => {
  const mounted = (objects: readonly PlainObject[]) =>
    (podOf(pick(objects, 'CronJob')).pod.volumes as readonly { name: string; secret?: { secretName: string } }[])
      .filter(({ secret }) => secret !== undefined)
      .map(({ name, secret }) => `${name}: ${secret?.secretName}`);

  test('runs by the clock of the settings, never twice at once, and again after a long downtime', () => {
    expect(pick(lifecycle, 'CronJob').spec).toMatchObject({
      schedule: '*/15 * * * *',
      timeZone: 'Europe/Berlin',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 600,
      jobTemplate: { spec: { backoffLimit: 0, activeDeadlineSeconds: 1800 } },
    });
  });

  test('has the Secrets that the settings name, and those only', () => {
    expect(mounted(lifecycle)).toEqual([
      'git: git-credentials',
      'smtp: smtp-credentials',
      'keys: keepalive-keys',
      'kubeconfigs: quiesce-kubeconfigs',
    ]);
    const { mail: _mail, keepalive: _keepalive, ...rest } = settings;
    const { credentialsSecret: _secret, ...git } = settings.git;
    const bare = { ...rest, clusters: [lab], git };
    expect(mounted(objectsOf({ kind: 'system', part: 'lifecycle', cluster: lab }, { settings: bare }))).toEqual([]);
  });
});
