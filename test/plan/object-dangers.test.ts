import { describe, expect, it } from 'vitest';
import { objectDangers } from '../../src/plan/object-dangers.ts';
import { type JsonObject, objectDiffs } from '../../src/plan/object-diff.ts';
import { compareQuantities } from '../../src/plan/quantity.ts';

type Case = readonly [
  what: string,
  kind: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  ...said: string[],
];

const claimTemplate = (storage: string) => ({
  spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage } } } }] },
});
const role = (...rules: JsonObject[]) => ({ rules });
const read = { apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] };
const kept = { metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' } } };
const ingress = (...hosts: string[]) => ({ spec: { rules: hosts.map((host) => ({ host })) } });
const group = (name: string) => ({ kind: 'Group', name });
const binding = (...subjects: JsonObject[]) => ({ roleRef: { kind: 'ClusterRole', name: 'admin' }, subjects });

const cases: readonly Case[] = [
  [
    'a selector of a Deployment',
    'Deployment',
    { spec: { selector: { matchLabels: { app: 'a' } } } },
    { spec: { selector: { matchLabels: { app: 'b' } } } },
    'immutable-field: immutable field: Kubernetes refuses to change spec.selector.matchLabels.app, so the applier will report an error',
  ],
  [
    'an image of a Deployment',
    'Deployment',
    { spec: { template: { image: 'a' } } },
    { spec: { template: { image: 'b' } } },
  ],
  [
    'the service of a StatefulSet',
    'StatefulSet',
    { spec: { serviceName: 'a' } },
    { spec: { serviceName: 'b' } },
    'immutable-field: immutable field: Kubernetes refuses to change spec.serviceName, so the applier will report an error',
  ],
  [
    'how a StatefulSet is updated',
    'StatefulSet',
    { spec: { updateStrategy: { type: 'OnDelete' }, minReadySeconds: 1 } },
    { spec: { updateStrategy: { type: 'RollingUpdate' }, minReadySeconds: 2 } },
  ],
  [
    'a smaller volume of a StatefulSet',
    'StatefulSet',
    claimTemplate('10Gi'),
    claimTemplate('9216Mi'),
    'immutable-field: immutable field: Kubernetes refuses to change spec.volumeClaimTemplates[0].spec.resources.requests.storage, so the applier will report an error',
    'volume-shrunk: PVC shrunk from 10Gi to 9216Mi: no volume can be made smaller',
  ],
  [
    'a smaller PVC',
    'PersistentVolumeClaim',
    { spec: { resources: { requests: { storage: '1Ti' } } } },
    { spec: { resources: { requests: { storage: '500G' } } } },
    'volume-shrunk: PVC shrunk from 1Ti to 500G: no volume can be made smaller',
  ],
  [
    'a larger PVC',
    'PersistentVolumeClaim',
    { spec: { resources: { requests: { storage: '1Gi' } } } },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
  ],
  [
    'a ConfigMap that was frozen',
    'ConfigMap',
    { immutable: true, data: { a: '1' } },
    { immutable: true, data: { a: '2' } },
    'immutable-field: immutable field: Kubernetes refuses to change data.a, so the applier will report an error',
  ],
  [
    'another role in a binding',
    'RoleBinding',
    { roleRef: { name: 'view' } },
    { roleRef: { name: 'admin' } },
    'immutable-field: immutable field: Kubernetes refuses to change roleRef.name, so the applier will report an error',
  ],
  [
    'more verbs',
    'Role',
    role(read),
    role({ ...read, verbs: ['get', 'list', 'delete'] }),
    'rbac-widened: RBAC widened: it may delete pods; it may delete secrets',
  ],
  ['fewer verbs', 'Role', role(read), role({ ...read, verbs: ['get'] })],
  [
    'the same rights, written otherwise',
    'Role',
    role(read),
    role(
      { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    ),
  ],
  [
    'one name becomes all names',
    'ClusterRole',
    role({ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['get'] }),
    role({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }),
    'rbac-widened: RBAC widened: it may get deployments.apps in the whole cluster',
  ],
  [
    'everything becomes one thing',
    'ClusterRole',
    role({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }),
    role({ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] }),
  ],
  [
    'a subresource of everything is not everything',
    'ClusterRole',
    role({ apiGroups: [''], resources: ['*/status'], verbs: ['get'] }),
    role({ apiGroups: [''], resources: ['pods/status', 'pods'], verbs: ['get'] }),
    'rbac-widened: RBAC widened: it may get pods in the whole cluster',
  ],
  [
    'a URL',
    'ClusterRole',
    role(),
    role({ nonResourceURLs: ['/metrics'], verbs: ['get'] }),
    'rbac-widened: RBAC widened: it may get /metrics in the whole cluster',
  ],
  [
    'a subject more',
    'ClusterRoleBinding',
    binding(group('ops')),
    binding(group('ops'), { kind: 'ServiceAccount', name: 'x', namespace: 'y' }),
    'rbac-widened: RBAC widened: ServiceAccount x in y gets ClusterRole admin in the whole cluster',
  ],
  ['a subject less', 'RoleBinding', binding(group('ops'), group('dev')), binding(group('ops'))],
  [
    'rights that come with a new object',
    'ClusterRole',
    undefined,
    role({ apiGroups: [''], resources: ['nodes'], verbs: ['patch'] }),
    'rbac-widened: RBAC widened: it may patch nodes in the whole cluster',
  ],
  [
    'fewer replicas',
    'Deployment',
    { spec: { replicas: 3 } },
    { spec: {} },
    'ha-reduced: HA reduced: 1 in place of 3 replicas survive the loss of a node less well',
  ],
  [
    'no replicas',
    'Deployment',
    { spec: { replicas: 3 } },
    { spec: { replicas: 0 } },
    'outage: outage: it has no replica any more',
  ],
  ['more replicas', 'Deployment', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }],
  [
    'a weaker budget',
    'PodDisruptionBudget',
    { spec: { maxUnavailable: 1 } },
    { spec: { maxUnavailable: 2 } },
    'ha-reduced: HA reduced: more of its pods may go at once',
  ],
  [
    'a budget of a smaller share',
    'PodDisruptionBudget',
    { spec: { minAvailable: '80%' } },
    { spec: { minAvailable: '50%' } },
    'ha-reduced: HA reduced: more of its pods may go at once',
  ],
  ['a stronger budget', 'PodDisruptionBudget', { spec: { minAvailable: 1 } }, { spec: { minAvailable: 2 } }],
  [
    'no budget',
    'PodDisruptionBudget',
    {},
    undefined,
    'ha-reduced: HA reduced: nothing limits how many of its pods go at once',
  ],
  [
    'a Service that everybody reaches',
    'Service',
    { spec: { type: 'ClusterIP' } },
    { spec: { type: 'NodePort' } },
    'public-exposure: public exposure: a NodePort',
  ],
  ['a host more', 'Ingress', ingress('a.edu'), ingress('a.edu', 'b.edu'), 'public-exposure: public exposure: b.edu'],
  ['a host less', 'Ingress', ingress('a.edu', 'b.edu'), ingress('a.edu')],
  ['a route', 'HTTPRoute', undefined, { spec: { hostnames: ['c.edu'] } }, 'public-exposure: public exposure: c.edu'],
  [
    'a kept object that goes',
    'PersistentVolumeClaim',
    kept,
    undefined,
    'left-behind: the applier does not prune it: it stays, and nothing looks after it',
  ],
  ['a workload that goes', 'DaemonSet', {}, undefined, 'outage: the applier prunes it: what it served stops'],
  ['a ConfigMap that goes', 'ConfigMap', {}, undefined],
];

