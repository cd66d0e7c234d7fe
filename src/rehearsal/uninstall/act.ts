import type { HookStart, UninstallAction } from '../../sidecar/uninstall/decision.ts';
import { hookKey } from '../../sidecar/uninstall/hooks.ts';
import { kindKey } from '../../sidecar/uninstall/kinds.ts';
import type { Refusal, SeenRelease } from '../../sidecar/uninstall/observation.ts';
import { isKept } from '../../sidecar/uninstall/resource-policy.ts';
import type { Scene } from './look.ts';
import type { Objects } from './objects.ts';
import type { PicturedObject } from './pictured.ts';

/** What was told to go, in order, with the component for which. */
interface Order {
  readonly uid: string;
  readonly component: string;
}

/** What a run has done so far. */
export interface Deeds {
  readonly orders: Order[];
  readonly hooks: { readonly component: string; readonly name: string }[];
  readonly releases: SeenRelease[];
  readonly refusals: Map<string, Refusal>;
}

export function newDeeds(): Deeds {
  return { orders: [], hooks: [], releases: [], refusals: new Map() };
}

/** As the API server would carry it out. */
export function carryOut(action: UninstallAction, scene: Scene, deeds: Deeds): void {
  const { objects } = scene;
  switch (action.kind) {
    case 'delete':
      deeds.orders.push({ uid: action.uid, component: action.component });
      objects.ask(action.uid, 'order', action.propagation);
      return;
    case 'dropFinalizers':
      objects.release(action.uid, () => true);
      return;
    case 'finalizeNamespace':
      objects.remove(action.uid);
      return;
    case 'markData': {
      const labels = objects.get(action.uid)?.labels ?? {};
      objects.change(action.uid, { labels: { ...labels, ...action.labels } });
      return;
    }
    case 'startHook':
      startHook(action, scene, deeds);
      return;
    case 'helmUninstall':
      helmUninstall(action, scene, deeds);
  }
}

function startHook(action: HookStart, { objects }: Scene, { hooks, refusals }: Deeds): void {
  const { component, hook, namespace, job, labels } = action;
  const isThere = objects.all().some((object) => kindKey(object) === '/Namespace' && object.name === namespace);
  if (!isThere) {
    const text = `namespaces "${namespace}" not found`;
    refusals.set(hookKey(component, hook.name), {
      status: 404,
      reason: 'NotFound',
      text,
      at: objects.now,
      attempts: 1,
    });
    return;
  }
  hooks.push({ component, name: hook.name });
  objects.addJob(jobObject(objects, { namespace, name: job, labels }), hook.timeoutSeconds);
}

function jobObject(
  { now }: Objects,
  {
    namespace,
    name,
    labels,
  }: { readonly namespace: string; readonly name: string; readonly labels: HookStart['labels'] },
): PicturedObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    namespace,
    name,
    uid: `job ${namespace}/${name}`,
    resourceVersion: '',
    createdAt: now,
    labels,
    finalizers: [],
    owners: [],
    rendered: false,
  };
}

/** What the record names, where it was looked into; else what bears the labels that charts are asked to give. */
function helmUninstall(
  { namespace, release: name }: { readonly namespace: string; readonly release: string },
  { objects, releases }: Scene,
  deeds: Deeds,
): void {
  const release = releases.find((each) => each.namespace === namespace && each.name === name);
  if (release === undefined || deeds.releases.includes(release)) return;
  deeds.releases.push(release);
  for (const object of objects.all()) {
    const isRecord = object.kind === 'Secret' && object.labels.owner === 'helm' && object.labels.name === name;
    if (!isRecord && (isKept(object) || !isOfRelease(object, release))) continue;
    if (object.namespace === undefined || object.namespace === namespace) objects.ask(object.uid, 'helm');
  }
}

function isOfRelease(object: PicturedObject, release: SeenRelease): boolean {
  if (release.objects.length > 0) {
    return release.objects.some(
      (each) =>
        kindKey(each) === kindKey(object) &&
        each.name === object.name &&
        (each.namespace ?? '') === (object.namespace ?? ''),
    );
  }
  const { labels } = object;
  return labels['app.kubernetes.io/managed-by'] === 'Helm' && labels['app.kubernetes.io/instance'] === release.name;
}
