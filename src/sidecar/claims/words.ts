import type { UninstallAction } from '../uninstall/decision.ts';
import type { Action, ClaimDecision, FinalizerChange } from './action.ts';
import type { ClaimStatus } from './status.ts';

/** What a decision would do, and what keeps it from doing more; one line each, for people. */
export function tellClaim({ claim, actions, status, uninstall }: ClaimDecision): readonly string[] {
  const told = actions.filter(({ kind }) => kind !== 'status').map(tellAction);
  const removed = (uninstall?.decision.actions ?? []).map(tellUninstall);
  const changed = actions.some(({ kind }) => kind === 'status');
  return [...told, ...removed, ...(changed && status !== undefined ? tellStatus(claim, status) : [])];
}

export function tellAction(action: Action): string {
  switch (action.kind) {
    case 'pod':
      return `delete pod ${action.namespace}/${action.name}, which virtual cluster ${action.claim} has synced`;
    case 'finalizer':
      return `${finalizers[action.why]} vclusterclaim ${action.claim}`;
    case 'status':
      return `write the status of vclusterclaim ${action.claim}`;
  }
}

export function tellUninstall(action: UninstallAction): string {
  switch (action.kind) {
    case 'startHook':
      return `start Job ${action.namespace}/${action.job}`;
    case 'helmUninstall':
      return `uninstall release ${action.namespace}/${action.release}`;
    default: {
      const { kind, namespace, name } = action.object;
      return `${verbs[action.kind]} ${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    }
  }
}

const verbs = {
  delete: 'delete',
  dropFinalizers: 'drop the finalizers of',
  finalizeNamespace: 'finalize',
  markData: 'mark as data',
} as const;

const finalizers: Readonly<Record<FinalizerChange['why'], string>> = {
  hold: 'put our finalizer on',
  uninstalled: 'take our finalizer, since nothing is left, from',
  withdrawn: 'take our finalizer, without uninstalling, from',
};

function tellStatus(claim: string, { phase, reason, blockers = [] }: ClaimStatus): string[] {
  return [
    `${claim} is ${phase} (${reason})`,
    ...blockers.map(({ code, message, who }) => `  waits: ${code}: ${message}${who === undefined ? '' : ` [${who}]`}`),
  ];
}
