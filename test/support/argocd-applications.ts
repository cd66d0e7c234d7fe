import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from './access.ts';
import { type Comparison, comparisons } from './argocd-comparisons.ts';
import { type ApplicationSet, explain, explainAbsence, explainSet } from './argocd-explanation.ts';
import { annotate, id, type KubeObject, list, type ObjectId, patch, read } from './objects.ts';
import { checkRunning, type Program } from './program.ts';
import { type Look, nowAndThen, WaitedInVain, waitFor } from './wait.ts';

export interface Application extends KubeObject {
  readonly status?: {
    readonly sync?: { readonly status?: string; readonly revision?: string };
    readonly health?: { readonly status?: string; readonly message?: string };
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
    readonly operationState?: {
      readonly phase?: string;
      readonly message?: string;
      readonly syncResult?: { readonly revision?: string; readonly resources?: readonly SyncedResource[] };
    };
    readonly resources?: readonly ManagedResource[];
  };
}

export interface SyncedResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: string;
  readonly message?: string;
}

export interface ManagedResource {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: string;
  readonly health?: { readonly status?: string; readonly message?: string };
  readonly requiresPruning?: boolean;
}

/** What an Application is waited for to become. Only what is named has to be so. */
interface Wanted {
  readonly sync?: 'Synced' | 'OutOfSync';
  readonly health?: 'Healthy' | 'Progressing' | 'Missing' | 'Degraded' | 'Suspended';
  /** The commit it has been compared with. */
  readonly revision?: string;
  /** How its last sync went (that of `revision`, if named); `Running` while one runs. */
  readonly operation?: 'Succeeded' | 'Failed' | 'Running';
  readonly seconds?: number;
}

export interface ArgoCdApplications {
  read(application: string): Promise<Application | undefined>;
  /** Looks at git and at the cluster now; over when it has. With automated sync a sync follows by itself. */
  refresh(application: string): Promise<void>;
  /** Lets an ApplicationSet look at git now; what follows from it comes a moment later. */
  refreshSet(applicationSet: string): Promise<void>;
  /** Syncs now, also where that is not automated; over when it is asked for. */
  sync(application: string, options?: { readonly prune?: boolean }): Promise<void>;
  /** Default: Synced and Healthy. A failure tells conditions, the last sync and every difference. */
  waitFor(application: string, wanted?: Wanted): Promise<Application>;
  /** What Argo CD compares: its own prediction beside what is there. */
  comparisons(application: string): Promise<readonly Comparison[]>;
  explain(application: string): Promise<string>;
}

interface Surroundings {
  readonly namespace: string;
  readonly redisPort: number;
  readonly programs: readonly Program[];
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const setRefreshAnnotation = 'argocd.argoproj.io/application-set-refresh';
const group = 'argoproj.io/v1alpha1';

/** How long the repo server believes that a branch is where it was; by default three minutes. */
export const revisionCacheSeconds = 1;

/** After that a request counts as lost. */
const againAfterSeconds = 10;

export function argoCdApplications(
  access: Access,
  { namespace, redisPort, programs }: Surroundings,
): ArgoCdApplications {
  const applicationId = (name: string) => id(group, 'Application', name, namespace);
  const readOne = (name: string) => read<Application>(access, applicationId(name));
  const explainOne = async (name: string) => {
    const found = await readOne(name);
    if (found !== undefined) return explain(name, found, await comparisons(redisPort, name));
    return explainAbsence(name, await list<ApplicationSet>(access, [group, 'ApplicationSet'], { namespace }));
  };
  const taken = async (object: ObjectId, annotation: string, ask: () => Promise<void>) => {
    const again = nowAndThen(againAfterSeconds, ask);
    await ask();
    await waitFor(`Argo CD to refresh ${object.metadata.name}`, { seconds: 90, everyMs: 50 }, async () => {
      checkRunning(...programs);
      const found = await read(access, object);
      if (found === undefined) return { seen: 'no such object' };
      if (found.metadata.annotations?.[annotation] === undefined) return { met: true };
      await again();
      return { seen: 'not done yet' };
    });
  };
  return {
    read: readOne,
    comparisons: (name) => comparisons(redisPort, name),
    explain: explainOne,
    refresh: async (name) => {
      const application = applicationId(name);
      await taken(application, refreshAnnotation, () => annotate(access, application, { [refreshAnnotation]: 'hard' }));
    },
    refreshSet: async (name) => {
      const set = id(group, 'ApplicationSet', name, namespace);
      // A reconciliation that is under way may take the request down unheeded. Another one follows, and looks at git anew
      // if the repo server has forgotten by then where the branch was.
      await sleep(1.5 * revisionCacheSeconds * 1000);
      const ask = async () => {
        // If it fails (git did not answer, its project is not known yet) Argo CD leaves the request and tries again in
        // three minutes. Only a request that was not there before makes it look at once.
        await annotate(access, set, { [setRefreshAnnotation]: null });
        await annotate(access, set, { [setRefreshAnnotation]: 'true' });
      };
      await orExplain(taken(set, setRefreshAnnotation, ask), async () => {
        const found = await read<ApplicationSet>(access, set);
        return found === undefined ? '' : explainSet(found);
      });
    },
    sync: (name, { prune = false } = {}) => {
      const operation = { initiatedBy: { username: 'test' }, sync: { prune } };
      return patch(access, applicationId(name), { operation });
    },
    waitFor: async (name, wanted = { sync: 'Synced', health: 'Healthy' }) => {
      const { seconds = 60, ...parts } = wanted;
      const what = `Application ${name} to be ${Object.values(parts).join(', ')}`;
      const look = async () => {
        checkRunning(...programs);
        return lookAt(await readOne(name), parts);
      };
      return orExplain(waitFor(what, { seconds }, look), () => explainOne(name));
    },
  };
}

async function orExplain<T>(waiting: Promise<T>, explanation: () => Promise<string>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    if (!(error instanceof WaitedInVain)) throw error;
    throw new Error(`${error.message}\n${await explanation()}`, { cause: error });
  }
}

function lookAt(found: Application | undefined, { sync, health, revision, operation }: Wanted): Look<Application> {
  if (found === undefined) return { seen: 'no such Application' };
  const { status = {} } = found;
  const { phase, syncResult } = status.operationState ?? {};
  const pairs = [
    [sync, status.sync?.status],
    [health, status.health?.status],
    [revision, status.sync?.revision],
    [operation, phase],
    [operation && revision, syncResult?.revision],
  ];
  const isSo = pairs.every(([wanted, is]) => wanted === undefined || wanted === is);
  return isSo
    ? { met: found }
    : {
        seen: pairs
          .slice(0, 4)
          .map(([, is]) => is ?? 'unknown')
          .join(', '),
      };
}
