import type { BlockerDraft } from './blocker.ts';
import { isDataKind } from './kinds.ts';
import type { ReleaseObject, SeenRelease } from './observation.ts';
import { retryAt } from './refusals.ts';
import { isKept, isMisspelled } from './resource-policy.ts';
import { type ComponentView, done, type StepOutcome, waiting } from './view.ts';

/** How often it is looked at while Helm is at work. */
const whileHelmMs = 2000;
/** Another Helm may be at work; one that has been for longer than this is not. */
const pendingMs = 600_000;

/**
 * A release that Helm keeps a record of is uninstalled by Helm, with its hooks. Helm asks nobody: what it would delete
 * against the policies of this component is looked for in the record before.
 */
export function uninstallRelease(view: ComponentView): StepOutcome {
  const { now, component, observation } = view;
  const release = observation.releases.find(
    ({ namespace, name }) => namespace === component.release?.namespace && name === component.release.name,
  );
  if (release === undefined || release.status === 'uninstalled') return done;
  const at = `Helm release ${release.name}`;
  const blockers = [...inTheWay(view, release), ...lastFailure(view, release)];
  const isStopped = blockers.some(({ code }) => code !== 'release-failed');
  const refusal = observation.refusals[releaseKey(release)];
  const due = refusal === undefined ? now : retryAt(refusal);
  if (isStopped || now < due) return waiting(at, { blockers, wake: [due, release.at + pendingMs] });
  const { namespace, name } = release;
  const timeoutSeconds = Math.min(view.plan.timeoutSeconds, 600);
  return waiting(at, {
    blockers,
    wake: [now + whileHelmMs],
    actions: [{ kind: 'helmUninstall', component: component.name, namespace, release: name, timeoutSeconds }],
  });
}

export function releaseKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `release ${namespace}/${name}`;
}

function inTheWay(view: ComponentView, release: SeenRelease): BlockerDraft[] {
  const object = recordOf(release);
  if (release.unreadable !== undefined) {
    const message = `The record of Helm release ${release.name} cannot be read: ${release.unreadable}`;
    return [{ code: 'release-unreadable', who: 'operators', permanent: true, object, message }];
  }
  const { status, at } = release;
  const pending: BlockerDraft[] =
    status.startsWith('pending-') && view.now < at + pendingMs
      ? [{ code: 'release-pending', who: 'operators', object, message: `Helm release ${release.name} is ${status}.` }]
      : [];
  return [...pending, ...release.objects.flatMap((each) => policyBlocker(view, each))];
}

function policyBlocker({ component, plan }: ComponentView, object: ReleaseObject): BlockerDraft[] {
  const { apiVersion, kind, namespace, name, resourcePolicy } = object;
  const id = { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
  if (isMisspelled(object)) {
    const message = `In the Helm release, ${kind} ${name} has helm.sh/resource-policy "${resourcePolicy}", which Helm does not know and takes for "keep" without saying so: upgrade the release with "keep", or without it.`;
    return [{ code: 'resource-policy', who: 'object-owner', permanent: true, object: id, message }];
  }
  if (isKept(object)) return [];
  const losesData = isDataKind(object) && !(component.persistentVolumeClaims === 'Delete' && plan.confirmed);
  if (!losesData && kind !== 'Namespace' && kind !== 'CustomResourceDefinition') return [];
  const message = `Helm would delete ${kind} ${name} without asking whose it is: annotate it with helm.sh/resource-policy "keep" in the chart and upgrade the release, or write a "delete" hook for this component.`;
  return [{ code: 'release-deletes-more', who: 'object-owner', permanent: true, object: id, message }];
}

function lastFailure({ observation }: ComponentView, release: SeenRelease): BlockerDraft[] {
  const refusal = observation.refusals[releaseKey(release)];
  if (refusal === undefined) return [];
  const message = `helm uninstall ${release.name} failed (attempt ${refusal.attempts}): ${refusal.text}`.slice(0, 1000);
  return [{ code: 'release-failed', who: 'operators', object: recordOf(release), message }];
}

function recordOf({ namespace, name, revision }: SeenRelease) {
  return { apiVersion: 'v1', kind: 'Secret', namespace, name: `sh.helm.release.v1.${name}.v${revision}` };
}
