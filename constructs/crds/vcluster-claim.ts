import { columns, type Definition } from './definition.ts';
import { count, flag, instant, label, list, oneOf, record, type Schema, text } from './schema.ts';
import {
  blockers,
  conditions,
  objectReference,
  observedGeneration,
  progress,
  remains,
  uninstallPhases,
} from './status.ts';

/** What is in the resource is the result of compiling, so the rules here are few: they catch what was not compiled. */
const spec: Schema = record(
  'What is asked for, with every default filled in.',
  {
    state: oneOf('What it is to be.', ['Running', 'Sleeping', 'Deleted']),
    cluster: label('Host cluster.'),
    namespace: {
      ...label('Namespace of the virtual cluster.'),
      'x-kubernetes-validations': [
        {
          rule: 'self == oldSelf',
          message: 'a virtual cluster cannot move to another namespace: its data would stay behind',
        },
      ],
    },
    owners: list(
      'Who is asked before it expires; the first one is shown.',
      record('One person.', { name: text('Name.'), email: text('Mail address.', { minLength: 3 }) }, ['name', 'email']),
      100,
    ),
    version: text('Version of vCluster.'),
    replicas: count('Replicas of the control plane while it runs; kept while it sleeps.', { minimum: 1 }),
    backingStore: oneOf('Where the control plane keeps its state.', [
      'embeddedDatabase',
      'embeddedEtcd',
      'deployedEtcd',
      'externalDatabase',
    ]),
    host: text('Host name that it is exposed under.'),
    service: text('Service behind that host name, as vCluster names it on the host cluster.'),
    expiry: record(
      'When it is put to sleep and deleted unless somebody renews it.',
      {
        never: flag('It does not expire.'),
        after: count('Seconds from the last renewal until it is put to sleep.'),
        grace: count('Seconds from then until it is deleted.'),
      },
      [],
      [
        { rule: 'has(self.never) != has(self.after)', message: 'either never, or after and grace' },
        { rule: 'has(self.after) == has(self.grace)', message: 'after and grace belong together' },
      ],
    ),
    schedules: list(
      'When it goes to sleep and wakes by the clock.',
      record(
        'One schedule.',
        { sleep: text('Cron line.'), wake: text('Cron line.'), timeZone: text('Time zone of both.') },
        ['timeZone'],
        [{ rule: 'has(self.sleep) || has(self.wake)', message: 'a schedule needs sleep, wake, or both' }],
      ),
      50,
    ),
    protected: flag('It never expires.'),
    keepData: flag('Its volumes stay when it is deleted.'),
    objects: list('Everything else that is rendered for it, first to go first.', objectReference('One object.'), 500),
  },
  ['state', 'cluster', 'namespace', 'replicas', 'backingStore'],
  [{ rule: 'has(self.host) == has(self.service)', message: 'host and service belong together' }],
);

const status: Schema = record('What was observed.', {
  observedGeneration,
  phase: oneOf('Where it is.', ['Waking', 'Running', 'Sleeping', 'Asleep', ...uninstallPhases]),
  reason: text('Why it is there, as a code.'),
  since: instant('Since when it has been there.'),
  replicas: record('Of the control plane.', {
    desired: count('Asked for.'),
    observed: count('Not gone yet.'),
    ready: count('Ready.'),
  }),
  deadlines: record('What will happen unless somebody renews it. They only ever move later.', {
    warnSleep: instant('Warning before it is put to sleep.'),
    sleep: instant('Put to sleep.'),
    warnDelete: instant('Warning before it is deleted.'),
    delete: instant('Deletion ordered.'),
    next: instant('The earliest of those still ahead that changes something.'),
  }),
  ...progress,
  ...remains,
  blockers,
  conditions,
});

export const vclusterClaim: Definition = {
  kind: 'VClusterClaim',
  plural: 'vclusterclaims',
  shortNames: ['vcc'],
  columns: columns(
    { name: 'State', type: 'string', jsonPath: '.spec.state', description: 'What git asks for.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'What was observed.' },
    { name: 'Since', type: 'date', jsonPath: '.status.since', description: 'How long it has been in this phase.' },
    {
      name: 'Expires',
      type: 'string',
      jsonPath: '.status.deadlines.next',
      description: 'When it sleeps or goes unless renewed.',
    },
    { name: 'Owner', type: 'string', jsonPath: '.spec.owners[0].email', description: 'Who is asked first.' },
    { name: 'Blocker', type: 'string', jsonPath: '.status.blockers[0].code', description: 'What it waits for.' },
    { name: 'Step', type: 'string', jsonPath: '.status.step', description: 'What is being done now.', priority: 1 },
    { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'Version of vCluster.', priority: 1 },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'While it runs.', priority: 1 },
    { name: 'Host', type: 'string', jsonPath: '.spec.host', description: 'Where it is exposed.', priority: 1 },
  ),
  description: 'One virtual cluster. Written by quiesce from state/; the status by its sidecar.',
  spec,
  status,
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
      message: 'the name also names a Service: letters, digits and dashes, starting with a letter',
    },
    {
      rule: "!self.metadata.name.contains('-x-')",
      message: 'vCluster joins names with -x-: a name that contains it could be taken for another one',
    },
  ],
};
