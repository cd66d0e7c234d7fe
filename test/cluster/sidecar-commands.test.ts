import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '../commands/built.ts';
import { writeKubeconfig } from '../support/access.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { addNodes } from '../support/nodes.ts';
import { apply, id, read } from '../support/objects.ts';
import { waitFor } from '../support/wait.ts';
import { waitUntilUp } from '../support/workload-waits.ts';
import { deployment, namespace, podDisruptionBudget } from '../support/workloads.ts';
import { sidecarUser } from './sidecar/audit.ts';
import { runFile, sidecarFile } from './sidecar/bundle.ts';
import { type Lab, startLab } from './sidecar/lab.ts';
import { blockOf, podsOn, taintsOf, waitForPhase } from './sidecar/looks.ts';

const nodes = ['10.0.0.1', '10.0.0.2'];

clusterTest('what people run and see', () => {
  let lab: Lab;
  let kubeconfig: string;

  beforeAll(async () => {
    lab = await startLab();
    await addNodes(lab.access, ...nodes.map((internalIP, index) => ({ name: `worker-${index + 1}`, internalIP })));
    const [web, budget] = [
      deployment({ name: 'web', namespace: 'shop', pod: { spec: { nodeName: 'worker-1' } } }),
      podDisruptionBudget({ name: 'web', namespace: 'shop', maxUnavailable: 0 }),
    ];
    await apply(lab.access, namespace('shop'), web, budget);
    await waitUntilUp(lab.access, web);
    kubeconfig = await writeKubeconfig(`${lab.cluster.sandbox.folder}/person.kubeconfig`, {
      ...lab.access,
      token: lab.token,
    });
  });

  afterAll(() => lab?.stop());

  const run = (file: string, ...args: string[]) =>
    runFile(file, args, { ...lab.cluster.sandbox.env, NO_COLOR: '1', KUBECONFIG: kubeconfig });
  const quiesce = async (...args: string[]) => run(await builtCommand(), ...args);
  const sidecar = async (...args: string[]) => run(await sidecarFile(), 'sidecar', ...args);
  const ours = () => lab.audit().filter(({ user }) => user === sidecarUser);
  const lease = () => read(lab.access, id('coordination.k8s.io/v1', 'Lease', 'quiesce-sidecar', 'quiesce-system'));

  /** Of somebody who may do nothing. */
  const nobodys = async () =>
    writeKubeconfig(`${lab.cluster.sandbox.folder}/nobody.kubeconfig`, {
      ...lab.access,
      token: await lab.cluster.tokenFor('shop', 'default'),
    });

  it('--dry-run says what one pass would do and does nothing, without a Lease', async () => {
    await lab.block({ nodes, cidrBlocks: ['10.0.0.1'] });
    const { status, stdout, stderr } = await sidecar('--dry-run');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(
      'begin the drain of node worker-1: add taint baremetal.cluster.gke.io/maintenance:NoSchedule',
    );
    expect(await taintsOf(lab.access, 'worker-1')).toEqual([]);
    expect(await lease()).toBeUndefined();
    const { dryRun, turns } = JSON.parse((await sidecar('--dry-run', '--json')).stdout);
    expect({
      dryRun,
      actions: turns[0].decision.maintenance.actions.map(({ kind }: { kind: string }) => kind),
    }).toEqual({
      dryRun: true,
      actions: ['node', 'status'],
    });
  });

  it('--once makes one pass, without a Lease', async () => {
    const { status, stdout } = await sidecar('--once');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('Did:\n  begin the drain') });
    expect(await taintsOf(lab.access, 'worker-1')).toHaveLength(1);
    expect(await blockOf(lab.access)).toMatchObject({ status: { nodes: [{ node: 'worker-1' }] } });
    expect(await lease()).toBeUndefined();
  });

  it('starts, is probed, and shows its metrics', async () => {
    const begun = performance.now();
    const one = await lab.sidecar({ args: ['--log-level=debug'] });
    const seconds = (performance.now() - begun) / 1000;
    // Two on a machine of its own; here others have it as well.
    expect(seconds).toBeLessThan(6);
    expect(await fetch(`${one.url}/healthz`).then((answer) => answer.text())).toBe('ok\n');
    expect((await fetch(`${one.url}/nowhere`)).status).toBe(404);
    await waitForPhase(lab.access, 'worker-1', 'Draining');
    const metrics = await one.metrics();
    expect(metrics).toContain('quiesce_leader{cluster="main"} 1');
    expect(metrics).toContain('quiesce_maintenance_nodes{block="main",phase="Draining",cluster="main"} 1');
    expect(metrics).toMatch(
      /quiesce_api_requests_total\{verb="list",resource="pods",status="200",cluster="main"\} 1\n/,
    );
    const another = await lab.sidecar({ file: await builtCommand() });
    expect(await another.metrics()).toContain('quiesce_leader{cluster="main"} 0');
    expect(await another.metrics()).not.toContain('quiesce_cached_objects{');
    await another.terminate();
    expect(another.program.end()).toBe('ended with code 0');
  });

  it('quiesce status shows nodes with phase, stage, pods left, deadline, and what is in the way', async () => {
    const { status, stdout, stderr } = await quiesce('status');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Maintenance main: 0 ready, 0 reconciling, 1 stalled, 0 under maintenance, 0 unknown\n/);
    expect(stdout).toMatch(
      /\n {2}worker-1 {2}10\.0\.0\.1 {2}Draining {2}1\/5 +1 +\d+s +in 19m\n {6}pdb-never: .*shop\/web/,
    );
    const view = JSON.parse((await quiesce('status', 'main', '--json')).stdout);
    expect(view).toMatchObject({ ok: true, claims: [], unread: [] });
    expect(view.maintenance[0].status.nodes[0].blockers[0]).toMatchObject({
      code: 'pdb-never',
      pod: { namespace: 'shop', name: (await podsOn(lab.access, 'worker-1'))[0] },
      pdb: { disruptionsAllowed: 0 },
    });
    expect((await quiesce('status', 'nobody')).stdout).toBe('There is nothing to show.\n');
  });

  it('quiesce billing counts vCPU node by node, and says what maintenance without a cordon still costs', async () => {
    expect(await quiesce('billing')).toEqual({
      status: 0,
      stderr: '',
      stdout: `test: 16 vCPU of 16 vCPU count. 8 vCPU of them are in maintenance and would not, were they cordoned as well.
  NODE      VCPU  COUNTS  WHY
  worker-1  8     yes     is in maintenance, which alone does not stop billing: a cordon as well would
  worker-2  8     yes     can run work
`,
    });
    const { ok, clusters } = JSON.parse((await quiesce('billing', '--context', 'test', '--json')).stdout);
    expect(ok).toBe(true);
    expect(clusters).toMatchObject([{ cluster: 'test', countedMilliCpu: 16_000, inMaintenanceMilliCpu: 8000 }]);
    expect(await quiesce('billing', '--context', 'moon')).toMatchObject({ status: 2 });
    const { status, stderr } = await quiesce('billing', '--kubeconfig', await nobodys());
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('test cannot be read: ') });
  });

  it('quiesce status --watch goes on showing it: for scripts one line for each change', async () => {
    const env = { ...lab.cluster.sandbox.env, KUBECONFIG: kubeconfig };
    const child = spawn(process.execPath, [await builtCommand(), 'status', '--watch', '--json'], { env });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const deadlines = () =>
      shown
        .split('\n')
        .flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line).maintenance[0]?.deadlineSeconds]));
    const see = (deadline: number) =>
      waitFor(`a deadline of ${deadline} s`, { seconds: 20 }, () =>
        deadlines().at(-1) === deadline ? { met: true } : { seen: shown },
      );
    try {
      await see(1200);
      await lab.block({ nodes, cidrBlocks: ['10.0.0.1'], deadlineSeconds: 2400 });
      await see(2400);
    } finally {
      child.kill();
    }
    await once(child, 'exit');
    expect(child.exitCode).toBe(143);
  });

  it('kubectl get shows the columns of node pools', async () => {
    const [header, row] = (await lab.cluster.kubectl('get', 'maintenanceblocks')).split('\n');
    expect(header?.split(/ +/)).toEqual(['NAME', 'READY', 'RECONCILING', 'STALLED', 'UNDERMAINTENANCE', 'UNKNOWN']);
    expect(row?.trim().split(/ +/)).toEqual(['main', '0', '0', '1', '0', '0']);
  });

  it('at rest it asks for next to nothing', async () => {
    await lab.block({ nodes, cidrBlocks: [] });
    await waitForPhase(lab.access, 'worker-1', 'gone');
    await sleep(2000);
    const before = ours().length;
    await sleep(8000);
    const since = ours().slice(before);
    expect(since.length).toBeLessThanOrEqual(2);
    expect(new Set(since.map(({ resource }) => resource)).size).toBeLessThanOrEqual(1);
  });

  it('without permission or cluster it says so, with status 1 or 2', async () => {
    const { status, stdout } = await quiesce('status', '--kubeconfig', await nobodys());
    expect(status).toBe(1);
    expect(stdout).toMatch(/maintenanceblocks cannot be read: list maintenanceblocks: 403 .*cannot list resource/);
    expect(await quiesce('status', '--context', 'moon')).toMatchObject({
      status: 2,
      stderr: 'error: the kubeconfig has no context moon; it has test\n',
    });
  });
});
