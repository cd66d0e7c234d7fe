import { describe, expect, it } from 'vitest';
import { uninstallOrder } from '../../../constructs/object-ids.ts';
import { rankOf, stageOf, stages } from '../../../src/sidecar/uninstall/kinds.ts';
import type { SeenObject } from '../../../src/sidecar/uninstall/observation.ts';
import { component, contents, decide, decided, hook, idFrom, labelsOf, now, observation, plan, seen } from './seen.ts';

const does = (objects: readonly SeenObject[], differs: Parameters<typeof observation>[1] = {}) =>
  decided(decide(plan([component('front')]), observation(objects, differs))).does;

describe('what a component consists of goes', () => {
  it('stage by stage, each gone before the next, whatever the order it is seen in', () => {
    const all = [
      'ServiceAccount shop/front',
      'ConfigMap shop/front',
      'Deployment shop/front',
      'Service shop/front',
      'CustomResourceDefinition widgets.shop.example.edu',
      'APIService v1.front.example.edu',
      'ValidatingWebhookConfiguration front',
      'Widget shop/main',
    ];
    const left = new Set(all);
    const course: string[][] = [];
    const instances = [{ definition: 'widgets.shop.example.edu', left: [] }];
    while (left.size > 0) {
      const asked = does(
        [...left].map((text) => seen(text)),
        { instances },
      );
      course.push([...asked]);
      for (const text of [...left]) {
        const { kind, namespace, name } = idFrom(text);
        if (asked.includes(`delete ${kind.toLowerCase()} ${namespace === undefined ? name : `${namespace}/${name}`}`))
          left.delete(text);
      }
      if (course.length > 20) break;
    }
    expect(course).toEqual([
      ['delete widget shop/main'],
      ['delete validatingwebhookconfiguration front'],
      ['delete apiservice v1.front.example.edu'],
      ['delete customresourcedefinition widgets.shop.example.edu'],
      ['delete deployment shop/front', 'delete service shop/front'],
      ['delete configmap shop/front'],
      ['delete serviceaccount shop/front'],
    ]);
  });

  it('in the order of Helm within a stage', () => {
    const kinds = [
      'Ingress',
      'Service',
      'CronJob',
      'Job',
      'StatefulSet',
      'Deployment',
      'ReplicaSet',
      'Pod',
      'DaemonSet',
    ];
    const ranked = kinds.map((kind) => rankOf({ apiVersion: 'v1', kind }));
    expect(ranked).toEqual([...ranked].sort((a, b) => a - b));
    const helms = kinds.map(uninstallOrder);
    expect(helms).toEqual([...helms].sort((a, b) => a - b));
  });

  it.each([
    ['Widget shop/a', 'custom resources'],
    ['VolumeSnapshot shop/a', 'data'],
    ['PersistentVolumeClaim shop/a', 'data'],
    ['PersistentVolume a', 'data'],
    ['MutatingWebhookConfiguration a', 'webhooks'],
    ['APIService a', 'API services'],
    ['CustomResourceDefinition a', 'definitions'],
    ['DaemonSet shop/a', 'workloads'],
    ['Lease shop/a', 'configuration'],
    ['PriorityClass a', 'configuration'],
    ['ClusterRoleBinding a', 'permissions'],
    ['ServiceAccount shop/a', 'permissions'],
  ] as const)('%s with the %s', (text, stage) => {
    expect(stages).toContain(stage);
    expect(stageOf(idFrom(text))).toBe(stage);
  });

  it('with its webhook first of all, when nobody answers it any more', () => {
    const dead = { kind: 'called', services: [{ namespace: 'shop', name: 'hook', alive: false }], others: 0 } as const;
    const webhook = seen('ValidatingWebhookConfiguration front', { details: dead });
    expect(does([webhook, seen('Widget shop/main')])).toEqual(['delete validatingwebhookconfiguration front']);
  });

  it('with a webhook of its operator that has no label of ours, when all it calls is a Service of the component', () => {
    const listed = [idFrom('Service shop/hook')];
    const called = (name: string) => ({ namespace: 'shop', name, alive: true });
    const webhook = (services: readonly string[], others = 0) =>
      seen('MutatingWebhookConfiguration made', {
        labels: {},
        details: { kind: 'called', services: services.map(called), others },
      });
    const asked = (object: SeenObject) =>
      decided(decide(plan([component('front', { listed })]), observation([object]))).does;
    expect(asked(webhook(['hook']))).toEqual(['delete mutatingwebhookconfiguration made']);
    expect(asked(webhook(['hook', 'of-others']))).toEqual([]);
    expect(asked(webhook(['hook'], 1))).toEqual([]);
    expect(asked(webhook([]))).toEqual([]);
  });

  it('without what its own objects own: the garbage collector takes that', () => {
    const owner = seen('Widget shop/main');
    const owned = seen('Widget shop/part', { owners: [{ uid: owner.uid, kind: 'Widget', name: 'main' }] });
    expect(does([owner, owned])).toEqual(['delete widget shop/main']);
    expect(does([owned])).toEqual(['delete widget shop/part']);
  });

  it('without anything of quiesce.dev, Endpoints, EndpointSlices and Events, whatever their labels', () => {
    const objects = ['VClusterClaim front', 'Endpoints shop/front', 'EndpointSlice shop/front', 'Event shop/front'];
    expect(does(objects.map((text) => seen(text)))).toEqual([]);
  });

  it('waiting for Pods with what owns them, and for nothing else; that takes longest, so it goes first', () => {
    const { actions } = decide(
      plan([component('front')]),
      observation([seen('Deployment shop/front'), seen('Service shop/front')]),
    );
    expect(actions.map((action) => action.kind === 'delete' && [action.object.kind, action.propagation])).toEqual([
      ['Deployment', 'Foreground'],
      ['Service', 'Background'],
    ]);
    expect(actions.every((action) => action.kind === 'delete' && action.uid !== '')).toBe(true);
  });
});

