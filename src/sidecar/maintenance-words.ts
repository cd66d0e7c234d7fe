import type { Action, Decision, NodeChange } from './maintenance/action.ts';
import type { BlockStatus, NodeStatus } from './maintenance/status.ts';

/** What a decision would do, and what keeps it from doing more; one line each, for people. */
export function tellMaintenance({ actions, statuses }: Decision): readonly string[] {
  return [...actions.map(tellAction), ...statuses.flatMap(({ block, status }) => tellStatus(block, status))];
}

export function tellAction(action: Action): string {
  switch (action.kind) {
    case 'node':
      return `${reasons[action.why]} of node ${action.node}: ${tellChange(action)}`;
    case 'evict':
      return `evict pod ${action.namespace}/${action.name} from node ${action.node}`;
    case 'status':
      return `write the status of maintenanceblock ${action.block}`;
  }
}

const reasons: Readonly<Record<NodeChange['why'], string>> = {
  start: 'begin the drain',
  enter: 'begin the maintenance',
  correct: 'correct the maintenance',
  restart: 'begin the drain again, it is another node now,',
  leave: 'end the maintenance',
};

function tellChange({ addTaints, removeTaints, unschedulable }: NodeChange): string {
  const parts = [
    ...addTaints.map(({ key, effect }) => `add taint ${key}:${effect}`),
    ...removeTaints.map(({ key, effect }) => `remove taint ${key}:${effect}`),
    ...(unschedulable === undefined ? [] : [unschedulable ? 'cordon' : 'uncordon']),
  ];
  return parts.length === 0 ? 'note what is ours' : parts.join(', ');
}

function tellStatus(block: string, { nodes = [] }: BlockStatus): string[] {
  return nodes.flatMap((node) => [`${block}: ${tellNode(node)}`, ...tellBlockers(node)]);
}

function tellNode({ address, node, phase, stage, podsLeft, deadline }: NodeStatus): string {
  const parts = [
    phase,
    ...(stage === undefined ? [] : [`stage ${stage}`]),
    ...(podsLeft === undefined ? [] : [`pods left ${podsLeft}`]),
    ...(deadline === undefined ? [] : [`deadline ${deadline}`]),
  ];
  return `${node ?? 'no node'} (${address}) is ${parts.join(', ')}`;
}

function tellBlockers({ blockers = [] }: NodeStatus): string[] {
  return blockers.map(
    ({ code, message, who }) => `  waits: ${code}: ${message}${who === undefined ? '' : ` [${who}]`}`,
  );
}
