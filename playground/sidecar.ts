import { join } from 'node:path';
import { writeKubeconfig } from '../test/support/access.ts';
import type { Cluster } from '../test/support/cluster.ts';
import { freePorts } from '../test/support/ports.ts';
import { checkRunning, type Program } from '../test/support/program.ts';
import { waitFor } from '../test/support/wait.ts';
import { campus } from './campus.ts';

const account = { namespace: 'quiesce-system', name: 'quiesce-sidecar' };

/**
 * The rendered Deployment is there as well, and its Pods pretend. This is the program in them, with what they would have:
 * the token of the rendered ServiceAccount, and so no more rights than that.
 */
export async function startSidecar(cluster: Cluster, command: readonly string[]): Promise<Program> {
  const { access, sandbox } = cluster;
  // A kubelet would renew it each hour.
  const create = ['create', 'token', account.name, `--namespace=${account.namespace}`, '--duration=240h'];
  const token = (await cluster.kubectl(...create)).trim();
  const kubeconfig = await writeKubeconfig(join(sandbox.folder, 'sidecar.kubeconfig'), { ...access, token });
  const [port = 0] = await freePorts(1);
  const flags = [`--kubeconfig=${kubeconfig}`, `--listen=127.0.0.1:${port}`, '--identity=playground'];
  const env = { QUIESCE_CLUSTER: campus.cluster };
  const sidecar = sandbox.start('sidecar', [...command, 'sidecar', ...flags], env);
  await waitFor('the sidecar to be ready', { seconds: 60 }, async () => {
    checkRunning(sidecar);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) });
    return answer.status === 200 ? { met: true } : { seen: await answer.text() };
  });
  return sidecar;
}
