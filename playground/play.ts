import type { Program } from '../test/support/program.ts';
import { WaitedInVain, waitFor } from '../test/support/wait.ts';
import { follow } from './follow.ts';
import { guide } from './guide.ts';
import type { Push } from './repository.ts';
import { keepRunning, openRunner, type Runner } from './runner.ts';
import type { Progress } from './screen.ts';
import { startSidecar } from './sidecar.ts';
import { applyBootstrap, type Ground, type Playground, startPlayground } from './start.ts';
import { createTenants } from './tenants.ts';
import { blocks } from './views/blocks.ts';

const syncSeconds = 300;
const maintenanceSeconds = 60;
/** An applier that has nothing to watch for looks again only at its next interval, which is minutes. */
const nudgeSeconds = 10;

const same = (said: string) => said;

interface Opened extends Playground {
  readonly sidecar: Program | undefined;
  readonly runner: Runner;
}

/** A playground in which everything that the state asks for is there. */
export async function openPlayground(ground: Ground): Promise<Opened> {
  const { screen } = ground;
  const begun = performance.now();
  const playground = await startPlayground(ground);
  const sync = async (progress: Progress) => {
    await applyBootstrap(playground);
    return firstSync(playground, progress);
  };
  await screen.step('first sync', sync, same);
  await createTenants(playground.cluster.access);
  const { sidecar } = await screen.step(
    'sidecar',
    () => beginMaintenance(playground),
    ({ said }) => said,
  );
  playground.repository.onPush((push) => void answerPush(playground, push));
  const runner = await screen.step(
    'runner',
    () => firstRun(playground),
    ({ said }) => said,
  );
  screen.print(`\nEverything was in place after ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
  return { ...playground, sidecar, runner: runner.runner };
}

/** Says what to try, and then what happens, until the signal. */
export async function watchPlayground(playground: Opened, signal: AbortSignal): Promise<void> {
  const { cluster, applier, programs, sidecar, runner, screen } = playground;
  screen.print(guide(playground, screen));
  const { tell } = screen;
  const following = { access: cluster.access, applier: applier.view, programs, sidecar, signal, tell };
  await Promise.all([follow(following), keepRunning(runner, signal, tell)]);
}

/** What is not in place in time is told and no reason to end: there is something to see all the same. */
async function firstSync({ applier, cluster }: Playground, progress: Progress): Promise<string> {
  let open: readonly string[] = [];
  let last = '';
  let nudged = performance.now();
  const look = async () => {
    const seen = [...(await applier.view.read(cluster.access))];
    open = seen.flatMap(([name, { settled }]) => (settled ? [] : name));
    const count = `${seen.length - open.length} of ${seen.length}`;
    progress(count);
    if (seen.length > 0 && open.length === 0) return { met: `${count} in place` };
    if (count !== last) nudged = performance.now();
    last = count;
    if (performance.now() - nudged > nudgeSeconds * 1000) {
      nudged = performance.now();
      await applier.nudge(open);
    }
    return { seen: count };
  };
  try {
    await waitFor('everything to be applied', { seconds: syncSeconds, everyMs: 500 }, look);
    // What is applied first may order more: an ApplicationSet its Applications, a Kustomization the others.
    return await waitFor('everything to be applied', { seconds: syncSeconds, everyMs: 500 }, look);
  } catch (error) {
    if (!(error instanceof WaitedInVain)) throw error;
    return `not in place after ${syncSeconds} s: ${open.join(', ')}`;
  }
}

async function beginMaintenance({
  cluster,
  commands,
}: Playground): Promise<{ sidecar: Program | undefined; said: string }> {
  if (commands.sidecar === undefined) return { sidecar: undefined, said: 'there is none yet: nobody drains nodes' };
  try {
    const sidecar = await startSidecar(cluster, commands.sidecar);
    const said = await waitFor('maintenance to begin', { seconds: maintenanceSeconds, everyMs: 300 }, async () => {
      const seen = [...(await blocks.read(cluster.access)).values()];
      const inMaintenance = seen.filter(({ phase }) => phase === 'InMaintenance').length;
      const text = `${inMaintenance} of ${seen.length} nodes in maintenance`;
      return seen.length > 0 && inMaintenance === seen.length ? { met: text } : { seen: text };
    });
    return { sidecar, said };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { sidecar: undefined, said: `does not work, so nobody drains nodes: ${why}` };
  }
}

/** Owners of claims that are overdue hear of it at once. */
async function firstRun(playground: Playground): Promise<{ readonly runner: Runner; readonly said: string }> {
  const runner = await openRunner(playground);
  const lines = await runner.run();
  const failure = lines.find(({ tone }) => tone === 'bad');
  if (failure === undefined) return { runner, said: `${lines.length} mails to owners` };
  return { runner, said: `does not work, so nothing expires: ${failure.text}` };
}

/** What a forge does with a push: a workflow for `state/`, a webhook for `out/`. */
async function answerPush({ workflow, applier, screen: { tell } }: Playground, push: Push): Promise<void> {
  const { commits, changed } = push;
  const touches = (folder: string) => changed.some((path) => path.startsWith(folder));
  try {
    // What only the workflow commits is told by the workflow itself.
    const isOurs = changed.every((path) => path.startsWith('out/'));
    for (const { id, subject, author } of isOurs ? [] : commits) {
      tell({ who: 'git', text: `${id.slice(0, 7)} ${subject} (${author})` });
    }
    if (touches('out/')) await applier.notify(changed);
    if (touches('state/')) for (const line of (await workflow.run()).lines) tell(line);
  } catch (error) {
    tell({ who: 'quiesce', text: error instanceof Error ? error.message : String(error), tone: 'bad' });
  }
}
