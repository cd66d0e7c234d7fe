import type { Instant } from '../../instant.ts';
import type { Task } from '../in-flight.ts';
import type { Answer, KubeClient } from '../kube/client.ts';
import { outcomeOf, Refused, refusal as refusalOf } from '../kube/failures.ts';
import { type Resource, resources } from '../kube/resource.ts';
import { mergePatch, remove } from '../kube/write.ts';
import { keyOf } from './belongs.ts';
import type { Deeds } from './carry-over.ts';
import type { Deletion, HelmUninstall, HookStart, NamespaceFinalization, UninstallAction } from './decision.ts';
import type { ServedKind } from './discovery.ts';
import type { Followed } from './followed.ts';
import { type HelmCommand, helmUninstall } from './helm.ts';
import { hookJobObject } from './hook-job.ts';
import { hookKey } from './hooks.ts';
import { groupOf, isBuiltInGroup, kindKey } from './kinds.ts';
import type { Refusal } from './observation.ts';
import type { RawSeen } from './project.ts';
import { releaseKey } from './release.ts';

/** What is remembered of our own requests in one run. Forgotten with the process: it only paces and explains. */
export interface RunMemory {
  readonly refusals: Map<string, Refusal>;
  readonly deletions: Map<string, number>;
}

export interface ActOptions {
  readonly client: KubeClient;
  readonly helm: HelmCommand;
  readonly now: () => Instant;
  /** Whether we may still act; asked before each request. */
  mayAct(): boolean;
  onOutcome(action: UninstallAction, outcome: string): void;
}

interface RunContext {
  readonly subject: string;
  readonly memory: RunMemory;
  readonly deeds: Deeds;
  readonly kinds: readonly ServedKind[];
  readonly followed: Pick<Followed, 'answered'> | undefined;
}

export function taskOf(action: UninstallAction, options: ActOptions, context: RunContext): Task {
  const { mayAct, onOutcome } = options;
  return {
    key: `${context.subject} ${keyOfAction(action)}`,
    run: async () => {
      if (!mayAct()) return;
      onOutcome(action, await perform(action, options, context));
    },
  };
}

/** What a refusal of it is remembered by. */
function keyOfAction(action: UninstallAction): string {
  switch (action.kind) {
    case 'startHook':
      return hookKey(action.component, action.hook.name);
    case 'helmUninstall':
      return releaseKey({ namespace: action.namespace, name: action.release });
    default:
      return action.uid;
  }
}

async function perform(action: UninstallAction, options: ActOptions, context: RunContext): Promise<string> {
  const key = keyOfAction(action);
  const { memory, deeds } = context;
  const failure = await attempt(action, options, context);
  if (failure === undefined) {
    memory.refusals.delete(key);
    return 'done';
  }
  if (failure === 'gone') {
    deeds.gone.add(key);
    context.followed?.answered(key, undefined);
  } else deeds.isPlain = false;
  if (failure === 'gone' || failure === 'replaced') {
    memory.refusals.delete(key);
    return failure;
  }
  const attempts = (memory.refusals.get(key)?.attempts ?? 0) + 1;
  memory.refusals.set(key, { ...failure, at: options.now(), attempts });
  return outcomeOf(failure.status);
}

type Failure = Pick<Refusal, 'status' | 'reason' | 'text' | 'retryAfterSeconds'>;
/** Undefined: it was done. `replaced`: what was seen is not there any more in that state; the next look decides. */
type Result = Failure | 'gone' | 'replaced' | undefined;

