import type { Json } from '../render/yaml.ts';
import type { Change } from './change.ts';
import { type Danger, type DangerKind, danger } from './danger.ts';
import { immutableFields } from './immutable-fields.ts';
import { objectInWords } from './inventory.ts';
import { isMap, type JsonObject, type ObjectDiff, type RenderedObject } from './object-diff.ts';
import { compareQuantities } from './quantity.ts';
import { widenedRights } from './rights.ts';

/** A unit whose objects differ, with both sides of them. */
export interface UnitObjects {
  readonly unit: string;
  readonly cluster: string;
  readonly before: readonly RenderedObject[];
  readonly after: readonly RenderedObject[];
  readonly diffs: readonly ObjectDiff[];
}

interface Sides {
  readonly kind: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly diff: ObjectDiff;
  /**
   * Whether the manifests are somebody else's: what our own constructs add and remove with a claim is told in words
   * already, of other manifests nothing is known but their objects.
   */
  readonly isForeign: boolean;
}

/**
 * Dangers that only the rendered objects show. `told` has the kinds of danger that the words about the same unit name
 * already: nothing is said twice.
 */
export function objectDangers(objects: UnitObjects, told: ReadonlySet<DangerKind>): Change[] {
  const was = new Map(objects.before.map(({ id, value }) => [id, value]));
  const is = new Map(objects.after.map(({ id, value }) => [id, value]));
  return objects.diffs.flatMap((diff): Change[] => {
    const sides = {
      kind: diff.id.split('/')[1] ?? '',
      before: was.get(diff.id),
      after: is.get(diff.id),
      diff,
      isForeign: objects.unit.startsWith('component/'),
    };
    const dangers = rules.flatMap((rule) => rule(sides)).filter(({ kind }) => !told.has(kind));
    if (dangers.length === 0) return [];
    const name = objectInWords(diff.id);
    const text = `${name} on ${objects.cluster} ${actions[diff.action]}.`;
    const subject = { kind: 'object', name, cluster: objects.cluster } as const;
    return [{ kind: 'object-changed', subject, text, dangers, unit: objects.unit }];
  });
}

const actions = { added: 'is added', changed: 'changes', removed: 'is removed' } as const;

type Rule = (sides: Sides) => readonly Danger[];

const immutable: Rule = ({ kind, before, after, diff }) => {
  if (before === undefined || after === undefined) return [];
  const fields = immutableFields(kind, before, diff);
  if (fields.length === 0) return [];
  return danger(
    'immutable-field',
    `immutable field: Kubernetes refuses to change ${fields.join(', ')}, so the applier will report an error`,
  );
};

const smallerVolume: Rule = ({ kind, diff }) => {
  if (kind !== 'StatefulSet' && kind !== 'PersistentVolumeClaim') return [];
  const shrunk = diff.fields.find(
    ({ path, before, after }) => path.endsWith('resources.requests.storage') && isLess(after, before),
  );
  return shrunk === undefined
    ? []
    : danger('volume-shrunk', `PVC shrunk from ${shrunk.before} to ${shrunk.after}: no volume can be made smaller`);
};

function isLess(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  return (compareQuantities(a, b) ?? 0) < 0;
}

const widerRights: Rule = ({ kind, before, after, isForeign }) => {
  // What comes with a new claim is what every claim has.
  if (after === undefined || (before === undefined && !isForeign)) return [];
  const rights = widenedRights(kind, before, after);
  return rights.length === 0 ? [] : danger('rbac-widened', `RBAC widened: ${rights.join('; ')}`);
};

/** A sleeping claim has none: that it sleeps is told. */
const fewerReplicas: Rule = ({ kind, before, after, isForeign }) => {
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'ReplicaSet') return [];
  if (before === undefined || after === undefined) return [];
  const [was, is] = [replicasOf(before), replicasOf(after)];
  if (is >= was) return [];
  if (is === 0) return isForeign ? danger('outage', 'outage: it has no replica any more') : [];
  return danger('ha-reduced', `HA reduced: ${is} in place of ${was} replicas survive the loss of a node less well`);
};

function replicasOf(workload: JsonObject): number {
  const spec = workload.spec;
  const count = isMap(spec) ? spec.replicas : undefined;
  return typeof count === 'number' ? count : 1;
}

const weakerBudget: Rule = ({ kind, diff }) => {
  if (kind !== 'PodDisruptionBudget') return [];
  if (diff.action === 'removed')
    return danger('ha-reduced', 'HA reduced: nothing limits how many of its pods go at once');
  const weaker = diff.fields.find(({ path, before, after }) => {
    const sign = path === 'spec.minAvailable' ? 1 : path === 'spec.maxUnavailable' ? -1 : 0;
    return (numberOf(before) - numberOf(after)) * sign > 0;
  });
  return weaker === undefined ? [] : danger('ha-reduced', 'HA reduced: more of its pods may go at once');
};

/** Counts and percentages are not compared with each other: what is no number here is not called weaker. */
function numberOf(value: Json | undefined): number {
  return typeof value === 'string' ? Number.parseFloat(value) : typeof value === 'number' ? value : Number.NaN;
}

const publicExposure: Rule = ({ kind, before, after }) => {
  const hosts = exposedBy(kind, after).filter((host) => !exposedBy(kind, before).includes(host));
  return hosts.length === 0 ? [] : danger('public-exposure', `public exposure: ${hosts.join(', ')}`);
};

function exposedBy(kind: string, object: JsonObject | undefined): readonly string[] {
  const spec = object?.spec;
  if (!isMap(spec)) return [];
  if (kind === 'Service') return spec.type === 'LoadBalancer' || spec.type === 'NodePort' ? [`a ${spec.type}`] : [];
  if (kind === 'Ingress')
    return listOf(spec.rules).map((rule) => (isMap(rule) && typeof rule.host === 'string' ? rule.host : 'every host'));
  return kind === 'HTTPRoute' || kind === 'GRPCRoute' ? listOf(spec.hostnames).map(String) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

const workloads: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Service',
  'Ingress',
]);

/** Only where others wrote the manifests: with a claim it is told what happens to all of its objects. */
const dropped: Rule = ({ kind, before, diff, isForeign }) => {
  if (diff.action !== 'removed' || !isForeign || before === undefined) return [];
  if (isKept(before))
    return danger('left-behind', 'the applier does not prune it: it stays, and nothing looks after it');
  return workloads.has(kind) ? danger('outage', 'the applier prunes it: what it served stops') : [];
};

function isKept({ metadata }: JsonObject): boolean {
  const annotations = isMap(metadata) ? metadata.annotations : undefined;
  if (!isMap(annotations)) return false;
  const { 'argocd.argoproj.io/sync-options': argocd, 'kustomize.toolkit.fluxcd.io/prune': flux } = annotations;
  return flux === 'disabled' || (typeof argocd === 'string' && argocd.includes('Prune=false'));
}

const rules: readonly Rule[] = [
  immutable,
  smallerVolume,
  widerRights,
  fewerReplicas,
  weakerBudget,
  publicExposure,
  dropped,
];
