import { createHash } from 'node:crypto';
import type { Observation } from '../../../src/sidecar/claims/observation.ts';
import { uninstallPlanOf } from '../../../src/sidecar/claims/plan.ts';
import type { SeenObject, UninstallObservation } from '../../../src/sidecar/uninstall/observation.ts';
import { ago, claim, decided, now, shown } from './observed.ts';

export const hash = (text: string) => createHash('sha256').update(text).digest('hex');

export type Differs = NonNullable<Parameters<typeof claim>[1]>;

/** The order is written down already. */
export function deleted(differs: Differs = {}, spec: Parameters<typeof claim>[0] = {}) {
  return claim({ state: 'Deleted', ...spec }, { ...shown({ phase: 'DeletePending', reason: 'Ordered' }), ...differs });
}

function look(objects: readonly SeenObject[], differs: Partial<UninstallObservation> = {}): UninstallObservation {
  return {
    at: now,
    shown: undefined,
    unserved: [],
    depth: 'full',
    names: true,
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

export function seen(kind: string, name: string, differs: Partial<SeenObject> = {}): SeenObject {
  const apiVersion = kind === 'StatefulSet' ? 'apps/v1' : 'v1';
  return {
    apiVersion,
    kind,
    namespace: 'vcluster-ada',
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    createdAt: ago(7200),
    labels: { 'quiesce.dev/claim': 'ada' },
    finalizers: [],
    owners: [],
    rendered: true,
    ...differs,
  };
}

export const synced = { labels: { 'vcluster.loft.sh/managed-by': 'ada' }, rendered: false };
const namespace = seen('Namespace', 'vcluster-ada');
const { namespace: _, ...withoutNamespace } = namespace;
export const clusterScoped: SeenObject = withoutNamespace;

export function uninstalling(
  of: Observation['claim'],
  objects: readonly SeenObject[],
  differs = {},
  spaces: readonly string[] = [],
): Partial<Observation> {
  return { claim: of, uninstall: { plan: uninstallPlanOf(of, hash, spaces), look: look(objects, differs) } };
}

export function removed(differs: Partial<Observation>): string[] {
  const actions = decided(differs).uninstall?.decision.actions ?? [];
  return actions.flatMap((action) => (action.kind === 'delete' ? [`${action.object.kind} ${action.object.name}`] : []));
}
