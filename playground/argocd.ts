import { posix } from 'node:path';
import type { Access } from '../test/support/access.ts';
import { type ArgoCd, startArgoCd } from '../test/support/argocd.ts';
import type { Application } from '../test/support/argocd-applications.ts';
import type { Cluster } from '../test/support/cluster.ts';
import { annotate, id, type KubeObject, list } from '../test/support/objects.ts';
import { type Applied, type Applier, type Outcome, rememberOutcomes, tellApplied } from './applier.ts';
import type { View } from './views/view.ts';

const group = 'argoproj.io/v1alpha1';
const namespace = 'argocd';
const pathsAnnotation = 'argocd.argoproj.io/manifest-generate-paths';

export async function startArgo(cluster: Cluster, redis: readonly string[]): Promise<Applier> {
  // What changes in git is told to it, and what changes in the cluster it watches.
  const argo = await startArgoCd(cluster, { redis, resyncSeconds: 600 });
  return {
    programs: argo.programs,
    view: applications(),
    notify: (changed) => notify(cluster.access, argo, changed),
    nudge: async (names) => {
      for (const name of names) await refresh(cluster.access, name);
    },
  };
}

/** Over when it is asked for. */
async function refresh(access: Access, name: string): Promise<void> {
  await annotate(access, id(group, 'Application', name, namespace), { 'argocd.argoproj.io/refresh': 'normal' });
}

interface Sourced extends KubeObject {
  readonly spec: { readonly source: { readonly path: string } };
}

/** Only Applications that the change can concern, as Argo CD's own webhook has it: each look costs a dry run. */
async function notify(access: Access, argo: ArgoCd, changed: readonly string[]): Promise<void> {
  for (const application of await list<Sourced>(access, [group, 'Application'], { namespace })) {
    if (changed.some((path) => concerns(application, path))) await refresh(access, application.metadata.name);
  }
  const sets = await list(access, [group, 'ApplicationSet'], { namespace });
  await Promise.all(sets.map(({ metadata }) => argo.refreshSet(metadata.name)));
}

function concerns({ metadata, spec }: Sourced, path: string): boolean {
  const folder = posix.join(spec.source.path, metadata.annotations?.[pathsAnnotation] ?? '.');
  return path.startsWith(`${folder.replace(/\/$/, '')}/`);
}

function applications(): View<Applied> {
  const remember = rememberOutcomes();
  return {
    read: async (access) => {
      const found = await list<Application>(access, [group, 'Application'], { namespace });
      return new Map(
        found.map((application) => {
          const { sync, health } = application.status ?? {};
          const settled = sync?.status === 'Synced' && health?.status === 'Healthy';
          return remember(application.metadata.name, settled, outcomeOf(application));
        }),
      );
    },
    tell: tellApplied('argo cd'),
  };
}

function outcomeOf({ status = {} }: Application): Outcome {
  const { phase = '', message = '', syncResult } = status.operationState ?? {};
  const { revision = '', resources = [] } = syncResult ?? {};
  const commit = revision.slice(0, 7);
  if (phase === 'Failed' || phase === 'Error') {
    return { applied: `${phase} ${revision} ${message}`, said: `sync of ${commit} failed: ${message}`, failed: true };
  }
  if (phase !== 'Succeeded') return undefined;
  const kept = resources.filter((resource) => resource.status === 'PruneSkipped');
  const synced = resources.filter((resource) => resource.status !== 'PruneSkipped');
  const said = [`synced ${commit}`, namesOf(synced), keptText(kept.length)].filter((text) => text !== '');
  // A sync that is repeated says nothing new. As long as something is kept, every commit is synced again.
  const applied = synced.length === 0 && kept.length > 0 ? keptText(kept.length) : revision;
  return { applied, said: said.join('; '), failed: false };
}

const mostNames = 2;

function namesOf(resources: readonly { readonly kind: string; readonly name: string }[]): string {
  const names = resources.map(({ kind, name }) => `${kind} ${name}`);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

function keptText(count: number): string {
  return count === 0 ? '' : `keeps ${count} ${count === 1 ? 'object' : 'objects'} that git no longer has`;
}
