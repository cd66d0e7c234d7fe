import { startFlux } from '../../support/flux.ts';
import { apply } from '../../support/objects.ts';
import { gitUser, mailTo, replacing, repositoryName } from './campus.ts';
import { fluxApplier } from './flux-applier.ts';
import type { Line } from './scenario.ts';
import { openWorld } from './world.ts';

/** The shipped state, with one Flux on atlas for both clusters. */
export async function openFluxLine(): Promise<Line> {
  const world = await openWorld();
  const { atlas, borealis } = world.hosts;
  const flux = await startFlux(atlas);
  await flux.addDestination('borealis-kubeconfig', borealis);
  const metadata = { name: 'quiesce-git', namespace: 'flux-system' };
  await apply(atlas.access, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: gitUser });
  const { commit } = await world.campus.push({
    'state/settings.yaml': replacing(
      ['https://kubernetes.default.svc', atlas.access.url],
      ['https://borealis.example.edu:6443', borealis.access.url],
      ['applier: argocd\n      applierNamespace: argocd', 'applier: flux\n      applierNamespace: flux-system'],
      [
        'applier: flux\n      applierNamespace: flux-system\n\n  # What a claim',
        'applier: flux\n      applierNamespace: flux-system\n      kubeConfigSecret: borealis-kubeconfig\n\n  # What a claim',
      ],
      ['https://git.example.edu/platform/clusters.git', world.server.url(repositoryName)],
      ...mailTo(world.smtp.port),
    ),
  });
  return { world, commit, applier: fluxApplier(atlas, flux, world.out) };
}
