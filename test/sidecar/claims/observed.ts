import type { ClaimDecision } from '../../../src/sidecar/claims/action.ts';
import { decideClaim } from '../../../src/sidecar/claims/decide.ts';
import type {
  ClaimSpec,
  Observation,
  ObservedClaim,
  ObservedPod,
  ObservedWorkload,
} from '../../../src/sidecar/claims/observation.ts';
import type { ClaimStatus } from '../../../src/sidecar/claims/status.ts';

/** Every table is told at this moment. */
export const now = Date.parse('2026-03-01T12:00:00Z');
export const ago = (seconds: number): number => now - seconds * 1000;
export const instant = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

export const finalizer = 'quiesce.dev/uninstall';

const objects: ClaimSpec['objects'] = [
  { apiVersion: 'v1', kind: 'Service', namespace: 'vcluster-ada', name: 'ada' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'vcluster-ada', name: 'ada' },
  { apiVersion: 'v1', kind: 'Namespace', name: 'vcluster-ada' },
];

function spec(differs: Partial<ClaimSpec> = {}): ClaimSpec {
  return {
    state: 'Running',
    namespace: 'vcluster-ada',
    replicas: 3,
    backingStore: 'embeddedEtcd',
    keepData: false,
    objects,
    ...differs,
  };
}

export function claim(
  specDiffers: Partial<ClaimSpec> = {},
  differs: Partial<Omit<ObservedClaim, 'spec'>> = {},
): ObservedClaim {
  return {
    name: 'ada',
    uid: 'claim',
    resourceVersion: '100',
    generation: 4,
    finalizers: [finalizer],
    isWithdrawn: false,
    spec: spec(specDiffers),
    ...differs,
  };
}

export function shown(status: ClaimStatus): Pick<ObservedClaim, 'status'> {
  return { status: { observedGeneration: 4, since: instant(ago(600)), ...status } };
}

/** As the applier and its controller leave it while the claim runs. */
export function running(differs: Partial<ObservedWorkload> = {}): ObservedWorkload {
  return {
    kind: 'StatefulSet',
    name: 'ada',
    part: 'control-plane',
    generation: 2,
    observedGeneration: 2,
    replicas: 3,
    observed: 3,
    ready: 3,
    isMarkedAsleep: false,
    isPaused: false,
    scaledBy: 'argocd-controller',
    ...differs,
  };
}

/** The same while it sleeps. */
export function resting(differs: Partial<ObservedWorkload> = {}): ObservedWorkload {
  return running({ replicas: 0, observed: 0, ready: 0, isMarkedAsleep: true, isPaused: true, ...differs });
}

export function pod(name: string, differs: Partial<ObservedPod> = {}): ObservedPod {
  return {
    name,
    uid: `uid-${name}`,
    part: 'synced',
    isFinished: false,
    ready: true,
    graceSeconds: 30,
    finalizers: [],
    createdAt: ago(7200),
    ...differs,
  };
}

function observed(differs: Partial<Observation> = {}): Observation {
  return { claim: claim(), namespace: 'there', workloads: [running()], pods: [], answers: {}, unread: [], ...differs };
}

export function decided(differs: Partial<Observation> = {}, at = now): ClaimDecision {
  return decideClaim(at, observed(differs));
}

/** Phase and reason, as scripts look them up. */
export function standing(differs: Partial<Observation> = {}, at = now): string {
  const { status } = decided(differs, at);
  return status === undefined ? 'nothing is said' : `${status.phase} ${status.reason}`;
}

/** Names of the pods that are to be deleted. */
export function swept(differs: Partial<Observation> = {}, at = now): string[] {
  return decided(differs, at).actions.flatMap((action) => (action.kind === 'pod' ? [action.name] : []));
}

/** What is in the way, as code and who has to act. */
export function blockers(differs: Partial<Observation> = {}, at = now): string[] {
  return (decided(differs, at).status?.blockers ?? []).map(({ code, who }) => `${code} ${who}`);
}

export function condition(type: string, differs: Partial<Observation> = {}, at = now) {
  return decided(differs, at).status?.conditions?.find((each) => each.type === type);
}

/** Reasons of the Events of a status that is written. */
export function events(differs: Partial<Observation> = {}, at = now): string[] {
  return decided(differs, at).actions.flatMap((action) =>
    action.kind === 'pod' ? [] : action.events.map(({ type, reason }) => `${type} ${reason}`),
  );
}
