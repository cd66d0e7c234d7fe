import type { Instant } from '../../instant.ts';
import { hookLabels } from '../../sidecar/uninstall/belongs.ts';
import type { NextLook } from '../../sidecar/uninstall/decision.ts';
import { groupOf, kindKey } from '../../sidecar/uninstall/kinds.ts';
import type {
  Instances,
  NamespaceContent,
  SeenJob,
  SeenObject,
  SeenRelease,
  UninstallObservation,
  Unread,
} from '../../sidecar/uninstall/observation.ts';
import type { Sweep, UninstallPlan } from '../../sidecar/uninstall/plan.ts';
import { definedBy, type Stage } from './controllers.ts';
import type { PicturedObject } from './pictured.ts';
import { selects } from './selector.ts';

/** What a sidecar would look at, and what it remembers between two looks. */
export interface Scene extends Stage {
  readonly releases: readonly SeenRelease[];
  /** Kinds that nobody can list, the sidecar included. */
  readonly unread: readonly Unread[];
  readonly unserved: readonly Unread[];
}

export interface LookMemory {
  readonly next: NextLook;
  readonly contents: readonly NamespaceContent[];
}

export const firstLook: LookMemory = {
  next: { depth: 'full', contents: [], instances: [], names: false },
  contents: [],
};

/**
 * Everything is looked at each time. A sidecar that looks narrowly first looks at the rest before it says that anything
 * is over, so it comes to the same.
 */
export function lookAt(
  scene: Scene,
  plan: UninstallPlan,
  { next, contents }: LookMemory,
): Omit<UninstallObservation, 'shown' | 'refusals' | 'deletions'> {
  const { objects, unread, unserved, releases } = scene;
  const { now } = objects;
  const before = earlier(contents, now).filter(({ namespace }) => next.contents.includes(namespace));
  const sweeps = plan.components.flatMap(({ name, sweeps: all }) => all.map((sweep) => ({ name, sweep })));
  return {
    at: now,
    unserved,
    depth: 'full',
    names: true,
    objects: objects.all().map((object) => seen(scene, object, sweeps)),
    unread,
    contents: [...before, ...next.contents.map((namespace) => contentOf(scene, namespace))],
    instances: next.instances.map((definition) => instancesOf(scene, definition)),
    jobs: plan.subject.kind === 'Installation' ? jobsOf(scene, plan) : [],
    releases: releases.filter(({ namespace, name }) =>
      plan.components.some(({ release }) => release?.namespace === namespace && release.name === name),
    ),
  };
}

interface SweepOf {
  readonly name: string;
  readonly sweep: Sweep;
}

function seen(scene: Scene, object: PicturedObject, sweeps: readonly SweepOf[]): SeenObject {
  const sweptBy = sweeps.filter(({ sweep }) => isSwept(object, sweep)).map(({ name }) => name);
  const { details } = object;
  if (sweptBy.length === 0 && details?.kind !== 'called') return object;
  return {
    ...object,
    ...(sweptBy.length > 0 && { sweptBy }),
    ...(details?.kind === 'called' && {
      details: {
        ...details,
        services: details.services.map((service) => ({ ...service, alive: service.alive && isThere(scene, service) })),
      },
    }),
  };
}

function isSwept(object: PicturedObject, { apiGroups, kinds, selector, namespace }: Sweep): boolean {
  if (!kinds.includes(object.kind) || !apiGroups.includes(groupOf(object.apiVersion))) return false;
  return (namespace === undefined || object.namespace === namespace) && selects(selector, object.labels);
}

function isThere({ objects }: Scene, service: { readonly namespace: string; readonly name: string }): boolean {
  return objects
    .all()
    .some(
      (object) =>
        kindKey(object) === '/Service' && object.name === service.name && object.namespace === service.namespace,
    );
}

function contentOf({ objects, kinds, unread }: Scene, namespace: string): NamespaceContent {
  const deletable = new Set(kinds.filter(({ deletable: is }) => is).map(kindKey));
  const isContent = (object: PicturedObject) => object.namespace === namespace && deletable.has(kindKey(object));
  return { namespace, at: objects.now, objects: objects.all().filter(isContent), unread };
}

function instancesOf({ objects, kinds }: Scene, definition: string): Instances {
  const kind = definedBy(definition, kinds);
  if (kind === undefined) {
    const why = 'the API server does not serve this kind';
    return { definition, left: [], unread: { what: definition, status: 404, why } };
  }
  return { definition, left: objects.all().filter((object) => kindKey(object) === kindKey(kind)) };
}

function jobsOf({ objects }: Scene, { subject, run }: UninstallPlan): SeenJob[] {
  return objects
    .all()
    .filter(({ kind, labels }) => {
      return kind === 'Job' && labels[hookLabels.subject] === subject.name && labels[hookLabels.run] === run;
    })
    .map((job) => seenJob(job, objects.now));
}

function seenJob(job: PicturedObject, now: Instant): SeenJob {
  const { name, namespace = '', uid, labels, createdAt, endsAt, deletedAt } = job;
  const isOver = endsAt !== undefined && endsAt <= now;
  return {
    name,
    namespace,
    uid,
    component: labels[hookLabels.component] ?? '',
    hook: labels[hookLabels.hook] ?? '',
    attempt: Number(labels[hookLabels.attempt] ?? 1),
    createdAt,
    ...(isOver && { endedAt: endsAt }),
    ...(deletedAt !== undefined && { deletedAt }),
    state: isOver ? 'Succeeded' : 'Running',
  };
}

/** Two looks into a namespace that are closer than this count as one. */
const apartMs = 1000;

/** Of each namespace the latest that is old enough to be another look; until there is one, the first. */
function earlier(contents: readonly NamespaceContent[], now: Instant): NamespaceContent[] {
  const byNamespace = new Map<string, NamespaceContent>();
  for (const content of contents) {
    const known = byNamespace.get(content.namespace);
    if (known === undefined || content.at <= now - apartMs) byNamespace.set(content.namespace, content);
  }
  return [...byNamespace.values()];
}
