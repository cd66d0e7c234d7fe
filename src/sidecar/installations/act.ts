import type { Task } from '../in-flight.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Recorder } from '../kube/events.ts';
import { outcomeOf, refusal } from '../kube/failures.ts';
import { resources } from '../kube/resource.ts';
import { applyStatus, mergePatch } from '../kube/write.ts';
import type { Kind } from '../world.ts';
import type { InstallationDecision } from './decide.ts';

export interface WriteOptions {
  readonly client: KubeClient;
  readonly recorder: Recorder;
  readonly fieldManager: string;
  mayAct(): boolean;
  wrote(kind: Kind, object: object): void;
  onOutcome(decision: InstallationDecision, what: 'finalizer' | 'status', outcome: string): void;
}

/**
 * Finalizer, then status: both are fenced by what was decided about. A result is of no use to a resource that has
 * changed meanwhile; then it is decided anew.
 */
export function writeTask(decision: InstallationDecision, options: WriteOptions): Task | undefined {
  const { installation, finalizers, status } = decision;
  if (finalizers === undefined && status === undefined) return undefined;
  return { key: `installation ${installation}`, run: () => write(decision, options) };
}

async function write(decision: InstallationDecision, options: WriteOptions): Promise<void> {
  const { finalizers, status, events } = decision;
  const { recorder, mayAct } = options;
  let { resourceVersion } = decision;
  if (finalizers !== undefined) {
    if (!mayAct()) return;
    const patched = await patchFinalizers(decision, finalizers, options);
    if (patched === undefined) return;
    resourceVersion = patched;
  }
  if (status !== undefined && (!mayAct() || !(await writeStatus(decision, resourceVersion, options)))) return;
  for (const event of events) recorder.note(event);
}

interface Written {
  readonly metadata: { readonly resourceVersion: string; readonly deletionTimestamp?: string };
}

/** The version afterwards. */
async function patchFinalizers(
  decision: InstallationDecision,
  finalizers: readonly string[],
  { client, wrote, onOutcome }: WriteOptions,
): Promise<string | undefined> {
  const { installation: name, uid, resourceVersion } = decision;
  const fence = { name, uid, resourceVersion };
  try {
    const patched = (await mergePatch(client, resources.installations, fence, { metadata: { finalizers } })) as Written;
    // Of the last one that goes, the watch tells: the object in the answer is there no more.
    if (patched.metadata.deletionTimestamp === undefined) wrote('installations', patched);
    onOutcome(decision, 'finalizer', 'done');
    return patched.metadata.resourceVersion;
  } catch (error) {
    onOutcome(decision, 'finalizer', outcomeOf(refusal(error).status));
    return undefined;
  }
}

async function writeStatus(
  decision: InstallationDecision,
  resourceVersion: string,
  { client, fieldManager, wrote, onOutcome }: WriteOptions,
): Promise<boolean> {
  const { installation: name, uid, status = {} } = decision;
  const applied = { kind: 'Installation', status, fieldManager };
  try {
    wrote('installations', await applyStatus(client, resources.installations, { name, uid, resourceVersion }, applied));
    onOutcome(decision, 'status', 'done');
    return true;
  } catch (error) {
    onOutcome(decision, 'status', outcomeOf(refusal(error).status));
    return false;
  }
}
