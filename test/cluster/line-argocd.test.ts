import { expect, it } from 'vitest';
import { type ArgoCd, startArgoCd } from '../support/argocd.ts';
import { repositorySecret } from '../support/argocd-objects.ts';
import { argocdTest, redisCommand } from '../support/cluster-test.ts';
import { apply } from '../support/objects.ts';
import { applicationsFor, argoCdApplier } from './line/argocd-applier.ts';
import { gitUser, mailTo, replacing, repositoryName } from './line/campus.ts';
import { changesArrive } from './line/change-steps.ts';
import { comesUp, settlesDown } from './line/first-steps.ts';
import { mistakesLoseNothing } from './line/mistake-steps.ts';
import { thingsComeToRest } from './line/rest-steps.ts';
import { type Line, minutes, scenario } from './line/scenario.ts';
import { openWorld } from './line/world.ts';

argocdTest('one Argo CD follows the shipped state on two clusters', () => {
  let argo: ArgoCd;

  const open = async (): Promise<Line> => {
    const world = await openWorld();
    const { atlas, borealis } = world.hosts;
    argo = await startArgoCd(atlas, { redis: redisCommand(), destinations: [borealis] });
    const url = world.server.url(repositoryName);
    await apply(atlas.access, repositorySecret('clusters', { url, ...gitUser }));
    const { commit } = await world.campus.push({
      'state/settings.yaml': replacing(
        ['https://kubernetes.default.svc', atlas.access.url],
        ['https://borealis.example.edu:6443', borealis.access.url],
        ['applier: flux\n      applierNamespace: flux-system', 'applier: argocd\n      applierNamespace: argocd'],
        ['https://git.example.edu/platform/clusters.git', url],
        ...mailTo(world.smtp.port),
      ),
    });
    return { world, commit, applier: argoCdApplier(atlas, argo, world) };
  };

  const steps = scenario(open);
  comesUp(steps);
  settlesDown(steps);

  it(
    'Argo CD sees no difference anywhere',
    async () => {
      const names = applicationsFor(steps.line().world.out);
      await Promise.all(names.map((name) => argo.refresh(name)));
      for (const name of names) {
        const compared = await argo.comparisons(name);
        expect(compared.length).toBeGreaterThan(0);
        expect(compared.filter(({ modified }) => modified === true)).toEqual([]);
      }
    },
    minutes(3),
  );

  changesArrive(steps);
  thingsComeToRest(steps);
  mistakesLoseNothing(steps);
});
