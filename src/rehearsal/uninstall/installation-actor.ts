import { decideInstallation } from '../../sidecar/installations/decide.ts';
import type { InstallationSpec, ObservedInstallation } from '../../sidecar/installations/observation.ts';
import { driftPlanOf, uninstallPlanOf } from '../../sidecar/installations/plan.ts';
import { shownToEngine } from '../../sidecar/installations/status.ts';
import type { UninstallBlocker } from '../../sidecar/uninstall/blocker.ts';
import type { UninstallObservation } from '../../sidecar/uninstall/observation.ts';
import type { ObjectId, UninstallPlan } from '../../sidecar/uninstall/plan.ts';
import { isConcluded } from '../../sidecar/uninstall/report.ts';
import type { UninstallStatus } from '../../sidecar/uninstall/status.ts';
import type { Actor } from './course.ts';
import { lookAt } from './look.ts';

export interface WantedInstallation {
  readonly name: string;
  readonly spec: InstallationSpec;
}

/** The engine's last word, and what it saw when it spoke it. */
export interface LastWord {
  readonly plan: UninstallPlan;
  readonly status: UninstallStatus;
  readonly blockers: readonly UninstallBlocker[];
  readonly look: Pick<UninstallObservation, 'objects' | 'contents'>;
}

export interface RemovingActor extends Actor {
  lastWord(): LastWord | undefined;
}

/** What the applier brings is there from the beginning, and nothing of it is rendered any more. */
export function installationActor(
  existing: ObservedInstallation,
  { spec }: WantedInstallation,
  listedByOthers: readonly ObjectId[],
): RemovingActor {
  let installation: ObservedInstallation = { ...existing, spec, generation: existing.generation + 1 };
  let last: LastWord | undefined;
  let unchangedSince: number | undefined;
  return {
    lastWord: () => last,
    pass: (scene, memory, refusals) => {
      const { now } = scene.objects;
      unchangedSince ??= now;
      const plan = spec.state === 'Deleted' ? uninstallPlanOf(installation) : driftPlanOf(installation, listedByOthers);
      if (plan === undefined) return { blockers: [], isOver: true };
      const shown = shownToEngine(installation.status);
      if (isConcluded(plan, shown)) return { blockers: [], isOver: true };
      const seen = lookAt(scene, plan, memory);
      const look = { ...seen, shown, refusals: Object.fromEntries(refusals), deletions: {} };
      const decided = decideInstallation(now, { installation, plan, look, unchangedSince });
      const { status, finalizers = installation.finalizers, uninstall, wakeAt } = decided;
      installation = { ...installation, finalizers, ...(status !== undefined && { status }) };
      if (uninstall === undefined) return { blockers: [], isOver: false };
      const { decision } = uninstall;
      last = { plan, status: decision.status, blockers: decision.blockers, look };
      return {
        decision,
        contents: look.contents,
        blockers: decision.blockers,
        ...(wakeAt !== undefined && { wakeAt }),
        isOver: decision.status.phase === 'Deleted' && (spec.state === 'Deleted' || now >= unchangedSince + driftMs),
      };
    },
  };
}

/** What left git may be on its way to another Installation: it stays for a while. */
const driftMs = 25_000;
