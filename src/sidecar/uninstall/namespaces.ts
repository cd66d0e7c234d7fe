import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../instant.ts';
import { belongs, idOf, keyOf } from './belongs.ts';
import type { BlockerDraft, UninstallBlocker } from './blocker.ts';
import { groupOf, isBuiltInGroup } from './kinds.ts';
import { namesOf, type Sorted, sortContent } from './namespace-content.ts';
import type { NamespaceContent, SeenObject, UninstallObservation } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { refusalBlocker, retryAt } from './refusals.ts';
import { done, type StepOutcome, waiting } from './view.ts';

interface NamespaceView {
  readonly now: Instant;
  readonly plan: UninstallPlan;
  readonly observation: UninstallObservation;
}

/** Between two looks into a namespace before it goes: what is made from what we delete has come by then. */
const lookAgainMs = 1000;
/** What is on its way out may take so long before it counts as there to stay. */
const passingMs = 60_000;
const ordinaryMs = 30_000;

/** Ours, and such as may go at all. */
export function namespacesToRemove({ plan, observation }: Omit<NamespaceView, 'now'>): SeenObject[] {
  return observation.objects
    .filter((object) => object.kind === 'Namespace' && !isSystem(object.name))
    .filter((object) => {
      const component = plan.components.find((candidate) => belongs(plan, candidate, object));
      return (
        component !== undefined && component.namespaces === 'DeleteWhenEmpty' && object.resourcePolicy === undefined
      );
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isSystem(name: string): boolean {
  return name === 'default' || name === 'quiesce-system' || name.startsWith('kube-');
}

export function removeNamespace(view: NamespaceView, namespace: SeenObject): StepOutcome {
  const at = `namespace ${namespace.name}`;
  if (namespace.deletedAt !== undefined) {
    return waiting(`${at} is going`, { blockers: stuckNamespace(view.now, namespace) });
  }
  const look = { contents: [namespace.name] };
  const contents = view.observation.contents.filter((content) => content.namespace === namespace.name);
  const [before, latest] = contents.length > 1 ? contents.slice(-2) : [undefined, contents[0]];
  if (latest === undefined) return waiting(`looking into ${at}`, { look, wake: [view.now + 1] });
  const unread = [...latest.unread, ...view.observation.unserved];
  if (unread.length > 0) return waiting(at, { look, blockers: [unreadBlocker(namespace, unread)] });
  const sorted = sortContent(view.plan, latest);
  if (sorted.ours.length > 0) {
    return waiting(`${at}: ${namesOf(sorted.ours, 1)} is still there`, { look, wake: [view.now + lookAgainMs / 2] });
  }
  if (keepsNamespace(view, namespace, sorted)) return { ...done, look };
  if (sorted.passing.length > 0) return waiting(at, { look, blockers: [passingBlocker(namespace, sorted)] });
  const first = before !== undefined && nothingComesOf(view.plan, before) ? before : latest;
  const sureAt = first.at + lookAgainMs;
  if (first === latest || latest.at < sureAt) {
    return waiting(`looking into ${at} again`, { look, wake: [Math.max(view.now + 1, sureAt)] });
  }
  return deleteNamespace(view, namespace);
}

/** Nothing is in it, or nothing but of ours what nobody makes anything of once it is gone. */
function nothingComesOf(plan: UninstallPlan, content: NamespaceContent): boolean {
  const { ours, foreign, passing } = sortContent(plan, content);
  return content.unread.length === 0 && ours.every(isBuiltIn) && foreign.length + passing.length === 0;
}

/**
 * The first of the two looks into each namespace is made while such things go, the second one with the last of them: so
 * nobody has to wait for either, and one list of a kind serves all namespaces. With the last things, everything is
 * looked at, so that when the namespaces are gone all is. `told`: UIDs of what is told to go now.
 */
export function lookAhead(
  { plan, observation }: Omit<NamespaceView, 'now'>,
  left: readonly SeenObject[],
  told: ReadonlySet<string>,
): StepOutcome {
  const isLast = left.every(({ uid }) => told.has(uid));
  const names = namespacesToRemove({ plan, observation }).filter(({ deletedAt }) => deletedAt === undefined);
  const contents = names.map(({ name }) => name).filter((name) => isLast || !observation.lookedInto?.includes(name));
  if (!left.every(isBuiltIn)) return done;
  return { ...done, look: isLast && !isOfDrift(plan) ? { contents, depth: 'full', names: true } : { contents } };
}

/** While there was nothing in them but of Kubernetes' own kinds, of which nobody makes anything. */
export function lookedInto(contents: readonly NamespaceContent[]): string[] {
  const quiet = contents.filter(({ objects, unread }) => unread.length === 0 && objects.every(isBuiltIn));
  return [...new Set(quiet.map(({ namespace }) => namespace))];
}

/** What stays of the installation is not asked for its names. */
function isOfDrift({ components }: UninstallPlan): boolean {
  return components.every(({ renderedOnly }) => renderedOnly === true);
}

/** Its controllers make nothing when it is gone; what a program makes as it ends is there before it is gone. */
function isBuiltIn({ apiVersion }: SeenObject): boolean {
  return isBuiltInGroup(groupOf(apiVersion));
}

/** It is known that somebody needs it; what is only passing gets its time. */
export function keepsNamespace({ now, observation }: NamespaceView, namespace: SeenObject, sorted: Sorted): boolean {
  if (sorted.foreign.length > 0) return true;
  if (sorted.passing.length === 0) return false;
  const shown = observation.shown?.blockers?.find((blocker) => isPassingBlocker(blocker, namespace));
  return shown !== undefined && now - (parseInstant(shown.since) ?? now) >= passingMs;
}

function isPassingBlocker({ code, object }: UninstallBlocker, namespace: SeenObject): boolean {
  return code === 'dependents' && object !== undefined && keyOf(object) === keyOf(namespace);
}

function passingBlocker(namespace: SeenObject, { passing }: Sorted): BlockerDraft {
  const message = `Namespace ${namespace.name} waits for what is on its way out: ${namesOf(passing, 3)}.`;
  return { code: 'dependents', who: 'controller', object: idOf(namespace), message };
}

function unreadBlocker(namespace: SeenObject, unread: NamespaceContent['unread']): BlockerDraft {
  const what = unread.map((each) => each.what).join(', ');
  const message = `What is in namespace ${namespace.name} is not known, so it stays: ${what} cannot be listed (${unread[0]?.why}).`;
  return { code: 'namespace-unread', who: 'operators', object: idOf(namespace), message };
}

export function deleteNamespace({ now, observation }: NamespaceView, namespace: SeenObject): StepOutcome {
  const { uid, resourceVersion, name } = namespace;
  const refusal = observation.refusals[uid];
  const due = refusal === undefined ? now : retryAt(refusal);
  const blockers = refusal === undefined ? [] : refusalBlocker(`Deleting namespace ${name}`, idOf(namespace), refusal);
  if (now < due) return waiting(`namespace ${name}`, { blockers, wake: [due] });
  return waiting(`namespace ${name}`, {
    blockers,
    actions: [
      { kind: 'delete', component: '', object: idOf(namespace), uid, resourceVersion, propagation: 'Background' },
    ],
  });
}

/** Why a namespace does not go is written into it (`k8s.io/api/core/v1` NamespaceConditionType). */
const telling: readonly string[] = [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
];

export function stuckNamespace(now: Instant, namespace: SeenObject): BlockerDraft[] {
  const { deletedAt, details, name, finalizers } = namespace;
  if (deletedAt === undefined || now < deletedAt + ordinaryMs) return [];
  const conditions = details?.kind === 'namespace' ? details.conditions : [];
  const why = conditions.filter(({ type, status }) => telling.includes(type) && status === 'True');
  const held = finalizers.map((finalizer) => `finalizer ${finalizer} is not released`);
  const reasons = [...why.map(({ type, message }) => `${type}: ${message}`), ...held];
  const message = `Namespace ${name} does not go: ${reasons.join('; ') || 'its conditions tell no reason'}`;
  return [
    {
      code: 'namespace-stuck',
      who: why.some(({ type }) => type.includes('Failure')) ? 'operators' : 'controller',
      object: idOf(namespace),
      sinceAt: deletedAt,
      message: message.slice(0, 1000),
    },
  ];
}