describe('components go', () => {
  const three = plan(
    [component('base'), component('store'), component('front')].map((each, index, all) => ({
      ...each,
      after: all.slice(index + 1).map(({ name }) => name),
    })),
  );
  const config = (of: string, name = of) => seen(`ConfigMap shop/${name}`, { labels: labelsOf(of) });

  it('in reverse order of dependency', () => {
    const all = ['base', 'store', 'front'].map((name) => config(name));
    expect(decided(decide(three, observation(all))).does).toEqual(['delete configmap shop/front']);
    expect(decided(decide(three, observation(all.slice(0, 2)))).does).toEqual(['delete configmap shop/store']);
    expect(decided(decide(three, observation(all.slice(0, 1)))).does).toEqual(['delete configmap shop/base']);
  });

  it('side by side where none needs the other, as many as are allowed', () => {
    const names = ['a', 'b', 'c'];
    const objects = names.map((name) => config(name));
    const side = (parallel: number) =>
      plan(
        names.map((name) => component(name)),
        { parallel },
      );
    expect(decided(decide(side(4), observation(objects))).does).toHaveLength(3);
    expect(decided(decide(side(2), observation(objects))).does).toEqual([
      'delete configmap shop/a',
      'delete configmap shop/b',
    ]);
    expect(decided(decide(side(2), observation(objects.slice(1)))).does).toEqual([
      'delete configmap shop/b',
      'delete configmap shop/c',
    ]);
  });

  it('those that another waits for, although that one was begun and no more are allowed', () => {
    const both = plan([component('base'), component('store')], { parallel: 1 });
    const definition = seen('CustomResourceDefinition widgets.shop.example.edu', { labels: labelsOf('base') });
    const left = [seen('Widget shop/main', { labels: labelsOf('store') })];
    const instances = [{ definition: definition.name, left }];
    const sight = observation([definition, ...left], { instances });
    expect(decided(decide(both, sight)).does).toEqual(['delete widget shop/main']);
  });

  it('not at all when they wait for each other', () => {
    const cycle = plan([component('a', { after: ['b'] }), component('b', { after: ['a'] })]);
    expect(decided(decide(cycle, observation([config('a')])))).toEqual({
      does: [],
      waits: ['dependency-cycle'],
      phase: 'DeleteError',
    });
  });

  it('with whatever left git before, last', () => {
    const rest = component('left git', {
      own: [{ labels: { 'quiesce.dev/installation': 'shop' } }],
      after: ['front'],
      keep: { listed: [], own: [{ labels: labelsOf('front') }] },
      renderedOnly: true,
    });
    const of = plan([component('front'), rest]);
    const old = config('older');
    expect(decided(decide(of, observation([old, config('front')]))).does).toEqual(['delete configmap shop/front']);
    expect(decided(decide(of, observation([old]))).does).toEqual(['delete configmap shop/older']);
    const copied = { ...old, rendered: false };
    const owned = { ...old, owners: [{ uid: 'x', kind: 'Widget', name: 'main' }] };
    expect(decided(decide(of, observation([copied]))).does).toEqual([]);
    expect(decided(decide(of, observation([owned]))).does).toEqual([]);
  });
});