async function attempt(action: UninstallAction, options: ActOptions, context: RunContext): Promise<Result> {
  try {
    switch (action.kind) {
      case 'delete':
        return await deleteObject(action, options, context);
      case 'dropFinalizers':
        await mergePatch(options.client, resourceOf(action, context), fenceOf(action), {
          metadata: { finalizers: null },
        });
        return undefined;
      case 'markData':
        await mergePatch(options.client, resourceOf(action, context), fenceOf(action), {
          metadata: { labels: action.labels },
        });
        return undefined;
      case 'finalizeNamespace':
        return await finalize(action, options.client);
      case 'startHook':
        return await startHook(action, options.client);
      case 'helmUninstall':
        return await uninstall(action, options);
    }
  } catch (error) {
    const { status, text } = refusalOf(error);
    if (status === 404 && action.kind !== 'startHook') return 'gone';
    if (status === 409) return 'replaced';
    const { reason, retryAfterSeconds } = error instanceof Refused ? error : { reason: '' };
    return { status, reason, text, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
}

type OnObject = Exclude<UninstallAction, HookStart | HelmUninstall>;

function resourceOf({ object }: OnObject, { kinds }: RunContext): Resource {
  const served = kinds.find((kind) => kindKey(kind) === kindKey(object));
  // It was found through the same list of kinds.
  if (served === undefined) throw new Error(`${object.apiVersion}/${object.kind} is not served`);
  return served.resource;
}

function fenceOf(action: OnObject) {
  const { object, uid } = action;
  return {
    name: object.name,
    uid,
    ...(object.namespace !== undefined && { namespace: object.namespace }),
    ...('resourceVersion' in action &&
      action.resourceVersion !== undefined && { resourceVersion: action.resourceVersion }),
  };
}

async function deleteObject(action: Deletion, { client }: ActOptions, context: RunContext): Promise<Result> {
  const answer = await remove(client, resourceOf(action, context), fenceOf(action), action.propagation);
  if (answer.status >= 300) throw new Refused(`delete ${action.object.kind} ${action.object.name}`, answer);
  const key = keyOf(action.object);
  context.memory.deletions.set(key, (context.memory.deletions.get(key) ?? 0) + 1);
  const left = leftBy(action, answer);
  context.deeds[left === undefined ? 'gone' : 'going'].add(action.uid);
  context.followed?.answered(action.uid, left);
  return undefined;
}

/**
 * The object, if it is still on its way out. When it is over, the answer is a Status; of some kinds it is the object as
 * it was, which then is not marked as leaving. Of kinds that Kubernetes does not serve itself nobody knows that.
 */
function leftBy({ object }: Deletion, { text }: Answer): RawSeen | undefined {
  const answer = JSON.parse(text) as RawSeen & { readonly kind?: string };
  if (answer.kind === 'Status') return undefined;
  const isOver = isBuiltInGroup(groupOf(object.apiVersion)) && answer.metadata.deletionTimestamp === undefined;
  return isOver ? undefined : answer;
}

async function startHook(action: HookStart, client: KubeClient): Promise<Result> {
  const { namespace } = action;
  const answer = await client.send({
    verb: 'create',
    resource: resources.jobs,
    namespace,
    body: hookJobObject(action),
  });
  // It is there already: this attempt was begun by somebody before us, or by us without an answer.
  if (answer.status < 300 || answer.status === 409) return undefined;
  throw new Refused(`create Job ${namespace}/${action.job}`, answer);
}

interface RawNamespace {
  readonly metadata: { readonly uid: string };
  readonly spec?: object;
}

async function finalize({ object, uid }: NamespaceFinalization, client: KubeClient): Promise<Result> {
  const place = { resource: resources.namespaces, name: object.name } as const;
  const namespace = await client.read<RawNamespace>({ verb: 'get', ...place });
  if (namespace.metadata.uid !== uid) return 'replaced';
  const body = { ...namespace, spec: { ...namespace.spec, finalizers: [] } };
  const answer: Answer = await client.send({ verb: 'update', ...place, subresource: 'finalize', body });
  if (answer.status >= 300) throw new Refused(`finalize namespace ${object.name}`, answer);
  return undefined;
}

async function uninstall(action: HelmUninstall, { helm, mayAct }: ActOptions): Promise<Result> {
  const answer = await helmUninstall(helm, action, mayAct);
  switch (answer.kind) {
    case 'done':
      return undefined;
    case 'failed':
      return { status: 1, reason: 'HelmFailed', text: answer.text };
    case 'missing':
      return { status: 1, reason: 'HelmMissing', text: `there is no program ${helm.command}` };
  }
}