function dangersOf(unit: string, kind: string, before?: JsonObject, after?: JsonObject, told: readonly string[] = []) {
  const object = (value: JsonObject | undefined) => (value === undefined ? [] : [{ id: `g/${kind}/ns/x`, value }]);
  const sides = { before: object(before), after: object(after) };
  const diffs = objectDiffs(sides.before, sides.after);
  return objectDangers({ unit, cluster: 'west', ...sides, diffs }, new Set(told as never[]));
}

describe('objectDangers of a component', () => {
  it.each(cases)('%s', (...row: unknown[]) => {
    const [, kind, before, after, ...said] = row as unknown as Case;
    const dangers = dangersOf('component/shop/web', kind, before, after).flatMap((change) => change.dangers);
    expect(dangers.map(({ kind: code, why }) => `${code}: ${why}`)).toEqual(said);
  });

  it('names the object, its cluster and its unit', () => {
    expect(dangersOf('component/shop/web', 'DaemonSet', {}, undefined)).toEqual([
      {
        kind: 'object-changed',
        subject: { kind: 'object', name: 'DaemonSet x in ns', cluster: 'west' },
        text: 'DaemonSet x in ns on west is removed.',
        dangers: [{ kind: 'outage', why: 'the applier prunes it: what it served stops' }],
        unit: 'component/shop/web',
      },
    ]);
  });
});

describe('objectDangers of a claim', () => {
  it('what comes and goes with it, and that it sleeps, is told in words already', () => {
    expect(dangersOf('claim/ada', 'StatefulSet', { spec: { replicas: 3 } }, { spec: { replicas: 0 } })).toEqual([]);
    expect(dangersOf('claim/ada', 'Deployment', {}, undefined)).toEqual([]);
    expect(dangersOf('claim/ada', 'Role', undefined, role(read))).toEqual([]);
    expect(dangersOf('claim/ada', 'Role', role(), role(read))).toHaveLength(1);
  });

  it('nothing is said twice', () => {
    const [before, after] = [{ spec: { replicas: 3 } }, { spec: { replicas: 1 } }];
    expect(dangersOf('claim/ada', 'StatefulSet', before, after)).toHaveLength(1);
    expect(dangersOf('claim/ada', 'StatefulSet', before, after, ['ha-reduced'])).toEqual([]);
  });
});

describe('compareQuantities', () => {
  it.each([
    ['1Gi', '1024Mi', 0],
    ['1G', '1Gi', -1],
    ['1500m', '1', 1],
    ['1e3', '1k', 0],
    ['0.5Ti', '512Gi', 0],
    ['x', '1', undefined],
    ['1', '1Xi', undefined],
    ['', '1', undefined],
  ])('%s and %s', (a, b, sign) => {
    const order = compareQuantities(a, b);
    expect(order === undefined ? undefined : Math.sign(order)).toBe(sign);
  });
});
