import { expect, it } from 'vitest';
import { deletionsIn } from '../uninstall/invariants.ts';
import { minutes, resourceOf, type Scenario } from './scenario.ts';
import { changesBetween } from './snapshot.ts';
import { changes } from './world.ts';

/** What git and people do to the applier by mistake. */
export function mistakesLoseNothing(scenario: Scenario): void {
  vanishedFilesLoseNothing(scenario);
  aDeletedApplierLosesNothing(scenario);
}

function vanishedFilesLoseNothing({ line, mistake }: Scenario): void {
  it(
    'the files of a claim that vanish from git, whole or in part, take nothing with them that holds data',
    async () => {
      const { world, applier } = line();
      const before = await world.snapshot();
      const deletions = deletionsIn(world.audit());
      const gone = await mistake(
        async (repo) => {
          await repo.git('rm', '--quiet', '-r', 'out/atlas/claims/campus-login');
          const [bootstrap = ''] = (await repo.git('ls-files', 'out/atlas/bootstrap')).split('\n');
          repo.write(bootstrap, applier.withoutClaim(repo.read(bootstrap), 'atlas', 'campus-login'));
          const cut = 'out/atlas/claims/library-search/claim.k8s.yaml';
          repo.write(cut, repo.read(cut).split('---\n')[0] ?? '');
        },
        { leaving: ['library-search'] },
      );
      const unprotected = (claim: string) => [
        `- atlas Ingress vcluster-${claim}/${claim}`,
        `- atlas LimitRange vcluster-${claim}/vc-${claim}`,
        `- atlas ResourceQuota vcluster-${claim}/vc-${claim}`,
      ];
      expect(gone.filter((change) => change.startsWith('- ')).sort()).toEqual(
        [...unprotected('campus-login'), ...unprotected('library-search')].sort(),
      );

      await mistake((repo) => repo.git('checkout', '--quiet', 'HEAD~', '--', 'out'));
      const after = await world.snapshot();
      expect(
        changes(before, after, changesBetween)
          .map((change) => change.replace('~', '-'))
          .sort(),
      ).toEqual([...unprotected('campus-login'), ...unprotected('library-search')].sort());
      // Nor does the sidecar: that a file is gone is no order.
      expect(deletionsIn(world.audit())).toEqual(deletions);
    },
    minutes(5),
  );
}

export function aDeletedApplierLosesNothing({ line, letGo }: Scenario): void {
  it(
    'deleting everything that makes the applier work deletes nothing that holds data, and ends no maintenance',
    async () => {
      const { world, applier } = line();
      letGo(resourceOf(everDeleted));
      const before = await world.snapshot();
      await applier.deleteEverything();
      const after = await world.snapshot();
      expect(changes(before, after).filter((change) => !isOfNoConsequence(change))).toEqual([]);

      await applier.bootstrap();
      const commit = await world.campus.repo.git('rev-parse', 'HEAD');
      await applier.settle(commit, { everything: true });
      const again = changes(before, await world.snapshot());
      expect(again.filter((change) => !isOfNoConsequence(change))).toEqual([]);
    },
    minutes(5),
  );
}

/** Of which git says Deleted: where no sidecar has carried that out yet, its resource may go, and comes again with git. */
const everDeleted = 'hackathon-spring';

/** Made again from git as it was: what a claim may use, how it is reached from outside, and Quiesce's own programs. */
function isOfNoConsequence(change: string): boolean {
  const ofClaims = / (?:Ingress|LimitRange|ResourceQuota) vcluster-| ClusterRole(?:Binding)? vc-/;
  const ofQuiesce = / quiesce-system\/| (?:ClusterRole|ClusterRoleBinding|PriorityClass|Validating\w+) quiesce-/;
  const order = new RegExp(` VClusterClaim ${everDeleted}$`);
  return [ofClaims, ofQuiesce, order].some((names) => names.test(change));
}
