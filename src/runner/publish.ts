import type { Deadlines, LifecycleClaim, LifecycleDecisions } from '../lifecycle/decision.ts';
import { NoAnswer, Refused } from '../sidecar/kube/failures.ts';
import { resources } from '../sidecar/kube/resource.ts';
import { applyStatus } from '../sidecar/kube/write.ts';
import type { ClusterView } from './observe.ts';

/** As `status.deadlines` has them. */
export type PublishedDeadlines = Readonly<Record<string, string>>;

export interface PublishOptions {
  readonly claims: readonly LifecycleClaim[];
  readonly deadlines: LifecycleDecisions['deadlines'];
  readonly clusters: readonly ClusterView[];
}

export interface Published {
  readonly count: number;
  readonly failures: readonly string[];
}

const parallel = 20;

/** Shows on each resource what git has on record, and takes away what does not hold any more. */
export async function publishDeadlines(options: PublishOptions): Promise<Published> {
  const tasks = tasksFor(options);
  const failures: string[] = [];
  let count = 0;
  const worker = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const failure = await publish(task);
      if (failure === undefined) count += 1;
      else failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { count, failures: failures.sort() };
}

interface Task {
  readonly name: string;
  readonly uid: string;
  readonly client: NonNullable<ClusterView['client']>;
  readonly deadlines: PublishedDeadlines | undefined;
}

function tasksFor({ claims, deadlines, clusters }: PublishOptions): Task[] {
  const views = new Map(clusters.map((view) => [view.name, view]));
  return claims.flatMap((claim): Task[] => {
    const { name } = claim;
    const { client, claims: found } = views.get(claim.cluster) ?? {};
    const resource = found?.get(name);
    const known = deadlines.get(name);
    if (client === undefined || resource === undefined || (known === undefined && !isExempt(claim))) return [];
    const wanted = known === undefined ? undefined : textsOf(known);
    if (JSON.stringify(wanted ?? {}) === JSON.stringify(sorted(resource.published ?? {}))) return [];
    return [{ name, uid: resource.uid, client, deadlines: wanted }];
  });
}

/** Of one that could not be decided about, what was published stands. */
function isExempt({ expiry, state, ...claim }: LifecycleClaim): boolean {
  return expiry === 'Never' || claim.protected || state === 'Deleted';
}

function textsOf(deadlines: Deadlines): PublishedDeadlines {
  const entries = Object.entries(deadlines).map(([key, instant]): [string, string] => [key, rfc3339(instant)]);
  return sorted(Object.fromEntries(entries));
}

/** Whole seconds, as everywhere in Kubernetes. */
function rfc3339(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function sorted(deadlines: PublishedDeadlines): PublishedDeadlines {
  return Object.fromEntries(Object.entries(deadlines).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function publish({ name, uid, client, deadlines }: Task): Promise<string | undefined> {
  try {
    if (deadlines === undefined) await takeAway({ name, uid, client });
    else {
      const applied = { kind: 'VClusterClaim', fieldManager: 'quiesce-lifecycle', status: { deadlines } };
      await applyStatus(client, resources.vclusterClaims, { name, uid }, applied);
    }
    return undefined;
  } catch (error) {
    // One that was deleted or made anew meanwhile is for the next run.
    if (error instanceof Refused && (error.status === 404 || error.status === 409)) return undefined;
    if (error instanceof Refused || error instanceof NoAnswer) return error.message;
    throw error;
  }
}

/** Not by applying a status without them: where they are all there is, that leaves `null`, which no schema accepts. */
async function takeAway({ name, uid, client }: Omit<Task, 'deadlines'>): Promise<void> {
  await client.read({
    verb: 'patch',
    resource: resources.vclusterClaims,
    name,
    subresource: 'status',
    contentType: 'application/merge-patch+json',
    body: { metadata: { uid }, status: { deadlines: null } },
  });
}
