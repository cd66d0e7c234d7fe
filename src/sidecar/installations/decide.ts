import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import { isSame } from '../../same.ts';
import type { EventNote } from '../maintenance/action.ts';
import { datedCondition } from '../maintenance/conditions.ts';
import { isNamed } from '../uninstall/belongs.ts';
import { decideUninstall } from '../uninstall/decide.ts';
import type { UninstallDecision } from '../uninstall/decision.ts';
import type { UninstallObservation } from '../uninstall/observation.ts';
import type { UninstallPlan } from '../uninstall/plan.ts';
import { isBlind } from '../uninstall/stopped.ts';
import type { Observation, ObservedInstallation } from './observation.ts';
import { type InstallationStatus, uninstallPhases } from './status.ts';

export interface InstallationDecision {
  readonly installation: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The whole list, to be patched; absent: it stays as it is. */
  readonly finalizers?: readonly string[];
  /** To be written; absent: it is shown already. */
  readonly status?: InstallationStatus;
  /** When that write, or else the patch, succeeded. */
  readonly events: readonly EventNote[];
  readonly uninstall?: { readonly plan: UninstallPlan; readonly decision: UninstallDecision };
  readonly wakeAt?: Instant;
}

const finalizer = 'quiesce.dev/uninstall';

export function decideInstallation(now: Instant, observation: Observation): InstallationDecision {
  const { installation } = observation;
  const { spec, deletedAt } = installation;
  if (spec.state === 'Deleted') return uninstalling(now, observation);
  if (deletedAt !== undefined) return deletedByHand(now, installation);
  return installed(now, observation);
}

/** That this state has arrived is the proof that the applier has stopped rendering the rest. */
function uninstalling(now: Instant, { installation, plan, look }: Observation): InstallationDecision {
  const { deletedAt, status: shown } = installation;
  const isGone = shown?.phase === 'Deleted' && shown.run === plan?.run;
  if (deletedAt !== undefined && isGone) return { ...base(installation), ...released(installation) };
  const held = deletedAt === undefined ? withFinalizer(installation) : {};
  if (plan === undefined || look === undefined) {
    return { ...base(installation), ...held, ...(plan !== undefined && pending(now, installation, plan)) };
  }
  const decision = decideUninstall(plan, look, now);
  return {
    ...base(installation),
    ...held,
    ...(decision.write && { status: decision.status, events: decision.events }),
    uninstall: { plan, decision },
    ...(decision.wakeAt !== undefined && { wakeAt: decision.wakeAt }),
  };
}

/** Before the first look: with it begins the time of the run. */
function pending(
  now: Instant,
  installation: ObservedInstallation,
  { run }: UninstallPlan,
): Pick<InstallationDecision, 'status' | 'events'> | undefined {
  const { status: shown, generation } = installation;
  if (uninstallPhases.includes(shown?.phase) && shown?.run === run) return undefined;
  const deleted = { type: 'Deleted', status: false, reason: 'Pending', message: 'Looking at what is there.' };
  const status: InstallationStatus = {
    observedGeneration: generation,
    phase: 'DeletePending',
    reason: 'looking',
    since: instantText(now),
    run,
    heartbeat: instantText(now),
    step: 'looking at what is there',
    conditions: [datedCondition(now, deleted, { generation })],
  };
  return { status, events: [event(installation, 'Normal', 'DeletePending', 'Git says Deleted: to be uninstalled.')] };
}

/** With kubectl, or by an applier in spite of its protection. Self-heal would make again what we delete. */
function deletedByHand(now: Instant, installation: ObservedInstallation): InstallationDecision {
  const { name, generation, status: shown, isWithdrawn, spec } = installation;
  const wasOrdered = uninstallPhases.includes(shown?.phase) && shown?.reason !== 'not-in-git';
  if (isWithdrawn || wasOrdered) {
    const note = 'Git says Installed: the resource is let go without uninstalling, and the applier makes it again.';
    const events = [event(installation, 'Warning', 'DeletionWithdrawn', note)];
    return { ...base(installation), ...released(installation), events };
  }
  const message = `It was deleted with kubectl, and git says ${spec.state}: nothing is removed until git says Deleted. To delete it, write "state: Deleted" in state/installations/${name}.yaml; to keep it, "kubectl annotate installation ${name} quiesce.dev/withdraw-deletion=".`;
  const facts = [
    { type: 'Ready', status: false, reason: 'NotInGit', message },
    { type: 'Stalled', status: true, reason: 'NotInGit', message },
  ];
  const since = shown?.reason === 'not-in-git' && shown.since !== undefined ? shown.since : instantText(now);
  const status: InstallationStatus = {
    observedGeneration: generation,
    phase: 'DeletePending',
    reason: 'not-in-git',
    since,
    blockers: [{ code: 'not-in-git', who: 'object-owner', since, permanent: true, message }],
    conditions: facts.map((fact) =>
      datedCondition(now, fact, { generation, ...(shown !== undefined && { status: shown }) }),
    ),
  };
  if (isSame(status, shown)) return base(installation);
  return { ...base(installation), status, events: [event(installation, 'Warning', 'DeletePending', message)] };
}

/** What left git may be on its way to another Installation, whose resource comes a moment later. */
const settleMs = 20_000;
const whileInstalledMs = 600_000;

