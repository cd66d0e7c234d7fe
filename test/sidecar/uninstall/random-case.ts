import fc from 'fast-check';
import type { Hook, Hooks, PlannedComponent, UninstallPlan } from '../../../src/sidecar/uninstall/plan.ts';
import { component, hook, idFrom, labelsOf, now, plan, seen } from './seen.ts';
import type { Faults, Mishap, Script, Simulated } from './simulator.ts';

export interface Case {
  readonly plan: UninstallPlan;
  readonly objects: readonly Simulated[];
  readonly faults: Faults;
  readonly script: Script;
}

export function customers({ objects }: Case): readonly Simulated[] {
  return objects.filter(({ uid }) => uid.includes('theirs'));
}

/** Nothing in it is for ever: hooks that never succeed, finalizers that are never released, what people have to decide. */
export function mayEnd({ plan: of, objects, script }: Case): boolean {
  const hasDefinition = objects.some(({ kind }) => kind === 'CustomResourceDefinition');
  const stays = (object: Simulated) =>
    object.labels['quiesce.dev/component'] === undefined || object.resourcePolicy !== undefined;
  const isHopeless = (object: Simulated) =>
    (object.lingers < 0 && of.strategy === 'Ordered') ||
    object.resourcePolicy === 'kept' ||
    (hasDefinition && object.kind === 'Widget' && stays(object));
  const isEndless = of.components.some(({ name, hooks }) =>
    [...hooks.preDelete, ...hooks.delete, ...hooks.postDelete].some(
      (each) => script[`${name}/${each.name}`]?.at(-1) === 'Failed',
    ),
  );
  return !objects.some(isHopeless) && (of.strategy === 'Quick' || !isEndless);
}

const names = ['base', 'store', 'front'] as const;
const namespaces = ['shop', 'shop', 'front'] as const;

const kinds = [
  'Deployment',
  'StatefulSet',
  'ConfigMap',
  'Service',
  'ServiceAccount',
  'Role',
  'Widget',
  'CronJob',
  'PersistentVolumeClaim',
] as const;
const clusterKinds = ['ClusterRole', 'PriorityClass', 'ValidatingWebhookConfiguration'] as const;
const theirKinds = ['Secret', 'ConfigMap', 'PersistentVolumeClaim', 'Ingress', 'Widget', 'Lease'] as const;

const span = fc.record({ from: fc.nat(60), seconds: fc.integer({ min: 1, max: 40 }) });

const faults: fc.Arbitrary<Faults> = fc.record({
  refusals: fc.array(span, { maxLength: 2 }),
  blindness: fc.array(
    fc
      .tuple(span, fc.constantFrom('ConfigMap', 'Deployment', 'Role', 'Service', 'PersistentVolumeClaim', 'Pod'))
      .map(([when, of]) => ({ ...when, of })),
    { maxLength: 2 },
  ),
  kills: fc.array(fc.nat(100), { maxLength: 4 }),
  deaths: fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }) },
    // After each of the first so many.
    { weight: 1, arbitrary: fc.nat(40).map((length) => Array.from({ length }, (_, index) => index + 1)) },
  ),
  mishaps: fc.array(
    fc.record({
      request: fc.integer({ min: 1, max: 40 }),
      what: fc.constantFrom<Mishap>(403, 409, 410, 429, 500, 'answer lost'),
    }),
    { maxLength: 5 },
  ),
  writesFirst: fc.boolean(),
  takings: fc
    .array(fc.record({ at: fc.nat(60), which: fc.nat(20) }), { maxLength: 2 })
    .map((all) => [...all].sort((a, b) => a.at - b.at)),
});

const lingers = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constant(-1) },
);

const ours = fc.record({
  kind: fc.constantFrom(...kinds, ...clusterKinds),
  of: fc.nat(2),
  lingers,
  finalizer: fc.boolean(),
  policy: fc.option(fc.constantFrom('keep', 'kept'), { freq: 12 }),
  isLabelled: fc.option(fc.constant(false), { freq: 12 }),
});

const theirs = fc.record({ kind: fc.constantFrom(...theirKinds), in: fc.nat(2) });

const hooksOf: fc.Arbitrary<Hooks> = fc.record({
  preDelete: fc.array(fc.constantFrom(hook('before')), { maxLength: 1 }),
  delete: fc.array(fc.constantFrom(hook('instead')), { maxLength: 1 }),
  postDelete: fc.array(fc.constantFrom<Hook>(hook('after'), hook('after', { serviceAccount: 'cleaner' })), {
    maxLength: 1,
  }),
});

const outcomes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['Succeeded'] as const) },
  { weight: 2, arbitrary: fc.constant(['Failed', 'Failed', 'Succeeded'] as const) },
  { weight: 1, arbitrary: fc.constant(['Failed'] as const) },
);

