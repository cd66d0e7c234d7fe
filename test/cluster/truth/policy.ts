import { beforeAll, expect, it } from 'vitest';
import type { Cluster } from '../../support/cluster.ts';
import { apply, type KubeObject, list } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import { sample } from '../line/our-kinds.ts';
import { renderedIn, shipped } from '../line/rendered.ts';

/** Who may delete a claim with kubectl. */
export function policyHolds(open: () => Cluster): void {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = open();
    const system = renderedIn(`${shipped.out}/atlas/system`);
    await apply(cluster.access, ...system.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy')));
    await apply(cluster.access, sample('VClusterClaim'), ...everybodyMayDelete);
    await waitFor('the policy to be in force', { seconds: 30 }, async () => {
      const answer = await deletion('vclusterclaim/campus-login', '--as=somebody');
      return answer.includes('denied') ? { met: true } : { seen: answer };
    });
  });

  /** What kubectl says to a deletion that is only tried. */
  const deletion = (...args: readonly string[]): Promise<string> =>
    cluster.kubectl('delete', '--dry-run=server', ...args).catch((error: unknown) => String(error));

  it('the policy is understood in every part', async () => {
    const kind = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'] as const;
    const checked = await waitFor('the policy to be checked', { seconds: 30 }, async () => {
      const [policy] = await list<Policy>(cluster.access, kind);
      const { observedGeneration, typeChecking } = policy?.status ?? {};
      return observedGeneration === undefined ? { seen: 'not checked yet' } : { met: typeChecking };
    });
    expect(checked?.expressionWarnings ?? []).toEqual([]);
  });

  it('nobody whom the settings do not name', async () => {
    expect(await deletion('vclusterclaim/campus-login', '--as=somebody', '--as-group=students')).toContain(
      'Only members of platform-admins, teaching-staff may delete a claim with kubectl; set spec.state to Deleted in git',
    );
  });

  it.each([
    ['a member of a group that they name', ['--as=somebody', '--as-group=teaching-staff']],
    ['the garbage collector', ['--as=system:serviceaccount:kube-system:generic-garbage-collector']],
  ])('%s', async (_, who) => {
    expect(await deletion('vclusterclaim/campus-login', ...who)).toContain('deleted (server dry run)');
  });

  it('everybody once git says Deleted, or the applier could not prune it', async () => {
    const ordered = renderedIn(`${shipped.out}/atlas/claims/hackathon-spring`);
    await apply(cluster.access, ...ordered);
    const answer = await deletion('vclusterclaim/hackathon-spring', '--as=somebody');
    expect(answer).toContain('deleted (server dry run)');
  });
}

interface Policy extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly typeChecking?: { readonly expressionWarnings?: readonly unknown[] };
  };
}

/** So that only the policy can refuse. */
const everybodyMayDelete: readonly KubeObject[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'everybody-may-delete' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      ...['somebody', 'system:serviceaccount:kube-system:generic-garbage-collector'].map((name) => ({
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'User',
        name,
      })),
    ],
  },
];
