import { join } from 'node:path';
import type { Access } from '../../support/access.ts';
import type { Cluster } from '../../support/cluster.ts';
import type { Flux } from '../../support/flux.ts';
import { annotate, id, type KubeObject, list, read, remove } from '../../support/objects.ts';
import { checkRunning } from '../../support/program.ts';
import { nowAndThen, WaitedInVain, waitFor } from '../../support/wait.ts';
import type { Applier } from './applier.ts';
import { objectsIn, renderedIn } from './rendered.ts';
import { hostNames } from './world.ts';

const namespace = 'flux-system';
const repositoryKind = ['source.toolkit.fluxcd.io/v1', 'GitRepository'] as const;
const kustomizationKind = ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'] as const;

/** `out` is the folder of what was compiled last. */
export function fluxApplier(home: Cluster, flux: Flux, out: string): Applier {
  const { access } = home;
  return {
    bootstrap: async () => {
      for (const name of hostNames) await home.kubectl('apply', '-f', join(out, name, 'bootstrap'));
    },
    settle: (commit) => settle({ access, flux, out, commit }),
    lookAgain: (name) => flux.reconcile(`campus.atlas.${name}`),
    deleteEverything: () => deleteEverything(access),
    withoutClaim: (bootstrap, cluster, claim) => {
      const documents = bootstrap.split('---\n');
      return documents.filter((text) => nameIn(text) !== `campus.${cluster}.claim.${claim}`).join('---\n');
    },
  };
}

function nameIn(document: string): string | undefined {
  return objectsIn(document)[0]?.metadata.name;
}

interface FluxObject extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly lastAppliedRevision?: string;
    readonly artifact?: { readonly revision?: string };
  };
}

interface Settling {
  readonly access: Access;
  readonly flux: Flux;
  readonly out: string;
  readonly commit: string;
}

async function settle({ access, flux, out, commit }: Settling): Promise<void> {
  for (const name of hostNames) await fetchNow(access, `campus.${name}`, commit);
  const wanted = kustomizationsFor(out);
  let unsettled: readonly string[] = [];
  try {
    await waitFor(`the Kustomizations to be settled at ${commit}`, { seconds: 240, everyMs: 500 }, async () => {
      checkRunning(...flux.programs);
      const found = await list<FluxObject>(access, kustomizationKind, { namespace });
      const settled = found.filter((one) => isSettled(one, commit)).map(({ metadata }) => metadata.name);
      const others = found.map(({ metadata }) => metadata.name).filter((name) => !wanted.includes(name));
      unsettled = wanted.filter((name) => !settled.includes(name));
      const seen = [...unsettled, ...others.map((name) => `${name} is still there`)];
      return seen.length === 0 ? { met: true } : { seen: seen.join(', ') };
    });
  } catch (error) {
    const [first] = unsettled;
    if (!(error instanceof WaitedInVain) || first === undefined) throw error;
    // Says what Flux says of all of them.
    await flux.waitForReady('Kustomization', first, { seconds: 1, revision: commit });
    throw error;
  }
}

/** As after a webhook: whatever follows from the new commit comes by itself. */
async function fetchNow(access: Access, name: string, commit: string): Promise<void> {
  const repository = id(...repositoryKind, name, namespace);
  const ask = () => annotate(access, repository, { 'reconcile.fluxcd.io/requestedAt': new Date().toISOString() });
  // After a fetch that failed Flux looks again in a minute.
  const again = nowAndThen(10, ask);
  await ask();
  await waitFor(`GitRepository ${name} to be at ${commit}`, { seconds: 60 }, async () => {
    const { status = {} } = (await read<FluxObject>(access, repository)) ?? {};
    if (status.artifact?.revision?.endsWith(commit) === true) return { met: true };
    await again();
    return { seen: JSON.stringify(status.conditions) };
  });
}

function kustomizationsFor(out: string): readonly string[] {
  const rendered = hostNames.flatMap((name) => renderedIn(join(out, name, 'bootstrap')));
  return rendered.filter(({ kind }) => kind === 'Kustomization').map(({ metadata }) => metadata.name);
}

function isSettled({ metadata, status = {} }: FluxObject, commit: string): boolean {
  const isReady = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  const isThere = status.lastAppliedRevision?.endsWith(commit) === true;
  return isReady && isThere && status.observedGeneration === metadata.generation;
}

async function deleteEverything(access: Access): Promise<void> {
  for (const kind of [kustomizationKind, repositoryKind]) {
    for (const { metadata } of await list(access, kind, { namespace })) {
      await remove(access, id(kind[0], kind[1], metadata.name, namespace));
    }
  }
  await waitFor('every Kustomization to be gone', { seconds: 90, everyMs: 500 }, async () => {
    const left = await list(access, kustomizationKind, { namespace });
    return left.length === 0 ? { met: true } : { seen: left.map(({ metadata }) => metadata.name).join(', ') };
  });
}
