import { type AuditTail, tailAudit } from '../cluster/sidecar/audit-tail.ts';
import { type Lab, type Sidecar, startLab } from '../cluster/sidecar/lab.ts';
import type { Assets } from '../controlplane/assets.ts';
import { apply } from '../support/objects.ts';
import { priorityClass } from '../support/workloads.ts';
import { priorityClasses } from './random-workloads.ts';

/** A control plane with a sidecar, in which one random cluster is after the other. */
export interface Ground {
  readonly lab: Lab;
  readonly sidecar: Sidecar;
  readonly audit: AuditTail;
  stop(): Promise<void>;
}

export async function openGround(assets: Assets): Promise<Ground> {
  const lab = await startLab({ assets });
  try {
    await apply(lab.access, ...priorityClasses.map(([name, value]) => priorityClass(name, value)));
    const sidecar = await lab.sidecar({ args: ['--resync-seconds=10'] });
    return {
      lab,
      sidecar,
      audit: tailAudit(lab.cluster.sandbox.folder),
      stop: lab.stop,
    };
  } catch (error) {
    await lab.stop();
    throw error;
  }
}
