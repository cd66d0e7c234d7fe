import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sidecarFile } from '../../cluster/sidecar/bundle.ts';
import { freePorts } from '../../support/ports.ts';
import { waitFor } from '../../support/wait.ts';
import { type LargeCluster, startLargeCluster } from './large-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'quiesce-memory-'));
let cluster: LargeCluster | undefined;
let child: ChildProcess | undefined;

afterAll(async () => {
  child?.kill('SIGKILL');
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** In use and at most so far, in MB, as the system has it. */
function memory(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: mb('VmRSS'), most: mb('VmHWM') };
}

it.skipIf(process.platform !== 'linux')(
  '1,000 nodes and 20,000 Pods fit in 120 MB, and stay there',
  async () => {
    cluster = await startLargeCluster({ nodes: 1000, pods: 20_000 });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'large', cluster: { server: cluster.url, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'me', user: { token: 'none' } }],
        contexts: [{ name: 'large', context: { cluster: 'large', user: 'me' } }],
        'current-context': 'large',
      }),
    );
    const [port = 0] = await freePorts(1);
    const flags = [`--kubeconfig=${kubeconfig}`, `--listen=127.0.0.1:${port}`, '--lease-seconds=3600'];
    child = spawn(process.execPath, [await sidecarFile(), ...flags], { stdio: 'ignore' });
    await waitFor('the sidecar to be ready', { seconds: 60 }, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return answer.status === 200 ? { met: true } : { seen: await answer.text() };
    });
    // Every Pod changes once, as when a fleet is updated.
    cluster.touch(20_000);
    await waitFor('the changes to arrive', { seconds: 30 }, async () => {
      const { now, most } = memory(child?.pid ?? 0);
      return cluster?.isDrained() ? { met: true } : { seen: `${now} MB, at most ${most}` };
    });
    expect(memory(child.pid ?? 0).most).toBeLessThan(120);
    expect(cluster.requests.filter((request) => request.includes('/pods'))).toHaveLength(41);
  },
  120_000,
);