describe('an object that does not go', () => {
  const told = (differs: Partial<SeenObject>, text = 'ConfigMap shop/front', sight = {}) =>
    decided(decide(plan([component('front')]), observation([seen(text, differs)], sight)));

  it('is asked once, and has its ordinary time', () => {
    expect(told({ deletedAt: now - 10_000, finalizers: ['example.edu/hold'] })).toMatchObject({ does: [], waits: [] });
  });

  it('is named with the finalizer that holds it', () => {
    const { waits, phase } = told({ deletedAt: now - 20_000, finalizers: ['example.edu/hold'] });
    expect([waits, phase]).toEqual([['finalizer ConfigMap front'], 'Deleting']);
  });

  it('is named with what it waits for, where that is its dependents', () => {
    const deployment = seen('Deployment shop/front', { deletedAt: now - 20_000, finalizers: ['foregroundDeletion'] });
    const decision = decide(plan([component('front')]), observation([deployment]));
    expect(decision.next.contents).toEqual(['shop']);
    const pod = seen('Pod shop/front-1', {
      labels: {},
      owners: [{ uid: deployment.uid, kind: 'Deployment', name: 'front' }],
      finalizers: ['example.edu/hold'],
    });
    const sight = observation([deployment], {
      contents: [{ namespace: 'shop', at: now, objects: [deployment, pod], unread: [] }],
    });
    expect(decided(decide(plan([component('front')]), sight)).waits).toEqual(['dependents Pod front-1']);
  });

  it('is named with the kubelet, if it is a Pod', () => {
    expect(told({ deletedAt: now - 20_000 }, 'Pod shop/front').waits).toEqual(['terminating Pod front']);
  });

  it('is named with who makes it anew', () => {
    const listed = [idFrom('ConfigMap shop/front')];
    const sight = observation([seen('ConfigMap shop/front')], { deletions: { '/ConfigMap shop/front': 3 } });
    const [blocker] = decide(plan([component('front', { listed })]), sight).blockers;
    expect(blocker).toMatchObject({ code: 'made-anew', who: 'applier' });
  });
});

