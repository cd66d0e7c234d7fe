import { describe, expect, it } from 'vitest';
import type { SeenObject, SeenRelease } from '../../../src/sidecar/uninstall/observation.ts';
import type { PlannedComponent, UninstallPlan } from '../../../src/sidecar/uninstall/plan.ts';
import { component, decide, decided, idFrom, labelsOf, now, observation, plan, seen } from './seen.ts';

const told = (
  objects: readonly SeenObject[],
  differs: Partial<PlannedComponent> = {},
  sight: Parameters<typeof observation>[1] = {},
  whole: Partial<UninstallPlan> = {},
) => decided(decide(plan([component('front', differs)], whole), observation(objects, sight)));

describe('data', () => {
  const database = seen('StatefulSet shop/db', { details: { kind: 'statefulSet', templates: ['data', 'log'] } });
  const claim = (name: string, differs: Partial<SeenObject> = {}) =>
    seen(`PersistentVolumeClaim shop/${name}`, { labels: {}, ...differs });
  const marked = { 'quiesce.dev/data-of-installation': 'shop', 'quiesce.dev/data-of-component': 'front' };

  it('of a StatefulSet is marked as its own before it goes, every ordinal of every template', () => {
    const claims = ['data-db-0', 'data-db-11', 'log-db-0', 'data-my-db-0', 'data-db-x', 'data-db-'].map((name) =>
      claim(name),
    );
    expect(told([database, ...claims]).does).toEqual([
      'note whose data persistentvolumeclaim shop/data-db-0 is',
      'note whose data persistentvolumeclaim shop/data-db-11 is',
      'note whose data persistentvolumeclaim shop/log-db-0 is',
    ]);
    expect(told([database, claim('data-db-0', { labels: marked })]).does).toEqual(['delete statefulset shop/db']);
  });

  it('goes by policy and with a confirmation, after the workloads', () => {
    const own = claim('data-db-0', { labels: marked });
    const others = claim('data-db-0', { labels: { ...marked, 'quiesce.dev/data-of-component': 'store' } });
    const deleting = { persistentVolumeClaims: 'Delete' } as const;
    expect(told([database, own], deleting).does).toEqual(['delete statefulset shop/db']);
    expect(told([own], deleting).does).toEqual(['delete persistentvolumeclaim shop/data-db-0']);
    expect(told([own]).does).toEqual([]);
    expect(told([others], deleting).does).toEqual([]);
    expect(told([own], deleting, {}, { confirmed: false })).toEqual({
      does: [],
      waits: ['confirm-missing'],
      phase: 'DeleteError',
    });
  });

  it('of a shared namespace stays with whom it belongs to', () => {
    expect(told([claim('anything')], { persistentVolumeClaims: 'Delete' }, { names: true })).toMatchObject({
      does: [],
      phase: 'Deleted',
    });
  });

  it('of a StatefulSet that the plan names is found without it', () => {
    const volumeClaims = [{ namespace: 'shop', template: 'data', statefulSet: 'db' }];
    const all = [claim('data-db-0'), claim('data-db-7'), claim('data-my-db-0')];
    expect(told(all, { volumeClaims, persistentVolumeClaims: 'Delete' }).does).toEqual([
      'delete persistentvolumeclaim shop/data-db-0',
      'delete persistentvolumeclaim shop/data-db-7',
    ]);
  });

  it('that is to be retained is not left to the garbage collector', () => {
    const service = seen('Service shop/front');
    const owned = claim('tenant', { owners: [{ uid: service.uid, kind: 'Service', name: 'front' }] });
    expect(told([service, owned])).toEqual({
      does: [],
      waits: ['data-owned PersistentVolumeClaim tenant'],
      phase: 'DeleteError',
    });
    expect(told([service, owned], { persistentVolumeClaims: 'Delete' }).does).toEqual(['delete service shop/front']);
  });

  it('that is swept goes by policy as well', () => {
    expect(told([claim('made', { sweptBy: ['front'] })]).does).toEqual([]);
  });
});

describe('a definition', () => {
  const definition = seen('CustomResourceDefinition widgets.shop.example.edu');
  const name = 'widgets.shop.example.edu';

  it('is not touched, nor anything behind it, before its instances were looked for', () => {
    const decision = decide(plan([component('front')]), observation([definition, seen('Deployment shop/operator')]));
    expect(decided(decision).does).toEqual([]);
    expect(decision.next.instances).toEqual([name]);
  });

  it('goes when none is left', () => {
    expect(told([definition], {}, { instances: [{ definition: name, left: [] }] }).does).toEqual([
      `delete customresourcedefinition ${name}`,
    ]);
  });

  it('stays, with its operator, while anybody has one, who is named', () => {
    const left = [seen('Widget theirs/thing', { labels: {} })];
    const all = [definition, seen('Deployment shop/operator'), seen('ValidatingWebhookConfiguration front')];
    expect(told(all, {}, { instances: [{ definition: name, left }] })).toEqual({
      does: [],
      waits: ['instances-left Widget thing'],
      phase: 'Deleting',
    });
  });

  it('stays when they cannot be listed', () => {
    const unread = { what: name, status: 500, why: 'conversion webhook failed' };
    expect(told([definition], {}, { instances: [{ definition: name, left: [], unread }] })).toMatchObject({
      does: [],
      waits: [`unread CustomResourceDefinition ${name}`],
    });
  });
});

