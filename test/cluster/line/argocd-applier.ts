import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Access } from '../../support/access.ts';
import { ApiRefusal } from '../../support/api.ts';
import type { ArgoCd } from '../../support/argocd.ts';
import type { Application } from '../../support/argocd-applications.ts';
import type { Cluster } from '../../support/cluster.ts';
import { annotate, id, list, patch, remove } from '../../support/objects.ts';
import { checkRunning } from '../../support/program.ts';
import type { TempRepo } from '../../support/temp-repo.ts';
import { nowAndThen, WaitedInVain, waitFor } from '../../support/wait.ts';
import type { Applier, SettleOptions } from './applier.ts';
import type { World } from './world.ts';

const group = 'argoproj.io/v1alpha1';
const namespace = 'argocd';
const pathsAnnotation = 'argocd.argoproj.io/manifest-generate-paths';
const refreshAnnotation = 'argocd.argoproj.io/refresh';

export function argoCdApplier(home: Cluster, argo: ArgoCd, { campus: { repo }, out }: World): Applier {
  const { access } = home;
  let last: string | undefined;
  return {
    bootstrap: async () => {
      for (const cluster of clustersIn(out)) await home.kubectl('apply', '-f', join(out, cluster, 'bootstrap'));
    },
    settle: async (commit, { everything = false, ...options } = {}) => {
      const changed = last === undefined || everything ? undefined : await changedSince(repo, last, commit);
      await settle({ access, argo, out, commit, ...(changed !== undefined && { changed }), ...options });
      last = commit;
    },
    lookAgain: (name) => argo.refresh(`campus.atlas.${name}`),
    deleteEverything: () => deleteEverything(access),
    // It finds claims by their folders.
    withoutClaim: (bootstrap) => bootstrap,
  };
}

/** The name of every Application that there has to be, from the folders. */
export function applicationsFor(out: string): readonly string[] {
  const names = clustersIn(out).flatMap((cluster) => [
    `${cluster}.system`,
    `${cluster}.maintenance`,
    ...foldersIn(join(out, cluster, 'claims')).map((claim) => `${cluster}.claim.${claim}`),
    ...foldersIn(join(out, cluster, 'installations')).map((name) => `${cluster}.installation.${name}`),
  ]);
  return names.map((name) => `campus.${name}`).sort();
}

function clustersIn(out: string): readonly string[] {
  return foldersIn(out).filter((name) => existsSync(join(out, name, 'bootstrap')));
}

