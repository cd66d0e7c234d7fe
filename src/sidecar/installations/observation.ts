import type { Instant } from '../../instant.ts';
import type { UninstallObservation } from '../uninstall/observation.ts';
import type { Hook, ObjectId, Sweep, UninstallPlan } from '../uninstall/plan.ts';
import type { InstallationStatus } from './status.ts';

/** What the decider is told of one Installation. */
export interface Observation {
  readonly installation: ObservedInstallation;
  /** What is to go of it: all, or what git does not list any more. Nothing: that is not known. */
  readonly plan?: UninstallPlan;
  /** What was seen for that plan; nothing: nobody has looked since the last decision. */
  readonly look?: UninstallObservation;
  /** Since when git has had it as it is, as far as this process has seen. */
  readonly unchangedSince: Instant;
}

export interface ObservedInstallation {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deletedAt?: Instant;
  readonly finalizers: readonly string[];
  /** Somebody takes a deletion with kubectl back. */
  readonly isWithdrawn: boolean;
  readonly spec: InstallationSpec;
  readonly status?: InstallationStatus;
}

/** As the CRD has it; lists that are empty are there. */
export interface InstallationSpec {
  readonly state: 'Installed' | 'Deleted';
  readonly deletion: {
    readonly strategy: 'Ordered' | 'Quick';
    readonly timeoutSeconds: number;
    readonly confirm: boolean;
  };
  readonly components: readonly ComponentSpec[];
}

export interface ComponentSpec {
  readonly name: string;
  readonly namespace: string;
  readonly dependsOn: readonly string[];
  readonly wave: number;
  readonly deletion: {
    readonly preDelete: readonly Hook[];
    readonly delete: readonly Hook[];
    readonly postDelete: readonly Hook[];
    readonly sweep: readonly Sweep[];
    readonly persistentVolumeClaims: 'Retain' | 'Delete';
    readonly namespace: 'DeleteWhenEmpty' | 'Keep';
  };
  readonly helm?: { readonly release: string };
  /** Everything that is rendered for it, first to go first; absent: not known. */
  readonly objects?: readonly ObjectId[];
}