describe('resource policies', () => {
  it.each(['keep', 'Keep', ' KEEP ', 'keep\n'])('%j keeps an object, as Helm reads it', (resourcePolicy) => {
    const kept = seen('ConfigMap shop/kept', { resourcePolicy });
    const decision = decide(plan([component('front')]), observation([kept], { names: true }));
    expect(decision.actions).toEqual([]);
    expect(decision.status).toMatchObject({ phase: 'Deleted', leftovers: [idFrom('ConfigMap shop/kept')] });
  });

  it.each(['kept', 'keep,', 'retain', 'true'])('%j is an error, before anything goes', (resourcePolicy) => {
    const misspelled = seen('ConfigMap shop/kept', { resourcePolicy });
    expect(told([misspelled, seen('Deployment shop/front')])).toEqual({
      does: [],
      waits: ['resource-policy ConfigMap kept'],
      phase: 'DeleteError',
    });
  });
});

describe('a Helm release', () => {
  const release = (differs: Partial<SeenRelease> = {}): SeenRelease => ({
    namespace: 'shop',
    name: 'front',
    revision: 2,
    at: now - 3_600_000,
    status: 'deployed',
    objects: [],
    hooks: [],
    ...differs,
  });
  const at = (differs: Partial<SeenRelease> = {}, more: Partial<PlannedComponent> = {}) =>
    told(
      [seen('ConfigMap shop/front')],
      { release: { namespace: 'shop', name: 'front' }, ...more },
      { releases: [release(differs)] },
    );
  const uninstalls = ['uninstall Helm release shop/front'];

  it.each(['deployed', 'failed', 'superseded', 'uninstalling', 'unknown'])(
    'that is %s is uninstalled by Helm first',
    (status) => {
      expect(at({ status }).does).toEqual(uninstalls);
    },
  );

  it('that is not there leaves the default to us', () => {
    expect(told([seen('ConfigMap shop/front')], { release: { namespace: 'shop', name: 'front' } }).does).toEqual([
      'delete configmap shop/front',
    ]);
    expect(at({ status: 'uninstalled' }).does).toEqual(['delete configmap shop/front']);
  });

  it('that another Helm is at work on is waited for, but not for ever', () => {
    const pending = { status: 'pending-upgrade' };
    expect(at({ ...pending, at: now - 60_000 })).toMatchObject({
      does: [],
      waits: ['release-pending Secret sh.helm.release.v1.front.v2'],
    });
    expect(at({ ...pending, at: now - 601_000 }).does).toEqual(uninstalls);
  });

  it('that cannot be read is not uninstalled', () => {
    expect(at({ unreadable: 'no gzip' })).toMatchObject({
      does: [],
      waits: ['release-unreadable Secret sh.helm.release.v1.front.v2'],
    });
  });

  it.each(['PersistentVolumeClaim shop/data', 'Namespace shop', 'CustomResourceDefinition widgets.shop.example.edu'])(
    'that would take a %s with it, asking nobody, is not uninstalled',
    (text) => {
      const object = idFrom(text);
      expect(at({ objects: [object] })).toMatchObject({
        does: [],
        waits: [`release-deletes-more ${object.kind} ${object.name}`],
      });
      expect(at({ objects: [{ ...object, resourcePolicy: 'Keep' }] }).does).toEqual(uninstalls);
    },
  );

  it('may take volume claims where those are to go', () => {
    const objects = [idFrom('PersistentVolumeClaim shop/data')];
    expect(at({ objects }, { persistentVolumeClaims: 'Delete' }).does).toEqual(uninstalls);
  });

  it('with a misspelled policy is an error: Helm would leave the object without a word', () => {
    expect(at({ objects: [{ ...idFrom('ConfigMap shop/a'), resourcePolicy: 'kepp' }] })).toMatchObject({
      does: [],
      waits: ['resource-policy ConfigMap a'],
      phase: 'DeleteError',
    });
  });

  it('that failed to go is tried again later, and named', () => {
    const refusals = (ms: number) => ({
      'release shop/front': {
        status: 1,
        reason: 'HelmFailed',
        text: 'pre-delete hooks failed',
        at: now - ms,
        attempts: 3,
      },
    });
    const of = (ms: number) =>
      told(
        [],
        { release: { namespace: 'shop', name: 'front' } },
        { releases: [release({ status: 'uninstalling' })], refusals: refusals(ms) },
      );
    expect(of(1000)).toEqual({
      does: [],
      waits: ['release-failed Secret sh.helm.release.v1.front.v2'],
      phase: 'DeleteError',
    });
    expect(of(4000).does).toEqual(uninstalls);
  });
});

