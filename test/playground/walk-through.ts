import { afterAll, beforeAll, expect, it } from 'vitest';
import { itInSoak } from '../support/soak.ts';
import { type Session, startSession } from './terminal-session.ts';

const startSeconds = 400;
const followSeconds = 90;

/** The lifecycle runner pushes, too. */
const push = 'until git push -q; do git pull -q --rebase; done';

/** The words that differ between the two. */
export interface PlaygroundApplier {
  readonly options: readonly string[];
  readonly slept: RegExp;
  /** What it says when it leaves the objects of a claim to the sidecar. Flux says nothing. */
  readonly kept?: RegExp;
}

/** What docs/playground.md walks through, with the commands that the playground prints, from its start to Ctrl-C. */
export function walksThrough({ options, slept, kept }: PlaygroundApplier): void {
  let session: Session;

  beforeAll(async () => {
    session = startSession([...options]);
    await session.see('Ctrl-C ends the playground', startSeconds);
  }, startSeconds * 1000);

  afterAll(() => session?.close());

  it('has everything in place', () => {
    expect(session.output()).toMatch(/first sync +(\d+) of \1 in place/);
    expect(session.output()).toMatch(/sidecar +(\d+) of \1 nodes in maintenance/);
  });

  it('shows how a claim goes to sleep', async () => {
    await session.shell(session.commandsFor('Put a claim to sleep'));
    await session.see('StatefulSet registrar-portal has no Pod left', followSeconds);
    expect(session.output()).toMatch(/git +[0-9a-f]{7} Sleep registrar-portal \(You\)/);
    expect(session.output()).toMatch(
      /quiesce +Committed [0-9a-f]{12} to out on main of origin: Sleep registrar-portal/,
    );
    expect(session.output()).toMatch(slept);
    const get = 'kubectl get statefulset registrar-portal -n vcluster-registrar-portal -o';
    expect(await session.shell(`${get} jsonpath='{.spec.replicas} {.status.replicas}'`)).toBe('0 0');
  });

  // What these two take is with Argo CD in line-argocd.test.ts, without the playground's words.
  itInSoak('shows how a node goes into maintenance', async () => {
    await session.shell(session.commandsFor('Take a node out of service'));
    await session.see('node general-103: InMaintenance', followSeconds);
    expect(session.output()).toMatch(/sidecar +node general-103: Draining, \d Pods? left/);
    const taints = await session.shell("kubectl get node general-103 -o jsonpath='{.spec.taints[*].effect}'");
    expect(taints).toContain('NoExecute');
    await session.shell(`git pull -q && git revert --no-edit ":/Take" && ${push}`);
    await session.see('node general-103: out of maintenance', followSeconds);
  });

  itInSoak('shows how a deletion is ordered and carried out, to its end', async () => {
    await session.shell(session.commandsFor('Order a deletion'));
    await session.see('VClusterClaim thesis-edge-caching: Running → Deleted', followSeconds);
    if (kept !== undefined) await session.see(kept, followSeconds);
    await session.see('sidecar   VClusterClaim thesis-edge-caching: Deleted', followSeconds);
    // The runner has seen it, so its file goes, and with that its resource.
    await session.see('VClusterClaim thesis-edge-caching is gone', 2 * followSeconds);
    const left = 'git pull -q && ls state/claims && kubectl get vcc,namespaces -o name';
    expect(await session.shell(left)).not.toContain('thesis-edge-caching');
  });

  it('says what is wrong with a state that does not compile', async () => {
    const file = 'state/claims/robotics-lab.yaml';
    await session.shell(`git pull -q && echo '  replcas: 3' >> ${file} && git commit -qam 'Slip' && ${push}`);
    await session.see('nothing is compiled and nothing applied until a commit mends this', followSeconds);
    expect(session.output()).toContain('replcas');
    await session.shell(`git pull -q && git revert --no-edit ":/Slip" > /dev/null && ${push}`);
    await session.see('Nothing to commit', followSeconds);
  });

  it('ends by Ctrl-C and leaves nothing behind', async () => {
    session.process.kill('SIGINT');
    expect(await session.ended()).toBe(0);
    expect(session.left()).toEqual([]);
  });
}
