import type { Task } from '../in-flight.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Recorder } from '../kube/events.ts';
import { NoAnswer, outcomeOf, refusal } from '../kube/failures.ts';
import { resources } from '../kube/resource.ts';
import { applyStatus, mergePatch, remove } from '../kube/write.ts';
import type { StatusPace } from '../status-pace.ts';
import type { SubjectsInFlight } from '../subjects-in-flight.ts';
import type { Kind } from '../world.ts';
import type { Action, ClaimDecision, FinalizerChange, PodDeletion, StatusWrite } from './action.ts';
import type { AnsweredDeletion } from './observation.ts';

export interface ActOptions {
  readonly client: KubeClient;
  readonly recorder: Recorder;
  /** By the pod's UID. */
  readonly answers: Map<string, AnsweredDeletion>;
  /** Of their own, so that a thousand pods that go leave room for what people see. */
  readonly deletions: SubjectsInFlight;
  readonly writes: SubjectsInFlight;
  readonly fieldManager: string;
  readonly now: () => number;
  statusesOf(claim: string): StatusPace;
  /** Whether we may still act; asked before each request. */
  mayAct(): boolean;
  wrote(kind: Kind, object: object): void;
  onOutcome(action: Action, outcome: string): void;
}

/** Begins what was decided, each action by itself and fenced. Nothing is tried again from here. */
export function actOnClaim({ claim, actions }: ClaimDecision, options: ActOptions): void {
  const tasks = actions.map((action) => ({ action, task: taskOf(action, options) }));
  const isPod = ({ action }: (typeof tasks)[number]) => action.kind === 'pod';
  options.deletions.offer(
    claim,
    tasks.filter(isPod).flatMap(({ task }) => task ?? []),
  );
  options.writes.offer(
    claim,
    tasks.filter((entry) => !isPod(entry)).flatMap(({ task }) => task ?? []),
  );
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
    case 'pod':
      return task(action.uid, () => actOnPod(action, options));
    case 'finalizer':
      return task(`finalizer ${action.claim}`, () => actOnFinalizer(action, options));
    case 'status':
      if (!options.statusesOf(action.claim).mayWrite(action.uid)) return undefined;
      return task(`status ${action.claim}`, () => actOnStatus(action, options));
  }
}

async function actOnPod(action: PodDeletion, options: ActOptions): Promise<void> {
  const { client, answers, now, onOutcome } = options;
  const answer = await remove(client, resources.pods, action).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    return { status: 0, text: error.message, retryAfterSeconds: undefined };
  });
  const { status, text, retryAfterSeconds } = answer;
  const attempts = (answers.get(action.uid)?.attempts ?? 0) + 1;
  answers.set(action.uid, {
    status,
    text: saidIn(text),
    at: now(),
    attempts,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
  onOutcome(action, status >= 200 && status < 300 ? 'done' : status === 404 ? 'gone' : outcomeOf(status));
}

/** The answer to a deletion is the whole pod; of a refusal the sentence counts. */
function saidIn(text: string): string {
  try {
    const { message = '', kind } = JSON.parse(text) as { readonly kind?: string; readonly message?: string };
    return kind === 'Status' ? message : '';
  } catch {
    return text.slice(0, 300);
  }
}

async function actOnFinalizer(action: FinalizerChange, options: ActOptions): Promise<void> {
  const { client, recorder, wrote, onOutcome } = options;
  const { claim: name, uid, resourceVersion, finalizers, events } = action;
  const fence = { name, uid, resourceVersion };
  try {
    const patched = await mergePatch(client, resources.vclusterClaims, fence, { metadata: { finalizers } });
    // Of the last one that goes, the watch tells: the object in the answer is there no more.
    if (action.why === 'hold') wrote('claims', patched);
    for (const event of events) recorder.note(event);
    onOutcome(action, 'done');
  } catch (error) {
    onOutcome(action, outcomeOf(refusal(error).status));
  }
}

async function actOnStatus(action: StatusWrite, options: ActOptions): Promise<void> {
  const { client, recorder, fieldManager, wrote, onOutcome } = options;
  const { claim, uid, status, events } = action;
  const statuses = options.statusesOf(claim);
  const applied = { kind: 'VClusterClaim', status, fieldManager };
  try {
    wrote('claims', await applyStatus(client, resources.vclusterClaims, { name: claim, uid }, applied));
    for (const event of events) recorder.note(event);
    statuses.written(uid);
    onOutcome(action, 'done');
  } catch (error) {
    statuses.failed(uid);
    onOutcome(action, outcomeOf(refusal(error).status));
  }
}
