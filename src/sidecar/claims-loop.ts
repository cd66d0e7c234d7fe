import { createHash } from 'node:crypto';
import { clusterMarker } from '../resolve/translate.ts';
import { actOnClaim } from './claims/act.ts';
import type { Action, ClaimDecision } from './claims/action.ts';
import { decideClaim } from './claims/decide.ts';
import type { AnsweredDeletion, Observation } from './claims/observation.ts';
import { observeClaim, planFor } from './claims/observe.ts';
import { tellAction, tellClaim, tellUninstall } from './claims/words.ts';
import type { Rest } from './in-flight.ts';
import type { Change, Slim } from './kube/cache.ts';
import type { KubeClient } from './kube/client.ts';
import type { Recorder } from './kube/events.ts';
import type { SlimNamespace } from './kube/slim.ts';
import type { SlimPod } from './kube/slim-pod.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Reconciler } from './reconciler.ts';
import { openStatusPace, type StatusPace } from './status-pace.ts';
import { openSubjectsInFlight } from './subjects-in-flight.ts';
import type { UninstallAction } from './uninstall/decision.ts';
import { openUninstaller, type Uninstaller } from './uninstall/uninstaller.ts';
import type { Kind, OpenWorld, World } from './world.ts';

export interface ClaimsOptions {
  readonly client: KubeClient;
  readonly world: OpenWorld;
  readonly recorder: Recorder;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly parallel: number;
  readonly pageSize: number;
  readonly now: () => number;
  readonly random: () => number;
  mayAct(): boolean;
  /** Asks for a pass over a claim. */
  wake(claim: string, inMs: number): void;
  failed(what: string): void;
}

const fieldManager = 'quiesce-sidecar';

const unforeseen = 'an action failed in a way that nobody foresaw';

/** Each claim is a subject of its own, known by its name. */
export function claimsLoop(options: ClaimsOptions): Reconciler<Observation, ClaimDecision> {
  const { world } = options;
  const memory: Memory = { answers: new Map(), aliveAt: new Map(), lookedAt: new Map(), going: new Set() };
  const phases = openPhases(options.metrics);
  const uninstaller = uninstallerFor(options);
  const { act, settled } = actor(options, memory);
  return {
    name: 'claims',
    keys: () => namesOf(world),
    concerns: (kind, change) => concerned(kind, change, world),
    observe: (name) => {
      forget(memory.answers, world);
      const wake = (inMs: number) => options.wake(name, inMs);
      if (world.world.claims.get(name) === undefined) phases.set(name, undefined);
      const now = options.now();
      const watchedSince = now - world.watchedMs(['pods', 'statefulSets', 'deployments']);
      const seen = { world: world.world, unread: world.unread(), watchedSince, now };
      return observeClaim(name, { ...seen, ...memory, uninstaller, hash, wake });
    },
    decide: decideClaim,
    act: (decision) => {
      act(decision);
      const { uninstall, status } = decision;
      if (status !== undefined) phases.set(decision.claim, status.phase);
      if (uninstall === undefined || isLastWord(decision)) return;
      memory.lookedAt.set(decision.claim, options.now());
      uninstaller.act(uninstall.plan, uninstall.decision);
    },
    read: async (name) => {
      const claim = world.world.claims.get(name);
      if (claim?.spec.state === 'Deleted') await uninstaller.read(planFor(claim, world.world, hash));
    },
    again: ({ requeueAt }) => requeueAt,
    tell: tellClaim,
    settled: async (rest) => {
      await settled(rest);
      await uninstaller.settled(rest);
    },
  };
}

/** How many claims are in each phase, kept up claim by claim: there may be a thousand. */
function openPhases({ claims: gauge }: Metrics) {
  const known = new Map<string, string>();
  return {
    set: (claim: string, phase: string | undefined) => {
      const before = known.get(claim);
      if (before === phase) return;
      if (before !== undefined) gauge.dec({ phase: before });
      if (phase === undefined) known.delete(claim);
      else {
        known.set(claim, phase);
        gauge.inc({ phase });
      }
    },
  };
}

/** Lost with the process, which costs a repetition. */
interface Memory {
  readonly answers: Map<string, AnsweredDeletion>;
  readonly aliveAt: Map<string, number>;
  readonly lookedAt: Map<string, number>;
  readonly going: Set<string>;
}

