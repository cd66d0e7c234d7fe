import { columns, type Definition } from './definition.ts';
import { count, flag, instant, keyed, label, list, oneOf, record, type Schema, text } from './schema.ts';
import { blockers, conditions, hookJob, observedGeneration, progress } from './status.ts';

const role: Schema = oneOf('Its role.', ['control-plane', 'load-balancer', 'worker']);

const spec: Schema = record(
  'An ordered shutdown or restart of the whole cluster.',
  {
    cluster: label('The cluster.'),
    action: oneOf('What to do. None: nothing, and what was begun stops at the next safe step.', [
      'Shutdown',
      'Restart',
      'None',
    ]),
    backupAcknowledged: flag('Somebody says that there is a backup: without it nothing is shut down.'),
    nodes: list(
      'Declared nodes, in the order in which they are powered off. Which etcd member leads is only known then: it goes last. Nodes that are not declared are treated as workers.',
      record(
        'One node.',
        { address: text('IP address.', { minLength: 2, maxLength: 45 }), pool: text('Its node pool.'), role },
        ['address', 'role'],
      ),
    ),
    powerHook: hookJob(
      'Job that is run for each node to turn its power off or on. Without one, the ordered list is the result.',
    ),
  },
  ['cluster', 'action', 'backupAcknowledged'],
);

const status: Schema = record('What was observed.', {
  observedGeneration,
  phase: oneOf('Where it is.', [
    'Idle',
    'Waiting',
    'Draining',
    'PoweringOff',
    'Off',
    'PoweringOn',
    'Leaving',
    'Done',
    'Error',
  ]),
  since: instant('Since when it has been there.'),
  waitingFor: text('The first gate that is closed, or the first blocker, as a code.'),
  gates: keyed(
    'What has to hold before anything is shut down.',
    ['name'],
    record(
      'One gate.',
      {
        name: oneOf('Which one.', ['nodes-ready', 'etcd-running', 'backup-acknowledged', 'user-clusters-down']),
        open: flag('Whether it holds.'),
        message: text('Why not.'),
        since: instant('Since when.'),
      },
      ['name', 'open'],
    ),
  ),
  powerOffOrder: list(
    'Nodes in the order to turn them off; to turn them on, backwards.',
    record(
      'One node.',
      {
        address: text('IP address.'),
        node: text('Name of the Node.'),
        role,
        etcd: oneOf('Its part in etcd, where it has one.', ['Leader', 'Follower']),
        state: oneOf('What was seen.', ['On', 'Ready', 'TurningOff', 'Off', 'TurningOn', 'Failed']),
        since: instant('Since when.'),
      },
      ['address', 'state'],
    ),
  ),
  nodesLeft: count('Nodes that are still to come.'),
  ...progress,
  blockers,
  conditions,
});

export const clusterShutdown: Definition = {
  kind: 'ClusterShutdown',
  plural: 'clustershutdowns',
  shortNames: ['csd'],
  columns: columns(
    { name: 'Action', type: 'string', jsonPath: '.spec.action', description: 'What git asks for.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'What was observed.' },
    { name: 'Since', type: 'date', jsonPath: '.status.since', description: 'How long it has been in this phase.' },
    {
      name: 'NodesLeft',
      type: 'integer',
      jsonPath: '.status.nodesLeft',
      description: 'Nodes that are still to come.',
    },
    { name: 'WaitingFor', type: 'string', jsonPath: '.status.waitingFor', description: 'Gate or blocker.' },
  ),
  description:
    'An ordered shutdown or restart of a cluster. Written by quiesce from state/; the status by its sidecar.',
  spec,
  status,
};