function foldersIn(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

async function changedSince(repo: TempRepo, before: string, commit: string): Promise<readonly string[]> {
  return (await repo.git('diff', '--name-only', before, commit)).split('\n');
}

interface Settling extends Omit<SettleOptions, 'everything'> {
  readonly access: Access;
  readonly argo: ArgoCd;
  readonly out: string;
  readonly commit: string;
  /** Paths in the repository; undefined: everything may have. */
  readonly changed?: readonly string[];
}

async function settle({ access, argo, out, commit, changed, leaving = [], moving = [] }: Settling): Promise<void> {
  const wanted = applicationsFor(out);
  const sets = await list(access, [group, 'ApplicationSet'], { namespace });
  await Promise.all(sets.map(({ metadata }) => argo.refreshSet(metadata.name)));
  await waitFor('one Application for each folder', { seconds: 90, everyMs: 300 }, async () => {
    checkRunning(...argo.programs);
    const names = (await applications(access)).map(({ metadata }) => metadata.name).sort();
    return names.join() === wanted.join() ? { met: true } : { seen: names.join(', ') };
  });
  // New ones look by themselves.
  const old = (await applications(access)).filter(({ status }) => status?.sync !== undefined);
  const isConcerned = (one: Application) => changed === undefined || changed.some((path) => concerns(one, path));
  await refresh(access, old.filter(isConcerned));
  const isLeaving = ({ metadata }: Application) => leaving.some((claim) => metadata.name.endsWith(`.claim.${claim}`));
  const isMoving = ({ metadata }: Application) => moving.some((name) => metadata.name.endsWith(`.${name}`));
  const isDone = (one: Application) =>
    isMoving(one)
      ? isApplied(one, commit)
      : isSettled(one, isConcerned(one) ? commit : undefined, isLeaving(one) ? 'OutOfSync' : 'Synced');
  await orExplain(argo, (unsettled) => {
    // Argo CD does not look again when a definition is established, since it marks none as its own, and its view of them
    // lags by seconds for each. It would call the Application Degraded until its next look at git.
    let idle: readonly Application[] = [];
    const again = nowAndThen(5, () => refresh(access, idle));
    return waitFor(`the Applications to be settled at ${commit}`, { seconds: 240, everyMs: 500 }, async () => {
      checkRunning(...argo.programs);
      const found = await applications(access);
      const open = found.filter((one) => !isDone(one));
      unsettled.splice(0, unsettled.length, ...open.map(({ metadata }) => metadata.name));
      // Those that sync, or wait for their next try, look at its end.
      idle = open.filter(({ status }) => status?.operationState?.phase !== 'Running');
      await again();
      return open.length === 0 ? { met: true } : { seen: unsettled.join(', ') };
    });
  });
}

/** As Argo CD's own webhook has it: each look costs a dry run of everything in it. */
function concerns({ metadata, spec }: Application, path: string): boolean {
  const { source } = spec as { readonly source: { readonly path: string } };
  const folder = posix.join(source.path, metadata.annotations?.[pathsAnnotation] ?? '.');
  return path.startsWith(`${folder.replace(/\/$/, '')}/`);
}

/** As a webhook would. A hard refresh would forget what Argo CD remembers of folders that have not changed. */
async function refresh(access: Access, found: readonly Application[]): Promise<void> {
  const ids = found.map(({ metadata }) => id(group, 'Application', metadata.name, namespace));
  await Promise.all(ids.map((application) => annotate(access, application, { [refreshAnnotation]: 'normal' })));
}

async function orExplain(argo: ArgoCd, act: (unsettled: string[]) => Promise<unknown>): Promise<void> {
  const unsettled: string[] = [];
  try {
    await act(unsettled);
  } catch (error) {
    if (!(error instanceof WaitedInVain)) throw error;
    const reasons = await Promise.all(unsettled.map((name) => argo.explain(name)));
    throw new Error([error.message, ...reasons].join('\n'), { cause: error });
  }
}

function applications(access: Access): Promise<readonly Application[]> {
  return list<Application>(access, [group, 'Application'], { namespace });
}

function isSettled(
  { metadata, status = {}, operation }: Application,
  commit: string | undefined,
  sync: 'Synced' | 'OutOfSync',
): boolean {
  const isAsked = metadata.annotations?.[refreshAnnotation] !== undefined || operation !== undefined;
  const { phase } = status.operationState ?? {};
  // One that was deleted by mistake and made again finds everything in place, and has nothing to do.
  const isDone = phase === 'Succeeded' || (phase === undefined && sync === 'Synced');
  const isThere = (commit === undefined || status.sync?.revision === commit) && status.sync?.status === sync;
  return !isAsked && isDone && isThere && status.health?.status === 'Healthy';
}

function isApplied({ status = {} }: Application, commit: string): boolean {
  const { phase, syncResult } = status.operationState ?? {};
  return phase === 'Succeeded' && syncResult?.revision === commit;
}

/** As its web page does it unless told otherwise: an Application with whatever of it is not protected. */
async function deleteEverything(access: Access): Promise<void> {
  for (const { metadata } of await list(access, [group, 'ApplicationSet'], { namespace })) {
    await remove(access, id(group, 'ApplicationSet', metadata.name, namespace), { propagationPolicy: 'Background' });
  }
  for (const { metadata } of await applications(access)) {
    const application = id(group, 'Application', metadata.name, namespace);
    await patch(access, application, { metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] } }).catch(
      unlessGone,
    );
    await remove(access, application, { propagationPolicy: 'Background' });
  }
  await waitFor('every Application to be gone', { seconds: 90, everyMs: 500 }, async () => {
    const left = await applications(access);
    return left.length === 0 ? { met: true } : { seen: left.map(({ metadata }) => metadata.name).join(', ') };
  });
}

/** With its set, a moment ago. One that is going takes no new finalizer, and has this one. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiRefusal && [404, 422].includes(error.status))) throw error;
}
