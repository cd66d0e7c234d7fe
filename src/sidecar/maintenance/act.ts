import type { InFlight, Task } from '../in-flight.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Recorder } from '../kube/events.ts';
import { NoAnswer, outcomeOf, refusal } from '../kube/failures.ts';
import { resources } from '../kube/resource.ts';
import { applyStatus, evict, mergePatch } from '../kube/write.ts';
import type { StatusPace } from '../status-pace.ts';
import type { Kind } from '../world.ts';
import type { Action, Eviction, NodeChange, StatusWrite } from './action.ts';
import { classifyEviction, type EvictionAnswer } from './eviction-answer.ts';
import type { Recollection } from './observe.ts';

export interface ActOptions {
  readonly client: KubeClient;
  readonly recorder: Recorder;
  readonly recollection: Recollection;
  /** Of their own, so that a hundred evictions that hang leave room for taints and for what people see. */
  readonly evictions: InFlight;
  readonly writes: InFlight;
  readonly statuses: StatusPace;
  readonly fieldManager: string;
  readonly now: () => number;
  /** Whether we may still act; asked before each request. */
  mayAct(): boolean;
  wrote(kind: Kind, object: object): void;
  onOutcome(action: Action, outcome: string): void;
}

export type Act = (actions: readonly Action[]) => void;

/**
 * Begins what was decided, each action by itself and fenced: an object that is not the one that was decided about, or
 * not in that state any more, is left alone. Nothing is tried again from here. A refusal is remembered, and the next
 * pass decides what it means.
 */
export function actOnMaintenance(options: ActOptions): Act {
  return (actions) => {
    const tasks = actions.map((action) => ({ action, task: taskOf(action, options) }));
    const isEviction = ({ action }: (typeof tasks)[number]) => action.kind === 'evict';
    options.evictions.offer(tasks.filter(isEviction).flatMap(({ task }) => task ?? []));
    options.writes.offer(tasks.filter((entry) => !isEviction(entry)).flatMap(({ task }) => task ?? []));
  };
}

/** Nothing where it is not yet time. */
function taskOf(action: Action, options: ActOptions): Task | undefined {
  const task = (key: string, act: () => Promise<void>): Task => ({
    key,
    run: async () => {
      if (options.mayAct()) await act();
    },
  });
  switch (action.kind) {
    case 'evict':
      return task(action.uid, () => actOnPod(action, options));
    case 'node':
      return task(`node ${action.node}`, () => actOnNode(action, options));
    case 'status':
      if (!options.statuses.mayWrite(action.uid)) return undefined;
      return task(`status ${action.block}`, () => actOnStatus(action, options));
  }
}

async function actOnPod(action: Eviction, options: ActOptions): Promise<void> {
  const { client, recollection, now, onOutcome } = options;
  const answer = await evict(client, action).then(
    ({ status, text, retryAfterSeconds }) => classifyEviction(status, parsed(text), retryAfterSeconds),
    (error: unknown): EvictionAnswer => {
      if (!(error instanceof NoAnswer)) throw error;
      return { kind: 'serverError', status: 0, text: error.message };
    },
  );
  const attempts = (recollection.answers.get(action.uid)?.attempts ?? 0) + 1;
  recollection.answers.set(action.uid, { answer, at: now(), attempts });
  onOutcome(action, answer.kind);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function actOnNode(action: NodeChange, options: ActOptions): Promise<void> {
  const { node, uid, resourceVersion, annotations, taints, unschedulable, events } = action;
  const spec = { ...(taints !== undefined && { taints }), ...(unschedulable !== undefined && { unschedulable }) };
  const patch = {
    ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
    ...(Object.keys(spec).length > 0 && { spec }),
  };
  const { client, recollection, recorder, wrote, onOutcome } = options;
  try {
    wrote('nodes', await mergePatch(client, resources.nodes, { name: node, uid, resourceVersion }, patch));
    recollection.refusals.delete(node);
    for (const event of events) recorder.note(event);
    onOutcome(action, 'done');
  } catch (error) {
    const { status, text } = refusal(error);
    const attempts = (recollection.refusals.get(node)?.attempts ?? 0) + 1;
    recollection.refusals.set(node, { status, text, at: options.now(), attempts });
    onOutcome(action, outcomeOf(status));
  }
}

async function actOnStatus(action: StatusWrite, options: ActOptions): Promise<void> {
  const { client, recorder, fieldManager, statuses, wrote, onOutcome } = options;
  const fence = { name: action.block, uid: action.uid };
  const applied = { kind: 'MaintenanceBlock', status: action.status, fieldManager };
  try {
    wrote('blocks', await applyStatus(client, resources.maintenanceBlocks, fence, applied));
    for (const event of action.events) recorder.note(event);
    statuses.written(action.uid);
    onOutcome(action, 'done');
  } catch (error) {
    statuses.failed(action.uid);
    onOutcome(action, outcomeOf(refusal(error).status));
  }
}