describe('what is not known', () => {
  const unread = [{ what: 'v1/ConfigMap', status: 403, why: 'configmaps is forbidden' }];

  it('stops everything, with its name', () => {
    expect(told([seen('Deployment shop/front')], {}, { unread })).toMatchObject({
      does: [],
      waits: ['forbidden ConfigMap *'],
    });
  });

  it('does not, where nothing of ours can be', () => {
    const listed = [idFrom('Deployment shop/front')];
    const foreign = [{ what: 'metrics.example.edu/v1/Thing', status: 503, why: 'no backend' }];
    expect(told([seen('Deployment shop/front')], { listed }, { unread: foreign }).does).toEqual([
      'delete deployment shop/front',
    ]);
    expect(told([seen('Deployment shop/front')], {}, { unread: foreign }).does).toEqual([]);
    const ours = seen('APIService v1.metrics.example.edu');
    expect(told([ours], {}, { unread: foreign }).does).toEqual(['delete apiservice v1.metrics.example.edu']);
  });

  it('does not either, where only something that left git could be', () => {
    const foreign = [{ what: 'metrics.example.edu/v1/Thing', status: 503, why: 'no backend' }];
    const rest = component('left git', {
      own: [{ labels: { 'quiesce.dev/installation': 'shop' } }],
      renderedOnly: true,
    });
    const old = seen('ConfigMap shop/old', { labels: labelsOf('gone') });
    expect(decided(decide(plan([rest]), observation([old], { unread: foreign }))).does).toEqual([
      'delete configmap shop/old',
    ]);
    expect(decided(decide(plan([rest]), observation([old], { unread }))).does).toEqual([]);
  });

  it('is an error when it lasts', () => {
    const shown = {
      run: 'run-1',
      phase: 'Deleting',
      blockers: [
        {
          code: 'forbidden',
          who: 'operators',
          object: { apiVersion: 'v1', kind: 'ConfigMap', name: '*' },
          message: '',
          since: '2026-03-02T08:58:00Z',
        },
      ],
    } as const;
    expect(told([], {}, { unread, shown })).toMatchObject({ phase: 'DeleteError' });
  });
});

describe('a refused request', () => {
  const object = seen('ConfigMap shop/front');
  const refused = (status: number, text: string, attempts = 2) => ({
    refusals: { [object.uid]: { status, reason: '', text, at: now, attempts } },
  });

  it.each([
    [403, 'admission webhook "guard.example.edu" denied the request: not today', 'webhook-refused'],
    [500, 'Internal error occurred: failed calling webhook "guard.example.edu": no endpoints', 'webhook-refused'],
    [422, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request", 'webhook-refused'],
    [403, 'configmaps "front" is forbidden: User cannot delete', 'forbidden'],
    [500, 'etcdserver: request timed out', 'server-error'],
    [429, 'too many requests', 'server-error'],
    [0, 'no answer', 'server-error'],
    [422, 'invalid', 'refused'],
  ])('with %i "%s" is %s', (status, text, code) => {
    expect(told([object], {}, refused(status, text))).toMatchObject({ does: [], waits: [`${code} ConfigMap front`] });
  });

  it('is tried again after twice as long each time', () => {
    const at = (attempts: number, ms: number) =>
      told([object], {}, { refusals: { [object.uid]: { status: 500, reason: '', text: '', at: now - ms, attempts } } })
        .does.length;
    expect([at(1, 999), at(1, 1000), at(4, 7999), at(4, 8000), at(20, 59_999), at(20, 60_000)]).toEqual([
      0, 1, 0, 1, 0, 1,
    ]);
  });

  it('keeps what comes later from going, and nothing of other components', () => {
    const other = seen('ConfigMap shop/other', { labels: labelsOf('other') });
    const later = seen('ServiceAccount shop/front');
    const sight = observation([object, later, other], refused(403, 'forbidden'));
    expect(decided(decide(plan([component('front'), component('other')]), sight)).does).toEqual([
      'delete configmap shop/other',
    ]);
  });
});

describe('objects that are not ours', () => {
  it.each([
    ['without our label', {}],
    ['of another installation', labelsOf('front', 'garden')],
    ['of another component', labelsOf('back')],
  ])('are not touched %s, even under a name that was rendered; they are told of', (_, labels) => {
    const listed = [idFrom('ConfigMap shop/front')];
    const decision = decide(
      plan([component('front', { listed })]),
      observation([seen('ConfigMap shop/front', { labels })], { names: true }),
    );
    expect(decision.actions).toEqual([]);
    expect(decision.status).toMatchObject({ phase: 'Deleted', leftovers: listed });
  });

  it('are told of when they call what is gone', () => {
    const listed = [idFrom('Service shop/hook')];
    const services = [
      { namespace: 'shop', name: 'hook', alive: false },
      { namespace: 'theirs', name: 'hook', alive: true },
    ];
    const webhook = seen('ValidatingWebhookConfiguration theirs', {
      labels: {},
      details: { kind: 'called', services, others: 0 },
    });
    const decision = decide(plan([component('front', { listed })]), observation([webhook], { names: true }));
    expect(decision).toMatchObject({
      actions: [],
      status: { phase: 'Deleted', leftovers: [idFrom('ValidatingWebhookConfiguration theirs')] },
    });
  });
});