export const randomCase: fc.Arbitrary<Case> = fc
  .record({
    objects: fc.array(ours, { maxLength: 14 }),
    others: fc.array(theirs, { maxLength: 3 }),
    hooks: fc.tuple(hooksOf, hooksOf, hooksOf),
    hasHooks: fc.boolean(),
    script: fc.tuple(outcomes, outcomes, outcomes),
    data: fc.constantFrom('Retain', 'Delete'),
    isChained: fc.boolean(),
    hasDefinition: fc.boolean(),
    strategy: fc.constantFrom('Ordered', 'Ordered', 'Quick'),
    parallel: fc.integer({ min: 1, max: 3 }),
    faults,
  })
  .map(
    ({ objects, others, hooks, hasHooks, script, data, isChained, hasDefinition, strategy, parallel, faults: of }) => {
      const made = [
        ...namespaced(),
        ...(hasDefinition
          ? [plainly('CustomResourceDefinition widgets.shop.example.edu', 'base'), plainly(operator, 'base')]
          : []),
        ...objects
          .flatMap((each, index) => objectsOf(each, index))
          .map((each) => (hasDefinition ? finishedByOperator(each) : each)),
        ...others.map((each, index) => theirObject(each, index)),
      ];
      const components = names.map((name, index): PlannedComponent => {
        const after = isChained ? names.slice(index + 1) : [];
        const rendered = made.filter(
          ({ labels, owners }) => labels['quiesce.dev/component'] === name && owners.length === 0,
        );
        return component(name, {
          after,
          namespace: namespaces[index] ?? 'shop',
          listed: rendered.map(({ uid }) => idFrom(uid)),
          persistentVolumeClaims: data,
          hooks: hasHooks ? (hooks[index] ?? none) : none,
        });
      });
      const scripts = Object.fromEntries(
        names.flatMap((name, index) =>
          ['before', 'instead', 'after'].map((each) => [`${name}/${each}`, script[index] ?? ['Succeeded']]),
        ),
      ) as Script;
      return {
        plan: plan(components, { strategy, parallel, timeoutSeconds: 600 }),
        objects: made,
        faults: of,
        script: scripts,
      };
    },
  );

const operator = 'Deployment shop/operator';

/** Their finalizer is released only while it lives. */
function finishedByOperator(object: Simulated): Simulated {
  return object.kind === 'Widget' && object.finalizers.length > 0 ? { ...object, heldBy: operator } : object;
}

const none: Hooks = { preDelete: [], delete: [], postDelete: [] };

function plainly(text: string, of: string, differs: Partial<Simulated> = {}): Simulated {
  return { ...seen(text, { labels: labelsOf(of), createdAt: now - 3_600_000 }), lingers: 0, ...differs };
}

function namespaced(): Simulated[] {
  return [
    plainly('Namespace shop', 'base'),
    plainly('Namespace front', 'front'),
    ...['shop', 'front'].flatMap((namespace) => [
      plainly(`ServiceAccount ${namespace}/default`, '', { labels: {}, rendered: false }),
      plainly(`ConfigMap ${namespace}/kube-root-ca.crt`, '', { labels: {}, rendered: false }),
    ]),
  ];
}

type Ours = typeof ours extends fc.Arbitrary<infer T> ? T : never;

/** With what their controllers make of them. */
function objectsOf({ kind, of, lingers: seconds, finalizer, policy, isLabelled }: Ours, index: number): Simulated[] {
  const name = names[of] ?? 'base';
  const namespace = namespaces[of] ?? 'shop';
  const place = (clusterKinds as readonly string[]).includes(kind)
    ? `${name}-${index}`
    : `${namespace}/${name}-${index}`;
  const hasFinalizer = finalizer && seconds !== 0;
  const object = plainly(`${kind} ${place}`, name, {
    lingers: hasFinalizer ? seconds : Math.max(0, seconds),
    finalizers: hasFinalizer ? ['example.edu/hold'] : [],
    ...(policy !== null && { resourcePolicy: policy }),
    ...(isLabelled === false && { labels: {} }),
    ...(kind === 'StatefulSet' && { details: { kind: 'statefulSet', templates: ['data'] } }),
  });
  const pod = (owner: Simulated) =>
    plainly(`Pod ${namespace}/${owner.name}-0`, '', {
      labels: {},
      rendered: false,
      owners: [{ uid: owner.uid, kind: owner.kind, name: owner.name }],
      lingers: Math.max(0, seconds),
    });
  if (kind === 'Deployment') return [object, pod(object)];
  if (kind !== 'StatefulSet') return [object];
  const claim = plainly(`PersistentVolumeClaim ${namespace}/data-${object.name}-0`, '', {
    labels: {},
    rendered: false,
  });
  return [object, pod(object), claim];
}

function theirObject({ kind, in: of }: { readonly kind: string; readonly in: number }, index: number): Simulated {
  const namespace = ['shop', 'front', 'elsewhere'][of] ?? 'shop';
  // A Lease keeps nobody's namespace: one that stays must not be theirs.
  return plainly(`${kind} ${kind === 'Lease' ? 'elsewhere' : namespace}/theirs-${index}`, '', {
    labels: {},
    rendered: false,
  });
}
