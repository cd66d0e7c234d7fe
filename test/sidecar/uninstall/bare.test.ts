import { describe, expect, it } from 'vitest';
import type { SeenObject, UninstallObservation } from '../../../src/sidecar/uninstall/observation.ts';
import { component, decide, idFrom, labelsOf, now, observation, plan, seen } from './seen.ts';

const space = seen('Namespace shop');
const one = plan([component('front', { listed: [idFrom('Service shop/front'), idFrom('ConfigMap shop/front')] })]);

const within = (...objects: readonly SeenObject[]) => [{ namespace: 'shop', at: now, objects, unread: [] }];

/** Since when, after a look at everything that has shown these. */
const bare = (objects: readonly SeenObject[], differs: Partial<UninstallObservation> = {}) =>
  decide(one, observation([space, ...objects], { names: true, contents: within(), ...differs })).next.bareSince;

describe('nothing is left but namespaces that go', () => {
  it('when a look at everything and at every name has shown so', () => {
    expect(bare([])).toBe(now);
    expect(bare([], { names: false })).toBeUndefined();
    expect(bare([], { depth: 'narrow' })).toBeUndefined();
  });

  it.each([
    ['something of ours', seen('Role shop/front')],
    ['what is kept', seen('ConfigMap shop/kept', { resourcePolicy: 'keep' })],
    ['what has a name of ours', seen('ConfigMap shop/front', { labels: {}, rendered: false })],
    [
      'what may call what is gone',
      seen('ValidatingWebhookConfiguration theirs', {
        labels: {},
        rendered: false,
        details: { kind: 'called', services: [{ namespace: 'shop', name: 'front', alive: true }], others: 1 },
      }),
    ],
  ])('not with %s', (_, object) => expect(bare([object])).toBeUndefined());

  it('not while anything runs in them, or nobody has looked: an operator may make things anew anywhere', () => {
    const ending = seen('Pod shop/operator', { labels: {}, rendered: false, deletedAt: now - 1000 });
    expect(bare([], { contents: within(ending) })).toBeUndefined();
    expect(bare([], { contents: [] })).toBeUndefined();
    expect(bare([], { contents: within(seen('ConfigMap shop/kube-root-ca.crt', { labels: {} })) })).toBe(now);
  });

  it('not where anything could not be read', () => {
    expect(bare([], { unread: [{ what: 'v1/Secret', status: 500, why: '' }] })).toBeUndefined();
    expect(bare([], { unserved: [{ what: 'metrics.k8s.io/v1', status: 503, why: '' }] })).toBeUndefined();
  });

  it('so with the last of them all is, for a while', () => {
    const later = (bareSince: number | undefined) =>
      decide(one, observation([], { depth: 'narrow', ...(bareSince !== undefined && { bareSince }) }));
    expect(later(now - 59_000).status.phase).toBe('Deleted');
    for (const decision of [later(now - 61_000), later(undefined)]) {
      expect(decision.status.phase).toBe('Deleting');
      expect(decision.next).toMatchObject({ depth: 'full', names: true });
    }
  });

  it('and it is looked for as the last things go', () => {
    const { next } = decide(one, observation([space, seen('ConfigMap shop/front')]));
    expect(next).toMatchObject({ depth: 'full', names: true, contents: ['shop'] });
    const left = plan([component('left git', { renderedOnly: true })]);
    expect(
      decide(left, observation([seen('ConfigMap shop/front', { labels: labelsOf('left git') })])).next,
    ).toMatchObject({
      depth: 'narrow',
      names: false,
    });
  });
});
