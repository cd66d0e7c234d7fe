import { clusterMarker } from '../../resolve/translate.ts';
import type { SlimPod } from '../kube/slim-pod.ts';
import type { UninstallPlan } from '../uninstall/plan.ts';
import type { Uninstaller } from '../uninstall/uninstaller.ts';
import { type Kind, virtualClusterPods, type World } from '../world.ts';
import type {
  AnsweredDeletion,
  ClaimKind,
  Observation,
  ObservedClaim,
  ObservedPod,
  ObservedWorkload,
} from './observation.ts';
import { uninstallPlanOf } from './plan.ts';
import { partOf, type SlimClaim, type SlimWorkload } from './slim.ts';
import { shownToEngine } from './uninstall.ts';

export interface ObserveOptions {
  readonly world: World;
  readonly unread: readonly Kind[];
  /** By the pod's UID. Lost with the process, which costs a repetition. */
  readonly answers: ReadonlyMap<string, AnsweredDeletion>;
  /** By name of the claim: when a pod of it was last seen. */
  readonly aliveAt: Map<string, number>;
  /** Since when what runs has been watched without a gap. */
  readonly watchedSince: number;
  readonly now: number;
  readonly uninstaller: Pick<Uninstaller, 'observe' | 'blind' | 'hasten' | 'forget'>;
  /** By name of the claim: when a look at it was last acted upon. */
  readonly lookedAt: Map<string, number>;
  /** Names of claims of which something was told to go and was still there. */
  readonly going: Set<string>;
  /** Asks for a pass over the claim. */
  wake(inMs: number): void;
  readonly hash: (text: string) => string;
}

/** From the caches to what the decider is told, without a request. Nothing where there is no such claim. */
export function observeClaim(name: string, options: ObserveOptions): Observation | undefined {
  const { world, unread, answers, aliveAt } = options;
  const claim = world.claims.get(name);
  if (claim === undefined) {
    for (const remembered of [aliveAt, options.lookedAt, options.going]) remembered.delete(name);
    options.uninstaller.forget(name);
    return undefined;
  }
  const observed = observedClaim(claim);
  const { namespace } = claim.spec;
  const { marker, spaces } = spacesOf(claim, world, options.hash);
  const pods = [namespace, ...spaces].flatMap((space) =>
    [...world.pods.indexed(virtualClusterPods(space))].flatMap(
      (pod) => observedPod(pod, { name, namespace, marker }) ?? [],
    ),
  );
  if (pods.length > 0) aliveAt.set(name, options.now);
  const alive = aliveAt.get(name);
  const seen = {
    claim: observed,
    namespace: namespaceOf(namespace, world),
    workloads: [
      ...workloadsOf('StatefulSet', [...world.statefulSets.indexed(namespace)]),
      ...workloadsOf('Deployment', [...world.deployments.indexed(namespace)]),
    ],
    pods,
  };
  return {
    ...seen,
    answers: Object.fromEntries(pods.flatMap(({ uid }) => entryOf(answers, uid))),
    ...(alive !== undefined && { aliveAt: alive }),
    watchedSince: options.watchedSince,
    ...uninstallOf(seen, claim, options),
    unread: unread.flatMap((kind) => claimKinds[kind] ?? []),
  };
}

/** What is watched anyhow tells when it is gone, so until then nobody has to look, but for what nobody watches. */
const lookEveryMs = 10_000;

