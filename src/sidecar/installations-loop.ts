import type { Task } from './in-flight.ts';
import { writeTask } from './installations/act.ts';
import { decideInstallation, type InstallationDecision } from './installations/decide.ts';
import type { Observation, ObservedInstallation } from './installations/observation.ts';
import { driftPlanOf, uninstallPlanOf } from './installations/plan.ts';
import type { SlimInstallation } from './installations/slim.ts';
import { shownToEngine } from './installations/status.ts';
import type { KubeClient } from './kube/client.ts';
import type { Recorder } from './kube/events.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Reconciler } from './reconciler.ts';
import { openSubjectsInFlight } from './subjects-in-flight.ts';
import type { UninstallAction } from './uninstall/decision.ts';
import type { HelmCommand } from './uninstall/helm.ts';
import type { UninstallPlan } from './uninstall/plan.ts';
import { openUninstaller } from './uninstall/uninstaller.ts';
import { tellAction, tellUninstall } from './uninstall/words.ts';
import type { OpenWorld } from './world.ts';

export interface InstallationsOptions {
  readonly client: KubeClient;
  readonly world: OpenWorld;
  readonly recorder: Recorder;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly helm: HelmCommand;
  readonly parallel: number;
  readonly pageSize: number;
  readonly now: () => number;
  readonly random: () => number;
  mayAct(): boolean;
  /** Asks for a pass over an Installation. */
  wake(installation: string, inMs: number): void;
  hurry(installation: string): void;
  failed(what: string): void;
}

const loop = 'installations';
const fieldManager = 'quiesce-sidecar';

/** Each Installation is a subject of its own, known by its name. */
export function installationsLoop(options: InstallationsOptions): Reconciler<Observation, InstallationDecision> {
  const { world, wake, now } = options;
  const { installations } = world.world;
  const onError = (error: unknown) => options.log.error({ error }, 'an action failed in a way that nobody foresaw');
  const uninstaller = openUninstaller({ ...options, onError, ...reports(options) });
  const writes = openSubjectsInFlight({ limit: options.parallel, onEnd: (name) => wake(name, 0), onError });
  const unchanged = new Map<string, { readonly spec: string; readonly since: number }>();
  const writing = { ...options, fieldManager, wrote: world.wrote, onOutcome: reportWrite(options) };
  return {
    name: loop,
    keys: () => Array.from(installations.values(), ({ name }) => name),
    concerns: (kind, { before, after }) => {
      if (kind === loop) return [(after ?? before)?.name ?? ''];
      const waiting = kind === 'namespaces' && after === undefined ? leaving(world, before?.name) : [];
      // It is what they wait for last, and for longest.
      for (const name of waiting) uninstaller.hasten(name);
      return waiting;
    },
    observe: (name) => {
      const slim = installations.get(name);
      if (slim === undefined) {
        uninstaller.forget(name);
        unchanged.delete(name);
      }
      if (slim === undefined) return undefined;
      const isBlind = world.unread().includes(loop);
      // An uninstall that has begun says so; of all else nothing is said.
      if (isBlind && slim.spec.state !== 'Deleted') return undefined;
      const plan = planOf(slim, world);
      const look = plan && uninstaller[isBlind ? 'blind' : 'observe'](plan, shownToEngine(slim.status));
      return {
        installation: observed(slim),
        ...(plan !== undefined && { plan }),
        ...(look !== undefined && { look }),
        unchangedSince: unchangedSince(unchanged, slim, now()),
      };
    },
    decide: decideInstallation,
    act: (decision) => {
      const tasks = [writeTask(decision, writing)].filter((task): task is Task => task !== undefined);
      writes.offer(decision.installation, tasks);
      if (decision.uninstall !== undefined) uninstaller.act(decision.uninstall.plan, decision.uninstall.decision);
    },
    again: ({ wakeAt }) => wakeAt,
    tell: tell,
    read: async (name) => {
      const slim = installations.get(name);
      const plan = slim && planOf(slim, world);
      if (plan !== undefined) await uninstaller.read(plan);
    },
    settled: async (rest) => {
      await uninstaller.settled(rest);
      await writes.settled(rest);
    },
  };
}

/** Installations that are to go and had something in this namespace. */
function leaving({ world }: OpenWorld, namespace: string | undefined): string[] {
  return Array.from(world.installations.values())
    .filter(({ spec }) => spec.state === 'Deleted' && spec.components.some((each) => each.namespace === namespace))
    .map(({ name }) => name);
}

function observed({ version, ...slim }: SlimInstallation): ObservedInstallation {
  return { ...slim, resourceVersion: String(version) };
}

function planOf(slim: SlimInstallation, { world }: OpenWorld): UninstallPlan | undefined {
  if (slim.spec.state === 'Deleted') return uninstallPlanOf(observed(slim));
  if (slim.deletedAt !== undefined) return undefined;
  const others = Array.from(world.installations.values()).filter(({ name }) => name !== slim.name);
  const listed = others.flatMap(({ spec }) => spec.components.flatMap(({ objects }) => objects ?? []));
  return driftPlanOf(observed(slim), listed);
}

function unchangedSince(
  known: Map<string, { readonly spec: string; readonly since: number }>,
  { name, uid, generation }: SlimInstallation,
  now: number,
): number {
  const spec = `${uid} ${generation}`;
  const before = known.get(name);
  if (before?.spec === spec) return before.since;
  known.set(name, { spec, since: now });
  return now;
}

function tell({ installation, uninstall, finalizers, status }: InstallationDecision): readonly string[] {
  const lines = uninstall === undefined ? [] : tellUninstall(uninstall.decision);
  return [
    ...lines.map((line) => `${installation} ${line}`),
    ...(finalizers === undefined
      ? []
      : [`set the finalizers of installation ${installation}: ${finalizers.join(', ')}`]),
    ...(status === undefined ? [] : [`write the status of installation ${installation}`]),
  ];
}

/** Somebody else's write in between is no failure: it is decided anew. */
const fine: readonly string[] = ['done', 'gone', 'replaced', 'conflict'];

function reports({ metrics, log, failed }: InstallationsOptions) {
  return {
    onOutcome: (action: UninstallAction, outcome: string) => {
      metrics.actions.inc({ loop, action: action.kind, outcome });
      log.info({ loop, action: action.kind, outcome, component: action.component }, tellAction(action));
      if (!fine.includes(outcome)) failed(`${tellAction(action)}: ${outcome}`);
    },
    onBlind: (installation: string, error: Error) =>
      log.warn({ loop, installation, error }, 'the cluster cannot be looked at just now'),
  };
}

function reportWrite({ metrics, log, failed }: InstallationsOptions) {
  return ({ installation }: InstallationDecision, what: 'finalizer' | 'status', outcome: string) => {
    metrics.actions.inc({ loop, action: what, outcome });
    const text = `write the ${what} of installation ${installation}`;
    log.debug({ loop, action: what, outcome, installation }, text);
    if (!fine.includes(outcome)) failed(`${text}: ${outcome}`);
  };
}