function actor(options: ClaimsOptions, { answers }: Memory) {
  const { world, wake, parallel, log } = options;
  const paces = new Map<string, StatusPace>();
  const onError = (error: unknown) => log.error({ error }, unforeseen);
  const inFlight = () => openSubjectsInFlight({ limit: parallel, onEnd: (claim) => wake(claim, 0), onError });
  const [deletions, writes] = [inFlight(), inFlight()];
  const statusesOf = (claim: string): StatusPace => {
    const pace = paces.get(claim) ?? openStatusPace((inMs) => wake(claim, inMs));
    paces.set(claim, pace);
    return pace;
  };
  const onOutcome = (action: Action, outcome: string) => report(action, outcome, options);
  const acting = { ...options, answers, deletions, writes, fieldManager, statusesOf, wrote: world.wrote, onOutcome };
  return {
    act: (decision: ClaimDecision) => actOnClaim(decision, acting),
    settled: async (rest: Rest) => {
      await deletions.settled(rest);
      await writes.settled(rest);
    },
  };
}

/** After it nothing is looked at any more. So the look stays until what it has shown is written down. */
function isLastWord({ actions, uninstall }: ClaimDecision): boolean {
  return uninstall?.decision.wakeAt === undefined && actions.some(({ kind }) => kind === 'status');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A claim has no release of Helm's: its plan names none, so the program is never started. */
function uninstallerFor(options: ClaimsOptions): Uninstaller {
  return openUninstaller({
    ...options,
    helm: { command: 'helm' },
    // They are many, and have been looked at together.
    hurry: (claim) => options.wake(claim, 0),
    onError: (error) => options.log.error({ error }, unforeseen),
    onOutcome: (action, outcome) => reportUninstall(action, outcome, options),
    onBlind: (claim, error) => options.log.warn({ loop: 'claims', claim, error }, 'the cluster cannot be looked at'),
  });
}

function namesOf({ world }: OpenWorld): string[] {
  return Array.from(world.claims.values(), ({ name }) => name);
}

/** The claim of a namespace is known by the namespace's name, which is made of the claim's. */
function concerned(kind: Kind, { before, after }: Change<Slim>, { world }: OpenWorld): string[] {
  const changed = after ?? before;
  if (changed === undefined) return [];
  switch (kind) {
    case 'claims':
      return [changed.name];
    case 'pods':
    case 'statefulSets':
    case 'deployments':
      return claimsIn((changed as SlimPod).namespace, world);
    case 'namespaces':
      return [...claimIn(changed.name, world), ...claimMarked((changed as SlimNamespace).syncedBy, world)];
    default:
      return [];
  }
}

const prefix = 'vcluster-';

function claimsIn(namespace: string, world: World): string[] {
  return [...claimIn(namespace, world), ...claimMarked(world.namespaces.get(namespace)?.syncedBy, world)];
}

function claimIn(namespace: string, { claims }: World): string[] {
  if (!namespace.startsWith(prefix)) return [];
  const name = namespace.slice(prefix.length);
  return claims.get(name) === undefined ? [] : [name];
}

/** Few have more than one namespace, so that one of them changes is rare. */
function claimMarked(marker: string | undefined, { claims }: World): string[] {
  if (marker === undefined) return [];
  return Array.from(claims.values())
    .filter(({ name, spec }) => clusterMarker(spec.namespace, name, hash) === marker)
    .map(({ name }) => name);
}

/** Of pods that are gone nothing needs to be remembered; looked at when there is much to forget. */
const mostAnswers = 5000;

function forget(answers: Map<string, AnsweredDeletion>, { world }: OpenWorld): void {
  if (answers.size < mostAnswers) return;
  for (const uid of answers.keys()) if (world.pods.get(uid) === undefined) answers.delete(uid);
}

/** Somebody else's write in between is no failure: it is decided anew. */
const fine: readonly string[] = ['done', 'gone', 'replaced', 'conflict'];

function report(action: Action, outcome: string, { metrics, log, failed }: ClaimsOptions): void {
  const { kind, claim } = action;
  metrics.actions.inc({ loop: 'claims', action: kind, outcome });
  const isNews = kind !== 'status' && outcome === 'done';
  log[isNews ? 'info' : 'debug']({ loop: 'claims', action: kind, outcome, claim }, tellAction(action));
  if (!fine.includes(outcome)) failed(`${tellAction(action)}: ${outcome}`);
}

function reportUninstall(action: UninstallAction, outcome: string, { metrics, log, failed }: ClaimsOptions): void {
  const { kind } = action;
  metrics.actions.inc({ loop: 'claims', action: kind, outcome });
  const what = tellUninstall(action);
  log[outcome === 'done' ? 'info' : 'debug']({ loop: 'claims', action: kind, outcome }, what);
  if (!fine.includes(outcome)) failed(`${what}: ${outcome}`);
}
