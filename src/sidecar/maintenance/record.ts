import type { Instant } from '../../instant.ts';
import { instantText, parseInstant } from '../../instant.ts';
import type { ObservedNode, TaintEffect, TaintPair } from './observation.ts';

/**
 * All that is remembered of a maintenance is on the Node itself, so a sidecar that starts anew goes on where the last
 * one stopped, and what was added can be taken back when the block that asked for it is long gone.
 */
export const nodeAnnotations = {
  /** The MaintenanceBlock on whose behalf the node is held. */
  block: 'quiesce.dev/maintenance-block',
  /**
   * What of this node is ours to take back: taints as `key:effect`, the words `cordon` (`spec.unschedulable`) and
   * `mark` (the annotation that the source sets), with commas between. What was there before us is not in it.
   */
  owns: 'quiesce.dev/maintenance-owns',
  /** RFC 3339: the deadline counts from here, whatever it is changed to and however often we are restarted. */
  drainStarted: 'quiesce.dev/maintenance-drain-started',
  /** UID of the Node that this was written on: a Node made anew from a copy of the old one has not been drained. */
  uid: 'quiesce.dev/maintenance-node-uid',
  /** RFC 3339: the node is in maintenance since then. */
  entered: 'quiesce.dev/maintenance-entered',
  /** Why: `drained` or `deadline`. */
  enteredBy: 'quiesce.dev/maintenance-entered-by',
  /**
   * GKE on bare metal: "When both of these are true [cordoned and drained], the annotation will be set on the node
   * resource" (BareMetalMaintenanceConfig). Its presence is what is documented.
   */
  mark: 'baremetal.cluster.gke.io/maintenance',
} as const;

export const markValue = 'true';

/** Name of the block that a ClusterShutdown asks for: no resource can be called so. */
export function shutdownBlockName(shutdown: string): string {
  return `${shutdownPrefix}${shutdown}`;
}

/** The ClusterShutdown that such a name is of. */
export function shutdownOf(block: string): string | undefined {
  return block.startsWith(shutdownPrefix) ? block.slice(shutdownPrefix.length) : undefined;
}

const shutdownPrefix = 'shutdown/';

export interface MaintenanceRecord {
  readonly block?: string;
  readonly taints: readonly TaintPair[];
  readonly cordon: boolean;
  readonly mark: boolean;
  readonly uid?: string;
  readonly drainStarted?: Instant;
  readonly entered?: Instant;
  readonly enteredBy?: 'drained' | 'deadline';
}

const own = [
  nodeAnnotations.block,
  nodeAnnotations.owns,
  nodeAnnotations.uid,
  nodeAnnotations.drainStarted,
  nodeAnnotations.entered,
  nodeAnnotations.enteredBy,
] as const;

/**
 * What a node says of its maintenance, or nothing. A part that cannot be read counts as absent: a taint that nobody can
 * prove to be ours is not removed, and a drain without a beginning begins now.
 */
export function recordOf({ annotations }: Pick<ObservedNode, 'annotations'>): MaintenanceRecord | undefined {
  if (own.every((key) => annotations[key] === undefined)) return undefined;
  const words = (annotations[nodeAnnotations.owns] ?? '').split(',').map((word) => word.trim());
  const block = annotations[nodeAnnotations.block];
  const uid = annotations[nodeAnnotations.uid];
  const drainStarted = parseInstant(annotations[nodeAnnotations.drainStarted]);
  const entered = parseInstant(annotations[nodeAnnotations.entered]);
  const enteredBy = annotations[nodeAnnotations.enteredBy] === 'deadline' ? 'deadline' : 'drained';
  return {
    ...(block !== undefined && block !== '' && { block }),
    taints: words.flatMap(pairOf),
    cordon: words.includes('cordon'),
    mark: words.includes('mark'),
    ...(uid !== undefined && { uid }),
    ...(drainStarted !== undefined && { drainStarted }),
    ...(entered !== undefined && { entered, enteredBy }),
  };
}

/** Every annotation of ours with what it has to be; `null` for none. */
export function annotationsOf(record: MaintenanceRecord | undefined): Readonly<Record<string, string | null>> {
  const owns = [
    ...(record?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
    ...(record?.cordon === true ? ['cordon'] : []),
    ...(record?.mark === true ? ['mark'] : []),
  ];
  const at = (instant: Instant | undefined) => (instant === undefined ? null : instantText(instant));
  return {
    [nodeAnnotations.block]: record?.block ?? null,
    // Empty is said, too: then nothing is ours, and that is known.
    [nodeAnnotations.owns]: record === undefined ? null : owns.join(','),
    [nodeAnnotations.uid]: record?.uid ?? null,
    [nodeAnnotations.drainStarted]: at(record?.drainStarted),
    [nodeAnnotations.entered]: at(record?.entered),
    [nodeAnnotations.enteredBy]: record?.enteredBy ?? null,
  };
}

function pairOf(word: string): TaintPair[] {
  const colon = word.lastIndexOf(':');
  const [key, effect] = [word.slice(0, colon), word.slice(colon + 1)];
  return colon > 0 && isEffect(effect) ? [{ key, effect }] : [];
}

function isEffect(text: string): text is TaintEffect {
  return text === 'NoSchedule' || text === 'PreferNoSchedule' || text === 'NoExecute';
}
