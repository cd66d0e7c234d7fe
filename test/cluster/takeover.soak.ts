import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { id, type KubeObject, list, patch } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { type Lab, type Sidecar, startLab } from './sidecar/lab.ts';
import { configMap, deployment } from './uninstall/objects.ts';
import { type Stack, stackIn } from './uninstall/stack.ts';

const fast = ['--lease-seconds=3'];
const held = ['example.edu/held'];

interface Event extends KubeObject {
  readonly reason?: string;
  readonly note?: string;
  readonly regarding?: { readonly name?: string };
}

clusterTest('whoever leads is gone in the middle of an uninstall', () => {
  let lab: Lab;
  const running: Sidecar[] = [];

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
  });
  afterEach(async () => {
    for (const { program } of running.splice(0)) await program.kill();
  });
  afterAll(() => lab?.stop());

  const start = async (): Promise<Sidecar> => {
    const sidecar = await lab.sidecar({ args: fast });
    running.push(sidecar);
    return sidecar;
  };

  /** It goes on only once the finalizer of its first component is released. */
  const inTheMiddle = async (name: string): Promise<Stack> => {
    const stack = stackIn(lab.access, {
      name,
      spec: {
        components: [
          { name: 'base', namespace: name },
          { name: 'app', namespace: name, dependsOn: ['base'] },
        ],
      },
      manifests: { base: [deployment('base')], app: [configMap('settings')] },
    });
    await stack.install();
    await stack.waitFor('Installed');
    await patch(lab.access, id('v1', 'ConfigMap', 'settings', name), { metadata: { finalizers: held } });
    await stack.order();
    await waitFor('the first to be told', { seconds: 30 }, async () => {
      const told = deletionsOf(name);
      return told.includes('settings') ? { met: true } : { seen: told.join() };
    });
    return stack;
  };

  const release = (name: string) =>
    patch(lab.access, id('v1', 'ConfigMap', 'settings', name), { metadata: { finalizers: null } });

  /** What the sidecar has deleted in a namespace, and that namespace. */
  const deletionsOf = (namespace: string) =>
    lab.audit().flatMap(({ user, verb, namespace: within, name = '' }) => {
      const isOfIt = within === namespace || name === namespace;
      return user === sidecarUser && verb === 'delete' && isOfIt ? name : [];
    });
  const onceInOrder = (namespace: string) => ['settings', 'base', namespace];

  const resumptions = async (name: string) => {
    const events = await list<Event>(lab.access, ['events.k8s.io/v1', 'Event']);
    return events.filter(({ reason, regarding }) => reason === 'UninstallResumed' && regarding?.name === name);
  };

  const isLeading = async ({ metrics }: Sidecar) => (await metrics()).includes('quiesce_leader{cluster="main"} 1');

  it('another one takes over and goes on where it was: nothing is told twice, and a run stays the same', async () => {
    const first = await start();
    const second = await start();
    const stack = await inTheMiddle('shop');
    const before = await stack.status();
    await first.program.kill();
    await waitFor('the second to lead', { seconds: 10, everyMs: 50 }, async () =>
      (await isLeading(second)) ? { met: true } : { seen: 'it follows' },
    );
    await release('shop');
    const done = await stack.waitFor('Deleted');
    expect(done.run).toBe(before?.run);
    expect(deletionsOf('shop')).toEqual(onceInOrder('shop'));
  }, 120_000);

  it('and nobody is there for more than a minute: whoever comes says so', async () => {
    const first = await start();
    const stack = await inTheMiddle('cart');
    await first.program.kill();
    await sleep(62_000);
    await start();
    const [event] = await waitFor('the event', { seconds: 20 }, async () => {
      const found = await resumptions('cart');
      return found.length > 0 ? { met: found } : { seen: 'none' };
    });
    expect(event?.note).toMatch(/^Nobody has worked on the uninstall for \d+ s; it goes on where it was\.$/);
    await release('cart');
    await stack.waitFor('Deleted');
    expect(deletionsOf('cart')).toEqual(onceInOrder('cart'));
  }, 240_000);
});
