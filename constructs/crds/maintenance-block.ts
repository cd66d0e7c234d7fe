import { columns, type Definition } from './definition.ts';
import { count, flag, instant, keyed, label, list, oneOf, record, type Schema, text } from './schema.ts';
import { blockers, conditions, observedGeneration, progress } from './status.ts';

const one = '([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)';

const address: Schema = text('IP address, as the node reports it as InternalIP.', {
  pattern: `^${one}$`,
  maxLength: 45,
});

const taint: Schema = record(
  'One taint.',
  {
    key: text('Key.', { minLength: 1, maxLength: 317 }),
    value: text('Value.', { maxLength: 63 }),
    effect: oneOf('Effect.', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  },
  ['key', 'effect'],
);

const spec: Schema = record(
  'Which nodes are to be in maintenance, and how they get there.',
  {
    config: label('Cluster config that asks for it.'),
    blocks: list('Address ranges as written there.', text('A single address, an inclusive range, or a CIDR.')),
    nodes: keyed(
      'Every selected node that is declared in the config.',
      ['address'],
      record(
        'One node.',
        {
          address,
          pool: text('Its node pool.'),
          role: oneOf('Its role.', ['control-plane', 'load-balancer', 'worker']),
          taints: list('What maintenance adds, in this order.', taint),
        },
        ['address', 'pool', 'role', 'taints'],
      ),
    ),
    unmatched: list(
      'Selected addresses and ranges that no declared node has: a node that reports one of them is taken too.',
      text('A single address, an inclusive range, or a CIDR.', {
        pattern: `^${one}(-${one}|/[0-9]{1,3})?$`,
        maxLength: 91,
      }),
    ),
    deadlineSeconds: count('How long a drain may take until the node is in maintenance all the same.'),
    ignorePdb: flag('Both taints at once: no evictions, no order, no PodDisruptionBudgets.'),
    profile: oneOf('Behaviour by version of GKE on bare metal.', ['1.28', '1.29']),
    maxConcurrent: count('How many nodes at once; 0 for all.'),
    cordon: flag('Cordon as well: maintenance alone is still billed.'),
    csiPodNames: list(
      'Names of CSI driver pods, in addition to those that are recognised.',
      text('Prefix of a pod name.'),
    ),
    taintedBy: oneOf('Who writes the taints: the sidecar its own pairs, or the applier the whole list.', [
      'sidecar',
      'applier',
    ]),
  },
  // Not `nodes`: a server-side apply that empties a list leaves none behind, and that is the way out of maintenance.
  ['config', 'deadlineSeconds', 'ignorePdb', 'profile'],
);

const nodeStatus: Schema = record(
  'One node.',
  {
    address,
    node: text('Name of the Node; absent while no Node has this address.'),
    phase: oneOf('Where it is.', ['Pending', 'Draining', 'InMaintenance', 'Leaving']),
    stage: count(
      'Which of the five stages of the drain: 1 and 2 without, 3 with priority class, 4 volumes, 5 CSI drivers.',
      {
        minimum: 1,
        maximum: 5,
      },
    ),
    podsLeft: count('Pods that are still to go.'),
    since: instant('Since when it has been in this phase.'),
    drainStarted: instant('When the drain began: what the deadline counts from, also after a restart.'),
    deadline: instant('When it is in maintenance all the same.'),
    overran: flag('It came into maintenance by the deadline, not by being drained.'),
    blockers,
  },
  ['address', 'phase'],
);

const status: Schema = record('What was observed.', {
  observedGeneration,
  readyNodes: count('Nodes that are Ready and not in maintenance.'),
  reconcilingNodes: count('Nodes on their way into maintenance or out of it.'),
  stalledNodes: count('Nodes on their way that something blocks.'),
  underMaintenanceNodes: count('Nodes in maintenance.'),
  unknownNodes: count('Selected addresses without a Node, or with one that nobody hears of.'),
  nodes: keyed('Every selected node, and those that are leaving.', ['address'], nodeStatus),
  ...progress,
  conditions,
});

const columnsOfNodePools = [
  ['Ready', 'readyNodes'],
  ['Reconciling', 'reconcilingNodes'],
  ['Stalled', 'stalledNodes'],
  ['UnderMaintenance', 'underMaintenanceNodes'],
  ['Unknown', 'unknownNodes'],
] as const;

export const maintenanceBlock: Definition = {
  kind: 'MaintenanceBlock',
  plural: 'maintenanceblocks',
  shortNames: ['mb'],
  columns: columns(
    ...columnsOfNodePools.map(([name, field]) => ({
      name,
      type: 'integer' as const,
      jsonPath: `.status.${field}`,
      description: status.properties?.[field]?.description ?? '',
    })),
    { name: 'Config', type: 'string', jsonPath: '.spec.config', description: 'Who asks for it.', priority: 1 },
    {
      name: 'Deadline',
      type: 'integer',
      jsonPath: '.spec.deadlineSeconds',
      description: 'Seconds for a drain.',
      priority: 1,
    },
  ),
  description:
    'The nodes of one cluster config that are to be in maintenance. Written by quiesce from state/; the status by its sidecar.',
  spec,
  status,
};
