import type { UninstallAction, UninstallDecision } from './decision.ts';
import type { ObjectId } from './plan.ts';

/** What a decision would do, and what keeps it from doing more; one line each, for people. */
export function tellUninstall({ actions, blockers, status }: UninstallDecision): readonly string[] {
  const { phase, step } = status;
  return [
    `is ${phase}${step === undefined ? '' : `: ${step}`}`,
    ...actions.map((action) => tellAction(action)),
    ...blockers.map(({ code, message, who }) => `waits: ${code}: ${message}${who === undefined ? '' : ` [${who}]`}`),
  ];
}

export function tellAction(action: UninstallAction): string {
  switch (action.kind) {
    case 'delete':
      return `delete ${named(action.object)}`;
    case 'dropFinalizers':
      return `drop the finalizers of ${named(action.object)}`;
    case 'finalizeNamespace':
      return `give up ${named(action.object)}`;
    case 'markData':
      return `note whose data ${named(action.object)} is`;
    case 'startHook':
      return `start hook ${action.hook.name} of ${action.component}, attempt ${action.attempt}`;
    case 'helmUninstall':
      return `uninstall Helm release ${action.namespace}/${action.release}`;
  }
}

function named({ kind, namespace, name }: ObjectId): string {
  return `${kind.toLowerCase()} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
