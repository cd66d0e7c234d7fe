import { count, flag, instant, keyed, label, list, oneOf, record, type Schema, text } from './schema.ts';

/** As everywhere in Kubernetes; `kubectl wait` and the appliers read it. */
export const conditions: Schema = keyed('Conditions, as in Kubernetes’ own kinds.', ['type'], {
  ...record(
    'One condition.',
    {
      type: text('Name of the condition.', { maxLength: 316 }),
      status: oneOf('Whether it holds.', ['True', 'False', 'Unknown']),
      observedGeneration: count('Generation of the spec that it speaks of.'),
      lastTransitionTime: instant('When the status last changed.'),
      reason: text('Why, as one word.', { pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$', maxLength: 1024 }),
      message: text('Why, for people.', { maxLength: 32768 }),
    },
    ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  ),
});

export const observedGeneration: Schema = count('Generation of the spec that this status speaks of.');

/** Codes are words with dashes: scripts and explanations look them up, people read the message beside them. */
const code: Schema = text('What it is, as a code.', { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 63 });

/** An object as its API group names it. */
export function objectReference(description: string): Schema {
  return record(
    description,
    {
      apiVersion: text('Group and version.'),
      kind: text('Kind.', { minLength: 1 }),
      namespace: text('Absent for cluster-scoped objects.'),
      name: text('Name.', { minLength: 1 }),
    },
    ['apiVersion', 'kind', 'name'],
  );
}

const named = (description: string): Schema =>
  record(description, { namespace: text('Namespace.'), name: text('Name.') }, ['namespace', 'name']);

/**
 * What keeps something from going on. At most this many are listed, the oldest first: a resource must not outgrow what
 * etcd takes because everything is stuck at once.
 */
export const blockers: Schema = list(
  'What it waits for, the oldest first.',
  record(
    'One thing in the way.',
    {
      code,
      who: text('Who has to act: a controller, the owner of a workload, the people who run the cluster.'),
      since: instant('Since when it has been in the way.'),
      message: text('The same for people.'),
      permanent: flag('It will not pass by waiting.'),
      object: objectReference('The object in the way.'),
      pod: named('The pod in the way.'),
      pdb: record(
        'The PodDisruptionBudget that refuses, with its numbers.',
        {
          namespace: text('Namespace.'),
          name: text('Name.'),
          disruptionsAllowed: count('How many pods it lets go now.'),
          currentHealthy: count('How many are healthy.'),
          desiredHealthy: count('How many have to be.'),
        },
        ['namespace', 'name'],
      ),
      volume: text('The volume still in use.'),
      finalizer: text('The finalizer that is not released.'),
    },
    ['code', 'message'],
  ),
  50,
);

/** What a program at work says of itself: if `heartbeat` stands still while it should be working, it is not. */
export const progress: Readonly<Record<string, Schema>> = {
  heartbeat: instant('Moves at least every 30 s while work runs.'),
  step: text('What is being done now.'),
  attempt: count('How often this step has been begun.'),
  done: count('Steps that are done.'),
  total: count('Steps in all.'),
  retryAt: instant('When the next attempt begins.'),
  lastError: record(
    'What went wrong last.',
    {
      code,
      message: text('The same for people.'),
      at: instant('When.'),
      retryable: flag('Whether another attempt follows by itself.'),
    },
    ['code', 'message'],
  ),
  run: text('Which run this is: a result is written only by the run that is named here.'),
};

/** What an uninstall has to tell when it is over, or has been told to go ahead regardless. */
export const remains: Readonly<Record<string, Schema>> = {
  leftovers: list('What is still there and was not there before.', objectReference('One object.'), 500),
  orphaned: list('What a quick deletion has let go of without waiting.', objectReference('One object.'), 500),
};

export const uninstallPhases = ['DeletePending', 'Deleting', 'Deleted', 'DeleteError'] as const;

/** A Job that a user supplies for a step of ours. */
export function hookJob(description: string): Schema {
  return record(
    description,
    {
      name: label('Name of the hook: its Job is named after it.'),
      image: text('Image.', { minLength: 1 }),
      command: list('Command and arguments; empty: the image’s own.', text('One word.')),
      serviceAccount: text('ServiceAccount it runs as.'),
      timeoutSeconds: count('How long it may take.', { minimum: 1 }),
    },
    ['name', 'image', 'timeoutSeconds'],
  );
}