describe('a namespace', () => {
  const ours = seen('Namespace shop');
  const told = (
    objects: readonly SeenObject[],
    differs: Parameters<typeof observation>[1] = {},
    of = component('front'),
  ) =>
    decided(decide(plan([of]), observation([ours], { contents: contents('shop', objects), names: true, ...differs })));
  const foreign = (text: string, differs: Partial<SeenObject> = {}) =>
    seen(text, { labels: {}, rendered: false, ...differs });

  it('goes when it is ours and nothing of anybody is in it', () => {
    const nobodys = [
      foreign('ServiceAccount shop/default'),
      foreign('ConfigMap shop/kube-root-ca.crt'),
      foreign('Event shop/anything'),
      foreign('Lease shop/lock'),
      foreign('EndpointSlice shop/front-x', {
        labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
      }),
      foreign('Endpoints shop/front', { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } }),
    ];
    expect(told(nobodys).does).toEqual(['delete namespace shop']);
  });

  it.each([
    ['a Secret', foreign('Secret shop/theirs')],
    ['a ConfigMap', foreign('ConfigMap shop/theirs')],
    ['a volume claim', foreign('PersistentVolumeClaim shop/theirs')],
    ['an Ingress', foreign('Ingress shop/theirs')],
    ['a custom resource', foreign('Widget shop/theirs')],
    ['a ServiceAccount of another name', foreign('ServiceAccount shop/theirs')],
    ['an EndpointSlice written by hand', foreign('EndpointSlice shop/outside')],
    ['a volume claim of ours that is retained', seen('PersistentVolumeClaim shop/data')],
    ['an object of ours with the policy keep', seen('ConfigMap shop/kept', { resourcePolicy: ' Keep ' })],
  ])('stays with %s in it, and is told of at the end', (_, object) => {
    const isOurs = Object.keys(object.labels).length > 0;
    const decision = decide(
      plan([component('front')]),
      observation([ours, ...(isOurs ? [object] : [])], { contents: contents('shop', [object]), names: true }),
    );
    expect(decided(decision)).toEqual({ does: [], waits: [], phase: 'Deleted' });
    expect(decision.status.leftovers).toContainEqual(idFrom('Namespace shop'));
    if (isOurs) expect(decision.status.leftovers).toContainEqual(idFrom(object.uid));
  });

  it('stays while one kind cannot be listed, which is named', () => {
    const unread = [{ what: 'v1/Secret', status: 403, why: 'forbidden' }];
    const sight = { contents: contents('shop', [], unread) };
    expect(told([], sight)).toEqual({ does: [], waits: ['namespace-unread Namespace shop'], phase: 'Deleting' });
    const unserved = [{ what: 'metrics.example.edu/v1', status: 503, why: 'stale' }];
    const known = component('front', { listed: [idFrom('ConfigMap shop/front')] });
    expect(told([], { unserved }, known)).toMatchObject({ does: [], waits: ['namespace-unread Namespace shop'] });
  });

  it('is looked into twice before it goes', () => {
    const once = { contents: contents('shop', []).slice(1) };
    expect(told([], once)).toMatchObject({ does: [], phase: 'Deleting' });
    const close = contents('shop', []).map((content, index) => ({ ...content, at: now - 500 + index * 400 }));
    expect(told([], { contents: close })).toMatchObject({ does: [], phase: 'Deleting' });
    const before = { ...contents('shop', [])[0], objects: [foreign('Secret shop/theirs')] } as never;
    expect(told([], { contents: [before, ...contents('shop', []).slice(1)] })).toMatchObject({ does: [] });
  });

  it('is looked into while what nothing comes of goes, and again with the last of it', () => {
    const settings = seen('ConfigMap shop/front');
    const workload = seen('Deployment shop/front');
    const widget = seen('Widget shop/main');
    const asks = (left: readonly SeenObject[], lookedInto: readonly string[] = [], hooks = {}) =>
      decide(plan([component('front', hooks)]), observation([ours, ...left], { lookedInto })).next.contents;
    expect([asks([workload, settings]), asks([workload, settings], ['shop']), asks([settings], ['shop'])]).toEqual([
      ['shop'],
      [],
      ['shop'],
    ]);
    expect(asks([widget, settings])).toEqual([]);
    const hooks = { preDelete: [], delete: [], postDelete: [hook('last')] };
    expect(asks([settings], [], { hooks })).toEqual([]);
    const first = (objects: readonly SeenObject[]) => [
      { namespace: 'shop', at: now - 1500, objects, unread: [] },
      { namespace: 'shop', at: now - 100, objects: [], unread: [] },
    ];
    expect(told([], { contents: first([workload, settings]) }).does).toEqual(['delete namespace shop']);
    expect(told([], { contents: first([widget]) }).does).toEqual([]);
  });

  it('is looked into again at once when the look took longer than the pause', () => {
    const late = contents('shop', []).slice(1);
    const sight = observation([ours], { contents: late });
    expect(decide(plan([component('front')]), sight, now + 5000).wakeAt).toBe(now + 5001);
  });

  it('waits for what the garbage collector is about to take', () => {
    const orphan = foreign('ReplicaSet shop/front-1', { owners: [{ uid: 'gone', kind: 'Deployment', name: 'front' }] });
    expect(told([orphan])).toEqual({ does: [], waits: ['dependents Namespace shop'], phase: 'Deleting' });
  });

  it('is fenced by what was seen of it', () => {
    const { actions } = decide(plan([component('front')]), observation([ours], { contents: contents('shop', []) }));
    expect(actions).toMatchObject([{ kind: 'delete', uid: ours.uid, resourceVersion: '1' }]);
  });

  it.each(['default', 'kube-system', 'kube-public', 'quiesce-system'])('never goes if it is %s', (name) => {
    const system = seen(`Namespace ${name}`);
    const sight = observation([system], { contents: contents(name, []), names: true });
    expect(decided(decide(plan([component('front')]), sight)).does).toEqual([]);
  });

  it('stays if it is to be kept, and if it is not ours', () => {
    expect(told([], {}, component('front', { namespaces: 'Keep' })).does).toEqual([]);
    const theirs = seen('Namespace shop', { labels: {} });
    const sight = observation([theirs], { contents: contents('shop', []), names: true });
    expect(decided(decide(plan([component('front')]), sight)).does).toEqual([]);
  });

  it('tells why it does not go', () => {
    const condition = { type: 'NamespaceDeletionDiscoveryFailure', status: 'True', message: 'metrics.k8s.io/v1beta1' };
    const details = { kind: 'namespace', conditions: [condition] } as const;
    const stuck = seen('Namespace shop', { deletedAt: now - 60_000, details });
    const [blocker] = decide(plan([component('front')]), observation([stuck])).blockers;
    expect(blocker).toMatchObject({ code: 'namespace-stuck', who: 'operators' });
    expect(blocker?.message).toContain('metrics.k8s.io/v1beta1');
  });
});