/** An uninstall that was taken back in git, and ordered again later, begins anew. */
function uninstallOf(
  observation: Pick<Observation, 'claim' | 'namespace' | 'workloads' | 'pods'>,
  slim: SlimClaim,
  { uninstaller, world, hash, lookedAt, going, now, wake, unread }: ObserveOptions,
): Pick<Observation, 'uninstall'> {
  const { claim } = observation;
  if (claim.spec.state !== 'Deleted') {
    uninstaller.forget(claim.name);
    return {};
  }
  const plan = planFor(slim, world, hash);
  if (unread.includes('claims')) return { uninstall: { plan, look: uninstaller.blind(plan, shownToEngine(claim)) } };
  const pause = (lookedAt.get(claim.name) ?? Number.NEGATIVE_INFINITY) + lookEveryMs - now;
  // That it has begun may not be shown yet: a status is not written twice in a second.
  const isShown = claim.status?.phase !== 'DeletePending';
  if (pause > 0 && isShown && isGoing(observation)) {
    going.add(claim.name);
    wake(pause);
    return { uninstall: { plan } };
  }
  if (going.delete(claim.name)) uninstaller.hasten(claim.name);
  const look = uninstaller.observe(plan, shownToEngine(claim));
  return { uninstall: { plan, ...(look !== undefined && { look }) } };
}

export function planFor(claim: SlimClaim, world: World, hash: ObserveOptions['hash']): UninstallPlan {
  return uninstallPlanOf(observedClaim(claim), hash, spacesOf(claim, world, hash).spaces);
}

/** Namespaces that the virtual cluster has made as copies of its own, and by what they are known. */
function spacesOf({ name, spec }: SlimClaim, { namespaces }: World, hash: ObserveOptions['hash']) {
  const marker = clusterMarker(spec.namespace, name, hash);
  return { marker, spaces: Array.from(namespaces.indexed(marker), (space) => space.name).sort() };
}

/** Something was told to go, and is still there. */
function isGoing({ namespace, workloads, pods }: Pick<Observation, 'namespace' | 'workloads' | 'pods'>): boolean {
  const isTold = ({ deletionAt }: { readonly deletionAt?: number }) => deletionAt !== undefined;
  return namespace === 'terminating' || workloads.some(isTold) || pods.some(isTold);
}

const claimKinds: Readonly<Partial<Record<Kind, ClaimKind>>> = {
  claims: 'VClusterClaim',
  statefulSets: 'StatefulSet',
  deployments: 'Deployment',
  pods: 'Pod',
  namespaces: 'Namespace',
};

export function observedClaim({ version, ...claim }: SlimClaim): ObservedClaim {
  return { ...claim, resourceVersion: String(version) };
}

function namespaceOf(name: string, { namespaces }: World): Observation['namespace'] {
  const namespace = namespaces.get(name);
  if (namespace === undefined) return 'absent';
  return namespace.terminating ? 'terminating' : 'there';
}

function workloadsOf(kind: ObservedWorkload['kind'], workloads: readonly SlimWorkload[]): ObservedWorkload[] {
  return workloads.map(({ namespace: _, version: __, ...workload }) => ({ kind, ...workload }));
}

/** Nothing for pods of another virtual cluster that shares the namespace. */
function observedPod(pod: SlimPod, claim: VirtualCluster): ObservedPod | undefined {
  const part = podPart(pod, claim);
  if (part === undefined) return undefined;
  const { name, uid, phase, ready, deletionAt, graceSeconds, finalizers, createdAt } = pod;
  return {
    ...(pod.namespace !== claim.namespace && { namespace: pod.namespace }),
    name,
    uid,
    part,
    isFinished: phase === 'Succeeded' || phase === 'Failed',
    ready,
    ...(deletionAt !== undefined && { deletionAt }),
    graceSeconds,
    finalizers,
    createdAt,
  };
}

interface VirtualCluster {
  readonly name: string;
  /** Its own. */
  readonly namespace: string;
  /** On what it makes outside of that. */
  readonly marker: string;
}

function podPart(pod: SlimPod, { name, namespace, marker }: VirtualCluster): ObservedPod['part'] | undefined {
  const { labels } = pod;
  const manager = labels['vcluster.loft.sh/managed-by'];
  if (manager === name) return 'synced';
  if (pod.namespace !== namespace) return manager === marker ? 'synced' : undefined;
  const part = partOf(labels);
  return part !== 'other' && labels.release === name ? part : undefined;
}

function entryOf(answers: ObserveOptions['answers'], uid: string): [string, AnsweredDeletion][] {
  const answer = answers.get(uid);
  return answer === undefined ? [] : [[uid, answer]];
}
