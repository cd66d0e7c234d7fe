import type { Instant } from '../../instant.ts';
import type { Hash } from '../../resolve/tools.ts';
import { decideClaim } from '../../sidecar/claims/decide.ts';
import type { ClaimSpec, Observation, ObservedClaim, ObservedPod } from '../../sidecar/claims/observation.ts';
import { uninstallPlanOf } from '../../sidecar/claims/plan.ts';
import { partOf } from '../../sidecar/claims/slim.ts';
import type { ClaimStatus } from '../../sidecar/claims/status.ts';
import { shownToEngine } from '../../sidecar/claims/uninstall.ts';
import { kindKey } from '../../sidecar/uninstall/kinds.ts';
import { isConcluded } from '../../sidecar/uninstall/report.ts';
import type { Passed } from './course.ts';
import type { LastWord, RemovingActor } from './installation-actor.ts';
import { type LookMemory, lookAt, type Scene } from './look.ts';
import type { PicturedObject } from './pictured.ts';

export interface WantedClaim {
  readonly name: string;
  readonly spec: ClaimSpec;
}

interface ClaimActor extends RemovingActor {
  status(): ClaimStatus | undefined;
}

/** The applier has scaled a sleeping claim's workloads to zero at the beginning, and renders nothing of a deleted one. */
export function claimActor(existing: ObservedClaim, { spec }: WantedClaim, hash: Hash): ClaimActor {
  let claim: ObservedClaim = { ...existing, spec, generation: existing.generation + 1 };
  let aliveAt: Instant | undefined;
  let last: LastWord | undefined;
  return {
    lastWord: () => last,
    status: () => claim.status,
    pass: (scene, memory, refusals) => {
      const { now } = scene.objects;
      const seen = observed(scene, claim);
      if (seen.pods.length > 0) aliveAt = now;
      const uninstall = spec.state === 'Deleted' ? uninstallOf(scene, claim, { memory, hash, refusals }) : undefined;
      const decision = decideClaim(now, {
        ...seen,
        ...(aliveAt !== undefined && { aliveAt }),
        ...(uninstall !== undefined && { uninstall }),
      });
      const write = decision.actions.find((action) => action.kind === 'status');
      const hold = decision.actions.find((action) => action.kind === 'finalizer');
      claim = {
        ...claim,
        ...(write !== undefined && { status: write.status }),
        ...(hold !== undefined && { finalizers: hold.finalizers }),
      };
      if (decision.uninstall !== undefined && uninstall?.look !== undefined) {
        const { plan, decision: engine } = decision.uninstall;
        last = { plan, status: engine.status, blockers: engine.blockers, look: uninstall.look };
      }
      return {
        ...(decision.uninstall !== undefined && { decision: decision.uninstall.decision }),
        ...(uninstall?.look !== undefined && { contents: uninstall.look.contents }),
        pods: decision.actions.flatMap((action) => (action.kind === 'pod' ? [action.uid] : [])),
        blockers: decision.uninstall?.decision.blockers ?? claim.status?.blockers ?? [],
        ...(decision.requeueAt !== undefined && { wakeAt: decision.requeueAt }),
        isOver: claim.status?.phase === 'Deleted' || claim.status?.phase === 'Asleep',
      } satisfies Passed;
    },
  };
}

interface Looking {
  readonly memory: LookMemory;
  readonly hash: Hash;
  readonly refusals: Parameters<RemovingActor['pass']>[2];
}

function uninstallOf(
  scene: Scene,
  claim: ObservedClaim,
  { memory, hash, refusals }: Looking,
): Observation['uninstall'] {
  const plan = uninstallPlanOf(claim, hash);
  const shown = shownToEngine(claim);
  if (isConcluded(plan, shown)) return { plan };
  const look = lookAt(scene, plan, memory);
  return { plan, look: { ...look, shown, refusals: Object.fromEntries(refusals), deletions: {} } };
}

function observed({ objects }: Scene, claim: ObservedClaim): Omit<Observation, 'uninstall' | 'aliveAt'> {
  const { namespace } = claim.spec;
  const all = objects.all();
  const own = all.find((object) => kindKey(object) === '/Namespace' && object.name === namespace);
  const here = all.filter((object) => object.namespace === namespace);
  return {
    claim,
    namespace: own === undefined ? 'absent' : own.deletedAt === undefined ? 'there' : 'terminating',
    workloads: here.flatMap(({ workload, deletedAt }) =>
      workload === undefined ? [] : [{ ...workload, ...(deletedAt !== undefined && { deletionAt: deletedAt }) }],
    ),
    pods: here.flatMap((object) => observedPod(object, claim.name)),
    answers: {},
    unread: [],
  };
}

function observedPod(object: PicturedObject, claim: string): ObservedPod[] {
  const { pod, name, uid, finalizers, createdAt, deletedAt } = object;
  const part = podPart(object, claim);
  if (pod === undefined || part === undefined) return [];
  const { isFinished, graceSeconds } = pod;
  return [
    {
      name,
      uid,
      part,
      isFinished,
      ready: !isFinished,
      ...(deletedAt !== undefined && { deletionAt: deletedAt }),
      graceSeconds,
      finalizers,
      createdAt,
    },
  ];
}

export function podPart({ labels }: PicturedObject, claim: string): ObservedPod['part'] | undefined {
  if (labels['vcluster.loft.sh/managed-by'] === claim) return 'synced';
  const part = partOf(labels);
  return part !== 'other' && labels.release === claim ? part : undefined;
}
