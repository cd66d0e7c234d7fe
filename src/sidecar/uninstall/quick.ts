import type { Instant } from '../../instant.ts';
import { idOf, keyOf, objectsByComponent } from './belongs.ts';
import { dataGuard, isRetained } from './data.ts';
import { definitionGate } from './definitions.ts';
import { sortContent } from './namespace-content.ts';
import { deleteNamespace, keepsNamespace, namespacesToRemove, removeNamespace, stuckNamespace } from './namespaces.ts';
import type { NamespaceContent, SeenObject } from './observation.ts';
import type { ObjectId } from './plan.ts';
import { askToGo } from './removal.ts';
import { isKept } from './resource-policy.ts';
import { stuckBlockers } from './stuck.ts';
import { type ComponentView, done, type StepOutcome, together, waiting } from './view.ts';

interface QuickView {
  readonly views: readonly ComponentView[];
  /** When the run began. */
  readonly began: Instant;
}

interface QuickOutcome {
  readonly outcome: StepOutcome;
  /** To be shown as orphaned from now on. Only what is *shown* so is let go: no list is ever short. */
  readonly orphaned: readonly ObjectId[];
}

/** A controller that lives releases its finalizer within this. */
const patienceMs = 5_000;
/** Then what holds a namespace is given up as well, or after half of the time that the run has. */
const boundMs = 120_000;

/**
 * Everything at once, namespaces first, without hooks and without waiting for one thing before the other; what does not
 * go loses its finalizers. What is not ours is as safe as ever: a namespace that holds anything of anybody's stays, and
 * so does a definition with instances of anybody's.
 */
export function removeQuickly({ views, began }: QuickView): QuickOutcome {
  const [first] = views;
  if (first === undefined) return { outcome: done, orphaned: [] };
  const namespaces = namespacesToRemove(first);
  const stuck = [...views.flatMap(stuckObjects), ...namespaces.flatMap((each) => stuckWithin(first, each))];
  const bound = began + Math.min(boundMs, first.plan.timeoutSeconds * 500);
  const lost = first.now >= bound ? namespaces.filter((each) => mayBeLost(first, each)) : [];
  const orphans = [...stuck, ...lost.flatMap((each) => [each, ...(contentOf(first, each.name)?.objects ?? [])])];
  const told = new Set((first.observation.shown?.orphaned ?? []).map(keyOf));
  const outcome = together([
    ...namespaces.map((each) => quickNamespace(first, each)),
    ...views.flatMap((view) => view.objects.map((object) => quickObject(view, object))),
    ...drops(first, stuck, told),
    ...finalizations(lost, told),
  ]);
  return { outcome, orphaned: orphans.map(idOf) };
}

/** What is ours in it goes with it. */
function quickNamespace(view: ComponentView, namespace: SeenObject): StepOutcome {
  const content = contentOf(view, namespace.name);
  const look = { contents: [namespace.name] };
  if (namespace.deletedAt !== undefined) {
    const blockers = stuckNamespace(view.now, namespace);
    return waiting(`namespace ${namespace.name} is going`, { look, blockers });
  }
  if (content === undefined) return { ...removeNamespace(view, namespace), look };
  const sorted = sortContent(view.plan, content);
  if (keepsNamespace(view, namespace, sorted)) return { ...done, look };
  if (sorted.passing.length > 0) return { ...removeNamespace(view, namespace), look };
  return { ...deleteNamespace(view, namespace), look };
}

function mayNotGo(view: ComponentView, object: SeenObject): boolean {
  return isKept(object) || isRetained(view.plan, view.component, object);
}

function quickObject(view: ComponentView, object: SeenObject): StepOutcome {
  if (mayNotGo(view, object)) return done;
  if (object.deletedAt !== undefined) {
    return waiting(`${object.kind} ${object.name} is going`, {
      blockers: stuckBlockers(view.now, object, []),
      wake: [object.deletedAt + patienceMs],
    });
  }
  const gate = object.kind === 'CustomResourceDefinition' ? definitionGate(view, [object]) : done;
  if (!gate.isDone) return gate;
  const guard = dataGuard(view, object);
  if (guard !== undefined) return guard;
  return { ...askToGo(view, object), ...(gate.look !== undefined && { look: gate.look }) };
}

function isStuck(now: Instant, { deletedAt, finalizers }: SeenObject): boolean {
  return deletedAt !== undefined && finalizers.length > 0 && now >= deletedAt + patienceMs;
}

function stuckObjects(view: ComponentView): SeenObject[] {
  return view.objects.filter((object) => isStuck(view.now, object) && !mayNotGo(view, object));
}

/** Also what our objects own: Pods of our Deployments. */
function stuckWithin(view: ComponentView, namespace: SeenObject): SeenObject[] {
  const content = contentOf(view, namespace.name);
  if (namespace.deletedAt === undefined || content === undefined) return [];
  const known = new Set(
    [...objectsByComponent(view.plan, view.observation.objects).values()].flat().map(({ uid }) => uid),
  );
  return sortContent(view.plan, content).ours.filter((object) => !known.has(object.uid) && isStuck(view.now, object));
}

/** Only if it can be said what is lost with it, and nothing of that is anybody else's. */
function mayBeLost(view: ComponentView, { name, deletedAt }: SeenObject): boolean {
  const content = contentOf(view, name);
  if (deletedAt === undefined || content === undefined) return false;
  const { foreign, passing } = sortContent(view.plan, content);
  return foreign.length === 0 && passing.every(({ owners }) => owners.length > 0);
}

/** Undefined, if it could not be read whole. */
function contentOf({ observation }: ComponentView, namespace: string): NamespaceContent | undefined {
  const content = observation.contents.filter((each) => each.namespace === namespace).at(-1);
  const isWhole = content?.unread.length === 0 && observation.unserved.length === 0;
  return isWhole ? content : undefined;
}

function drops({ component }: ComponentView, stuck: readonly SeenObject[], told: ReadonlySet<string>): StepOutcome[] {
  return stuck
    .filter((object) => told.has(keyOf(object)))
    .map((object) =>
      waiting(`letting go of ${object.kind} ${object.name}`, {
        actions: [
          {
            kind: 'dropFinalizers',
            component: component.name,
            object: idOf(object),
            uid: object.uid,
            resourceVersion: object.resourceVersion,
          },
        ],
      }),
    );
}

function finalizations(lost: readonly SeenObject[], told: ReadonlySet<string>): StepOutcome[] {
  return lost
    .filter((namespace) => told.has(keyOf(namespace)))
    .map((namespace) =>
      waiting(`letting go of namespace ${namespace.name}`, {
        actions: [{ kind: 'finalizeNamespace', component: '', object: idOf(namespace), uid: namespace.uid }],
      }),
    );
}
