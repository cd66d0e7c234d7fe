import type { Access } from '../test/support/access.ts';
import { startFlux } from '../test/support/flux.ts';
import { annotate, apply, id, type KubeObject, list, type ObjectId } from '../test/support/objects.ts';
import {
  type Applied,
  type Applier,
  type Outcome,
  rememberOutcomes,
  type StartApplier,
  tellApplied,
} from './applier.ts';
import { campus } from './campus.ts';
import type { View } from './views/view.ts';

const namespace = 'flux-system';
const source = 'source.toolkit.fluxcd.io/v1';
const kustomize = 'kustomize.toolkit.fluxcd.io/v1';

export const startFluxApplier: StartApplier = async (cluster): Promise<Applier> => {
  const { access } = cluster;
  const flux = await startFlux(cluster);
  // The state names a Secret, and Flux insists on it; the git server asks for no password.
  await apply(access, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: campus.gitSecret, namespace },
    stringData: { username: 'playground', password: 'playground' },
  });
  return {
    programs: flux.programs,
    view: kustomizations(),
    notify: async () => {
      // Kustomizations follow by themselves.
      const sources = await list(access, [source, 'GitRepository'], { namespace });
      for (const { metadata } of sources)
        await reconcile(access, id(source, 'GitRepository', metadata.name, namespace));
    },
    nudge: async (names) => {
      for (const name of names) await reconcile(access, id(kustomize, 'Kustomization', name, namespace));
    },
  };
};

/** Over when it is asked for. */
async function reconcile(access: Access, object: ObjectId): Promise<void> {
  await annotate(access, object, { 'reconcile.fluxcd.io/requestedAt': new Date().toISOString() });
}

interface Kustomization extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastAppliedRevision?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    /** One entry for each set of manifests, the one applied last first. */
    readonly history?: readonly { readonly digest?: string }[];
  };
}

function kustomizations(): View<Applied> {
  const remember = rememberOutcomes();
  return {
    read: async (access) => {
      const found = await list<Kustomization>(access, [kustomize, 'Kustomization'], { namespace });
      return new Map(found.map((one) => remember(one.metadata.name, isSettled(one), outcomeOf(one))));
    },
    tell: tellApplied('flux'),
  };
}

function isSettled({ metadata, status }: Kustomization): boolean {
  return readyOf(status)?.status === 'True' && status?.observedGeneration === metadata.generation;
}

function readyOf(status: Kustomization['status']) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

function outcomeOf({ status }: Kustomization): Outcome {
  const { status: ready, reason, message = '' } = readyOf(status) ?? {};
  // It waits for another one, and will go on by itself.
  if (reason === 'DependencyNotReady') return undefined;
  if (ready === 'False') return { applied: `failed ${message}`, said: message.split('\n')[0] ?? '', failed: true };
  if (ready !== 'True') return undefined;
  const { lastAppliedRevision = '', history: [latest] = [] } = status ?? {};
  const said = `applied ${lastAppliedRevision.replace(/^.*:/, '').slice(0, 7)}`;
  // Every commit is applied by all of them; the digest tells for which of them it was anything new.
  return { applied: `applied ${latest?.digest ?? ''}`, said, failed: false };
}
