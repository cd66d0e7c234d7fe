import type { BlockRehearsal, Limit, LimitCode, Rehearsal } from './rehearsal.ts';
import type { Snapshot, SnapshotPod } from './snapshot.ts';
import { farFromComplete, isListedKind, mostMissing } from './workloads.ts';

interface Seen {
  /** Resources that git asks something of and that the cluster does not have yet. */
  readonly unknown: readonly string[];
  readonly unrehearsed: readonly string[];
  readonly isCutOff: boolean;
  /** Pods that may be driven out for others. */
  readonly threatened: readonly string[];
}

type Told = Omit<Rehearsal, 'limits'>;

const staleSeconds = 3600;

/** What cannot be known of this change from this snapshot; what nothing in it depends on is not mentioned. */
export function limitsOf(snapshot: Snapshot, told: Told, seen: Seen): readonly Limit[] {
  const isMoving = told.maintenance.some(({ nodes }) =>
    nodes.some(({ moves, removed }) => moves.length + removed.length > 0),
  );
  const isAnything = isMoving || told.uninstalls.length + told.sleeps.length > 0;
  return [
    ...identity(snapshot, told),
    ...age(told),
    ...unread(snapshot, told),
    ...named('not-rehearsed', seen.unknown, 'The cluster has no resource of these yet, so nothing is known of them.'),
    ...seen.unrehearsed.map((message): Limit => ({ code: 'not-rehearsed', message })),
    ...(seen.isCutOff ? [cutOff] : []),
    ...(isMoving ? aboutPods(snapshot, told.maintenance, seen.threatened) : []),
    ...(told.uninstalls.length > 0 ? [foreignPrograms] : []),
    ...(isAnything ? [stillWorld] : []),
  ];
}

function identity({ cluster }: Snapshot, told: Told): Limit[] {
  if (cluster.name === told.cluster.name && cluster.uid !== undefined) return [];
  const message =
    cluster.name === told.cluster.name
      ? 'The snapshot does not tell which cluster it is of: it has no UID of the namespace kube-system.'
      : `The snapshot calls its cluster ${cluster.name}; that it is ${told.cluster.name} was said when it was rehearsed.`;
  return [{ code: 'cluster-unproven', message }];
}

function age({ cluster: { ageSeconds, takenAt } }: Told): Limit[] {
  if (ageSeconds === undefined || Math.abs(ageSeconds) <= staleSeconds) return [];
  const hours = Math.round(Math.abs(ageSeconds) / 3600);
  const count = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  const when = ageSeconds < 0 ? `${count} after the instant that was asked for` : `${count} before`;
  return [{ code: 'stale', message: `The snapshot was taken at ${takenAt}, ${when}: pods may be elsewhere by now.` }];
}

/** What each of these decides if it is not known. */
const meaning: Readonly<Record<string, string>> = {
  'v1/Node': 'nothing is known of any node',
  'v1/Pod': 'nothing is known of any pod',
  'policy/v1/PodDisruptionBudget': 'no pod counts as protected',
  'scheduling.k8s.io/v1/PriorityClass': 'the order within stage 3 goes by what pods were admitted with',
  'storage.k8s.io/v1/CSINode': 'CSI driver pods are told by the cluster as a whole',
  'v1/PersistentVolume': 'volumes are not waited for',
};

/** Of other kinds it matters only to what looks at all of them. */
function unread({ unread: gaps, unserved }: Snapshot, { uninstalls }: Told): Limit[] {
  const all = [...gaps, ...unserved];
  const telling = all.filter(({ what }) => meaning[what] !== undefined);
  const others = all.filter(({ what }) => meaning[what] === undefined).map(({ what }) => what);
  const told = telling.map(({ what, why }): Limit => {
    return { code: 'unread', message: `${what} could not be listed, so ${meaning[what]}: ${why}`, about: [what] };
  });
  if (others.length === 0 || uninstalls.length === 0) return told;
  const message = `These could not be listed, so it is not known what there is of them: ${others.join(', ')}.`;
  return [...told, { code: 'unread', message, about: others }];
}

function aboutPods(snapshot: Snapshot, blocks: readonly BlockRehearsal[], threatened: readonly string[]): Limit[] {
  const nodes = blocks.flatMap((block) => block.nodes.flatMap(({ node }) => node ?? []));
  const concerned = new Set(nodes);
  const pods = snapshot.pods.filter(({ node, owner }) => concerned.has(node) && owner?.kind !== 'Node');
  const strangers = pods.flatMap(({ owner }) => (owner && !isListedKind(owner) ? [`${owner.kind} ${owner.name}`] : []));
  const odd = pods.filter(isOddlyPlaced).map(({ namespace, name }) => `${namespace}/${name}`);
  const hasNowhere = blocks.some((block) =>
    block.nodes.some(({ moves, removed }) => [...moves, ...removed].some(({ nowhere }) => nowhere !== undefined)),
  );
  return [
    {
      code: 'pace',
      message:
        'How long pods take to start and to end is estimated, by what the snapshot shows of their like: times are given as a range.',
    },
    ...named(
      'not-rehearsed',
      farFromComplete(snapshot),
      `More than ${mostMissing} pods of each of these are missing: no more than that are made.`,
    ),
    ...named(
      'unknown-controller',
      strangers,
      'These controllers are not known: it is assumed that they replace their pods.',
    ),
    ...named(
      'unknown-scheduling',
      odd,
      'These pods have a scheduler of their own, or claim devices: where they can go is assumed.',
    ),
    ...(hasNowhere || threatened.length > 0 ? [preemption(threatened)] : []),
    admission,
  ];
}

function isOddlyPlaced({ placement: { scheduler, claimsDevices } }: SnapshotPod): boolean {
  return scheduler !== undefined || claimsDevices === true;
}

function named(code: LimitCode, about: readonly string[], message: string): Limit[] {
  const names = [...new Set(about)].sort();
  return names.length === 0 ? [] : [{ code, message, about: names }];
}

const cutOff: Limit = { code: 'cut-off', message: 'The rehearsal was cut off before everything had come to rest.' };

function preemption(threatened: readonly string[]): Limit {
  const text =
    'That a pod drives out others of less priority is not simulated: one with nowhere to go may find room that way';
  if (threatened.length === 0) return { code: 'preemption', message: `${text}.` };
  return { code: 'preemption', message: `${text}, and these may have to go for it.`, about: threatened };
}

const admission: Limit = {
  code: 'admission',
  message: 'Admission webhooks and quotas may refuse an eviction or a new pod: they are not asked.',
};

const foreignPrograms: Limit = {
  code: 'foreign-programs',
  message: 'What hooks, Helm and operators do is not known: they are taken to succeed.',
};

const stillWorld: Limit = {
  code: 'still-world',
  message: 'Nobody else changes anything meanwhile: no applier, no autoscaler, no person.',
};
