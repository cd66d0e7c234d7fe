import type { InFlight, Task } from '../in-flight.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Recorder } from '../kube/events.ts';
import { outcomeOf, refusal } from '../kube/failures.ts';
import { resources } from '../kube/resource.ts';
import { applyStatus, remove } from '../kube/write.ts';
import type { RefusedWrite } from '../maintenance/observation.ts';
import type { StatusPace } from '../status-pace.ts';
import type { Kind } from '../world.ts';
import type { ForgetAction, PowerAction, ShutdownAction, ShutdownStatusWrite } from './action.ts';
import type { ShutdownSpec } from './observation.ts';
import { powerJob } from './power-job.ts';

export interface ShutdownActOptions {
  readonly client: KubeClient;
  readonly recorder: Recorder;
  /** Where Jobs of power hooks are made. */
  readonly namespace: string;
  readonly fieldManager: string;
  /** By name of the Job. */
  readonly refusals: Map<string, RefusedWrite>;
  readonly writes: InFlight;
  readonly statuses: StatusPace;
  readonly now: () => number;
  /** Whether we may still act; asked before each request. */
  mayAct(): boolean;
  wrote(kind: Kind, object: object): void;
  onOutcome(action: ShutdownAction, outcome: string): void;
}

/** Begins what was decided, each action by itself and fenced. A refusal is remembered, and decided about next time. */
export function actOnShutdowns(options: ShutdownActOptions): (actions: readonly ShutdownAction[]) => void {
  return (actions) => options.writes.offer(actions.flatMap((action) => taskOf(action, options) ?? []));
}

function taskOf(action: ShutdownAction, options: ShutdownActOptions): Task | undefined {
  const task = (key: string, act: () => Promise<void>): Task => ({
    key,
    run: async () => {
      if (options.mayAct()) await act();
    },
  });
  switch (action.kind) {
    case 'power':
      return task(action.job, () => turnOver(action, options));
    case 'forget':
      return task(action.job, () => forget(action, options));
    case 'status':
      return options.statuses.mayWrite(action.uid)
        ? task(`status ${action.uid}`, () => show(action, options))
        : undefined;
  }
}

interface Asked {
  readonly metadata: { readonly uid: string; readonly generation?: number; readonly deletionTimestamp?: string };
  readonly spec: ShutdownSpec;
}

/** There is no way back from a machine without power, so what is asked for is read once more, right before. */
async function turnOver(action: PowerAction, options: ShutdownActOptions): Promise<void> {
  const { client, namespace, recorder, refusals, wrote, mayAct, onOutcome } = options;
  const { shutdown: name, uid, generation, job } = action;
  const refused = (status: number, text: string) => {
    const attempts = (refusals.get(job)?.attempts ?? 0) + 1;
    refusals.set(job, { status, text, at: options.now(), attempts });
    onOutcome(action, outcomeOf(status));
  };
  try {
    const { metadata, spec } = await client.read<Asked>({ verb: 'get', resource: resources.clusterShutdowns, name });
    const isSame = metadata.uid === uid && metadata.generation === generation;
    if (!isSame || metadata.deletionTimestamp !== undefined || !mayAct()) {
      refused(409, 'something else is asked for by now');
      return;
    }
    const body = powerJob(action, { namespace, shutdown: { name, uid, cluster: spec.cluster } });
    wrote('powerJobs', await client.read<object>({ verb: 'create', resource: resources.jobs, namespace, body }));
    refusals.delete(job);
    for (const event of action.events) recorder.note(event);
    onOutcome(action, 'done');
  } catch (error) {
    const { status, text } = refusal(error);
    refused(status, text);
  }
}

/** Gone already, or another one of its name by now, is as good. */
async function forget(action: ForgetAction, options: ShutdownActOptions): Promise<void> {
  const { client, namespace, refusals, onOutcome } = options;
  const { job, jobUid } = action;
  const { status, text } = await remove(client, resources.jobs, { name: job, namespace, uid: jobUid }).catch(refusal);
  const outcome =
    status === 404 ? 'gone' : status === 409 ? 'replaced' : status < 300 && status > 0 ? 'done' : undefined;
  if (outcome !== undefined) refusals.delete(job);
  else refusals.set(job, { status, text, at: options.now(), attempts: (refusals.get(job)?.attempts ?? 0) + 1 });
  onOutcome(action, outcome ?? outcomeOf(status));
}

async function show(action: ShutdownStatusWrite, options: ShutdownActOptions): Promise<void> {
  const { client, recorder, fieldManager, statuses, wrote, onOutcome } = options;
  const { shutdown: name, uid, status } = action;
  const applied = { kind: 'ClusterShutdown', status, fieldManager };
  try {
    wrote('shutdowns', await applyStatus(client, resources.clusterShutdowns, { name, uid }, applied));
    for (const event of action.events) recorder.note(event);
    statuses.written(uid);
    onOutcome(action, 'done');
  } catch (error) {
    statuses.failed(uid);
    onOutcome(action, outcomeOf(refusal(error).status));
  }
}
