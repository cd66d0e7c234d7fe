import type { ComponentStatus, UninstallStatus } from '../uninstall/status.ts';

/** `status` of an Installation, as its CRD has it. */
export interface InstallationStatus extends Omit<UninstallStatus, 'phase' | 'components'> {
  readonly phase?: InstallationPhase;
  readonly components?: readonly (Omit<ComponentStatus, 'phase'> & { readonly phase: InstallationPhase })[];
}

type InstallationPhase = 'Installing' | 'Installed' | NonNullable<UninstallStatus['phase']>;

export const uninstallPhases: readonly (string | undefined)[] = ['DeletePending', 'Deleting', 'Deleted', 'DeleteError'];

/** For the engine, which knows nothing of what is installed. */
export function shownToEngine(status: InstallationStatus | undefined): UninstallStatus | undefined {
  return uninstallPhases.includes(status?.phase) ? (status as UninstallStatus) : undefined;
}