/** While it is being installed: soon at first, and less and less often the longer it takes. */
function lookAgainMs(now: Instant, { status }: ObservedInstallation): number {
  const since = status?.phase === 'Installing' ? (parseInstant(status.since) ?? now) : now;
  return Math.min(60_000, Math.max(2000, (now - since) / 2));
}

function installed(now: Instant, observation: Observation): InstallationDecision {
  const { installation, plan, look, unchangedSince } = observation;
  const held = withFinalizer(installation);
  if (plan === undefined) return { ...base(installation), ...held, ...shownAs(now, installation, unknown) };
  if (look === undefined) return { ...base(installation), ...held };
  const drift = decideUninstall(plan, look, now);
  // Before it says so, the engine looks for names as well; here there are none that would matter.
  const isDrifted = drift.status.phase !== 'Deleted' && !drift.next.names;
  const settlesAt = unchangedSince + settleMs;
  const actions = now >= settlesAt ? drift.actions : [];
  const missing = missingOf(installation, look);
  const regular = now + (missing.size > 0 ? lookAgainMs(now, installation) : whileInstalledMs);
  const soon = now < settlesAt ? settlesAt : (drift.wakeAt ?? regular);
  const wakeAt = isDrifted ? Math.min(regular, soon) : regular;
  // Else the next look has to be a whole one, or what is installed since would not be seen.
  const next = isDrifted ? drift.next : whole;
  return {
    ...base(installation),
    ...held,
    // What nobody could look at is as it was.
    ...(isBlind(look) ? {} : shownAs(now, installation, { missing, drift: isDrifted ? drift.status : undefined })),
    uninstall: { plan, decision: { ...drift, actions, next, wakeAt } },
    wakeAt,
  };
}

const whole = { depth: 'full', contents: [], instances: [], names: false } as const;

interface Standing {
  /** By component, how many of what is listed are not there; undefined: not known. */
  readonly missing: ReadonlyMap<string, number> | undefined;
  /** What is being removed. */
  readonly drift: UninstallDecision['status'] | undefined;
}

const unknown: Standing = { missing: undefined, drift: undefined };

function missingOf({ spec }: ObservedInstallation, { objects }: UninstallObservation): ReadonlyMap<string, number> {
  const counts = spec.components.map(({ name, objects: listed = [] }) => {
    const missing = listed.filter((id) => !objects.some((object) => isNamed(id, object)));
    return [name, missing.length] as const;
  });
  return new Map(counts.filter(([, count]) => count > 0));
}

function shownAs(
  now: Instant,
  installation: ObservedInstallation,
  { missing, drift }: Standing,
): Pick<InstallationDecision, 'status' | 'events'> | undefined {
  const { generation, status: shown, spec } = installation;
  const count = [...(missing?.values() ?? [])].reduce((sum, each) => sum + each, 0);
  const phase = missing === undefined || count > 0 ? 'Installing' : 'Installed';
  const reason = missing === undefined ? 'objects-unknown' : count > 0 ? 'objects-missing' : 'all-there';
  const message =
    missing === undefined
      ? 'What is rendered for it is not known.'
      : count > 0
        ? `${count} objects are not there yet.`
        : 'Everything that is rendered is there.';
  const since = (before: { readonly phase?: string; readonly since?: string } | undefined, its: string) =>
    before?.phase === its && before.since !== undefined ? before.since : instantText(now);
  const status: InstallationStatus = {
    observedGeneration: generation,
    phase,
    reason,
    since: since(shown, phase),
    ...(drift?.step !== undefined && { step: `removing what left git: ${drift.step}` }),
    ...(drift?.blockers !== undefined && { blockers: drift.blockers }),
    components: spec.components.map(({ name }) => {
      const its = missing === undefined || missing.has(name) ? 'Installing' : 'Installed';
      return {
        name,
        phase: its,
        since: since(
          shown?.components?.find((each) => each.name === name),
          its,
        ),
      };
    }),
    conditions: [
      {
        type: 'Ready',
        status: phase === 'Installed',
        reason: reason.replace(/(?:^|-)(.)/g, (_, l: string) => l.toUpperCase()),
        message,
      },
    ].map((fact) => datedCondition(now, fact, { generation, ...(shown !== undefined && { status: shown }) })),
  };
  if (isSame(status, shown)) return undefined;
  return { status, events: uninstallPhases.includes(shown?.phase) ? [restored(installation)] : [] };
}

function restored(installation: ObservedInstallation): EventNote {
  const note =
    'Git says Installed again: the uninstall has stopped where it was, and the applier brings back what went.';
  return event(installation, 'Warning', 'UninstallStopped', note);
}

function base({ name, uid, resourceVersion }: ObservedInstallation): InstallationDecision {
  return { installation: name, uid, resourceVersion, events: [] };
}

function withFinalizer({ finalizers }: ObservedInstallation): Pick<InstallationDecision, 'finalizers'> {
  return finalizers.includes(finalizer) ? {} : { finalizers: [...finalizers, finalizer] };
}

function released({ finalizers }: ObservedInstallation): Pick<InstallationDecision, 'finalizers'> {
  return finalizers.includes(finalizer) ? { finalizers: finalizers.filter((each) => each !== finalizer) } : {};
}

function event({ name, uid }: ObservedInstallation, type: EventNote['type'], reason: string, text: string): EventNote {
  const regarding = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'Installation', name, uid };
  return { type, reason, action: 'Uninstall', regarding, note: text };
}
