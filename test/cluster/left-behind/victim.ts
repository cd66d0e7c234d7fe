// Started by left-behind.test.ts, to be ended in the middle of its work.
//
// usage: victim.ts sandbox|cluster|crash|forget, with the assets as JSON in QUIESCE_TEST_ASSETS for a cluster
import type { Assets } from '../../controlplane/assets.ts';
import { openSandbox, type Sandbox } from '../../support/sandbox.ts';

const [mode] = process.argv.slice(2);
const sandbox = mode === 'cluster' ? await cluster() : sleepers();
process.stdout.write(`${sandbox.folder}\n`);
if (mode === 'crash') setTimeout(() => Promise.reject(new Error('a crash that was ordered')), 100);
else if (mode !== 'forget') setInterval(() => undefined, 1000);

async function cluster(): Promise<Sandbox> {
  // Only here, because the Kubernetes client takes a second to load.
  const { startCluster } = await import('../../support/cluster.ts');
  const { startKwok } = await import('../../support/kwok.ts');
  const assets = JSON.parse(process.env.QUIESCE_TEST_ASSETS ?? '{}') as Assets;
  const started = await startCluster({ assets });
  await startKwok(started);
  return started.sandbox;
}

function sleepers(): Sandbox {
  const opened = openSandbox('sleepers');
  opened.start('one', ['sleep', '1000']);
  // A program's own child in a process group of its own, as git under Argo CD's repo server.
  opened.start('two', ['sh', '-c', 'setsid sleep 1000 & setsid sleep 1000 & wait']);
  // A program that takes no hint.
  opened.start('deaf', ['sh', '-c', "trap '' TERM INT HUP; while :; do sleep 1; done"]);
  return opened;
}
