import { columns, type Definition } from './definition.ts';
import { count, flag, instant, keyed, label, list, oneOf, record, type Schema, text } from './schema.ts';
import {
  blockers,
  conditions,
  hookJob,
  objectReference,
  observedGeneration,
  progress,
  remains,
  uninstallPhases,
} from './status.ts';

const componentDeletion: Schema = record(
  'How it is removed.',
  {
    preDelete: list('Jobs before anything else.', hookJob('One Job.')),
    delete: list('Jobs in place of the default.', hookJob('One Job.')),
    postDelete: list('Jobs at the end.', hookJob('One Job.')),
    sweep: list(
      'What else goes with it: objects that it made itself.',
      record(
        'One selection.',
        {
          apiGroups: list('API groups; the empty one is the core group.', text('One group.')),
          kinds: list('Kinds.', text('One kind.', { minLength: 1 })),
          selector: text('Label selector. Never empty: that would be everything of those kinds.', { minLength: 1 }),
        },
        ['apiGroups', 'kinds', 'selector'],
      ),
    ),
    persistentVolumeClaims: oneOf('What becomes of its data.', ['Retain', 'Delete']),
    namespace: oneOf('What becomes of its namespace.', ['DeleteWhenEmpty', 'Keep']),
  },
  ['persistentVolumeClaims', 'namespace'],
);

const component: Schema = record(
  'One component.',
  {
    name: label('Name, unique in the installation.'),
    namespace: label('Namespace of what names none.'),
    dependsOn: list('Components that have to be there before it, and that go after it.', label('Name of a component.')),
    wave: count('Length of the longest chain of dependencies below it.'),
    deletion: componentDeletion,
    helm: record(
      'The chart it is rendered from. Helm keeps no release of it, but an earlier one may be there.',
      {
        release: text('Name of the release.', { minLength: 1 }),
        chart: text('Chart.', { minLength: 1 }),
        repository: text('Repository.'),
        version: text('Version.'),
      },
      ['release', 'chart'],
    ),
    objects: list(
      'Everything that is rendered for it. Absent: not known here, only by the labels of what is on the cluster.',
      objectReference('One object.'),
      5000,
    ),
  },
  ['name', 'namespace', 'dependsOn', 'wave', 'deletion'],
);

const spec: Schema = record(
  'An ordered stack of components.',
  {
    cluster: label('Host cluster.'),
    state: oneOf('What it is to be.', ['Installed', 'Deleted']),
    deletion: record(
      'How it is removed as a whole.',
      {
        strategy: oneOf('Ordered waits for each thing to be gone; Quick does not wait, and lists what it lets go of.', [
          'Ordered',
          'Quick',
        ]),
        timeoutSeconds: count('When an uninstall is given up.', { minimum: 1 }),
        confirm: flag('Confirmed by name in git: needed for what drops finalizers or data.'),
      },
      ['strategy', 'timeoutSeconds', 'confirm'],
    ),
    components: keyed('In the order written.', ['name'], component),
  },
  ['cluster', 'state', 'deletion', 'components'],
);

const phases = ['Installing', 'Installed', ...uninstallPhases];

const status: Schema = record('What was observed.', {
  observedGeneration,
  phase: oneOf('Where it is.', phases),
  reason: text('Why it is there, as a code.'),
  since: instant('Since when it has been there.'),
  components: keyed(
    'Each component.',
    ['name'],
    record(
      'One component.',
      {
        name: label('Its name.'),
        phase: oneOf('Where it is.', phases),
        since: instant('Since when it has been there.'),
        hooks: keyed(
          'Hooks that ran: a finished one is not run again.',
          ['name'],
          record(
            'One hook.',
            {
              name: label('Its name.'),
              state: oneOf('How it ended.', ['Running', 'Succeeded', 'Failed']),
              attempt: count('How often it ran.'),
            },
            ['name', 'state'],
          ),
        ),
        blockers,
      },
      ['name', 'phase'],
    ),
  ),
  ...progress,
  ...remains,
  blockers,
  conditions,
});

export const installation: Definition = {
  kind: 'Installation',
  plural: 'installations',
  shortNames: ['inst'],
  columns: columns(
    { name: 'State', type: 'string', jsonPath: '.spec.state', description: 'What git asks for.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'What was observed.' },
    { name: 'Since', type: 'date', jsonPath: '.status.since', description: 'How long it has been in this phase.' },
    { name: 'Step', type: 'string', jsonPath: '.status.step', description: 'What is being done now.' },
    { name: 'Blocker', type: 'string', jsonPath: '.status.blockers[0].code', description: 'What it waits for.' },
    {
      name: 'Error',
      type: 'string',
      jsonPath: '.status.lastError.code',
      description: 'What went wrong last.',
      priority: 1,
    },
    { name: 'Done', type: 'integer', jsonPath: '.status.done', description: 'Steps that are done.', priority: 1 },
    { name: 'Total', type: 'integer', jsonPath: '.status.total', description: 'Steps in all.', priority: 1 },
    {
      name: 'Strategy',
      type: 'string',
      jsonPath: '.spec.deletion.strategy',
      description: 'How it is removed.',
      priority: 1,
    },
  ),
  description: 'An ordered stack of components. Written by quiesce from state/; the status by its sidecar.',
  spec,
  status,
};
