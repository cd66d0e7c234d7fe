import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { synth } from '../../../src/pipeline.ts';
import type { Assets } from '../../controlplane/assets.ts';
import { type Access, writeKubeconfig } from '../../support/access.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { assets } from '../../support/cluster-test.ts';
import { startKwok } from '../../support/kwok.ts';
import { apply, type KubeObject, list } from '../../support/objects.ts';
import { freePorts } from '../../support/ports.ts';
import { checkRunning, type Program } from '../../support/program.ts';
import { settings } from '../../support/state.ts';
import { listTree, writeTree } from '../../support/tree.ts';
import { waitFor } from '../../support/wait.ts';
import { ourKinds } from '../line/our-kinds.ts';
import { type AuditLine, withAudit } from './audit.ts';
import { wholeAudit } from './audit-tail.ts';
import { sidecarFile } from './bundle.ts';

/** A cluster with what is compiled from a small state applied to it, and sidecars that run as that state has them. */
export interface Lab {
  readonly cluster: Cluster;
  readonly access: Access;
  /** Of the rendered ServiceAccount. */
  readonly token: string;
  /** Compiles the cluster config and applies its MaintenanceBlock, as an applier would. Gives when that began. */
  block(config: BlockOptions): Promise<number>;
  /** The same for the ClusterShutdown of this cluster; its machines are those of the block's config. */
  shutdown(order: ShutdownOptions): Promise<void>;
  sidecar(options?: SidecarOptions): Promise<Sidecar>;
  audit(): AuditLine[];
  stop(): Promise<void>;
}

interface BlockOptions {
  readonly name?: string;
  readonly nodes: readonly string[];
  /** Addresses of control-plane nodes. */
  readonly controlPlane?: readonly string[];
  /** Empty: the way out. */
  readonly cidrBlocks: readonly string[];
  readonly deadlineSeconds?: number;
  readonly ignorePdb?: boolean;
  /** A setting of the instance, which stays until the next block says otherwise. */
  readonly maxConcurrent?: number;
}

interface ShutdownOptions {
  readonly action: 'Shutdown' | 'Restart' | 'None';
  readonly backupAcknowledged?: boolean;
  readonly powerHook?: object;
}

interface SidecarOptions {
  readonly name?: string;
  /** Another way to the API server. */
  readonly access?: Access;
  readonly args?: readonly string[];
  /** Of node itself. */
  readonly nodeFlags?: readonly string[];
  /** In place of the sidecar's own: another program that has it. */
  readonly file?: string;
}

export interface Sidecar {
  readonly program: Program;
  readonly url: string;
  ready(): Promise<boolean>;
  metrics(): Promise<string>;
  /** SIGTERM; over when it is gone. */
  terminate(): Promise<void>;
}

interface LabOptions {
  /** More of the settings. */
  readonly maintenance?: string;
  /** Default: what the test run has found. */
  readonly assets?: Assets;
  /** Default: everything is bound that is rendered. */
  readonly mayUninstall?: boolean;
  /** Whose requests are in the audit log as well. */
  readonly users?: readonly string[];
}

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const audited = withAudit(options.assets ?? assets(), options.users ?? []);
  const cluster = await startCluster({ assets: audited, name: 'sidecar' });
  try {
    await startKwok(cluster);
    return await furnish(cluster, options);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function furnish(cluster: Cluster, { maintenance = '', mayUninstall = true }: LabOptions): Promise<Lab> {
  const { access } = cluster;
  const root = mkdtempSync(join(tmpdir(), 'quiesce-sidecar-state-'));
  cluster.onStop(async () => rmSync(root, { recursive: true, force: true }));
  writeTree(root, [['state/settings.yaml', settings({ extra: maintenance })]]);
  const rendered = await compile(root);
  await apply(access, ...rendered.filter(({ kind }) => kind === 'Namespace' || kind === 'CustomResourceDefinition'));
  await waitUntilServed(cluster);
  // The workloads need an image; they run as processes of the test here.
  const skipped = ['Namespace', 'CustomResourceDefinition', 'Deployment', 'CronJob', 'Ingress'];
  const isBound = ({ kind, metadata }: KubeObject) =>
    mayUninstall || kind !== 'ClusterRoleBinding' || metadata.name !== 'quiesce-uninstall';
  await apply(access, ...rendered.filter((object) => !skipped.includes(object.kind) && isBound(object)));
  const token = await cluster.tokenFor('quiesce-system', 'quiesce-sidecar');
  return {
    cluster,
    access,
    token,
    block: async (options) => {
      const { name = 'main', maxConcurrent = 0 } = options;
      const extra = maxConcurrent === 0 ? maintenance : `  maintenance: { maxConcurrent: ${maxConcurrent} }\n`;
      writeTree(root, [
        ['state/settings.yaml', settings({ extra })],
        [`state/clusters/${name}.yaml`, clusterConfig(options)],
      ]);
      const blocks = (await compile(root)).filter(({ kind }) => kind === 'MaintenanceBlock');
      const begun = Date.now();
      await apply(access, ...blocks);
      return begun;
    },
    shutdown: async (order) => {
      writeTree(root, [['state/shutdowns/main.yaml', shutdownFile(order)]]);
      const kinds = ['ClusterShutdown', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];
      await apply(access, ...(await compile(root)).filter((object) => kinds.includes(object.kind) && isBound(object)));
    },
    sidecar: (options) => startSidecar(cluster, token, options),
    audit: wholeAudit(cluster.sandbox.folder),
    stop: cluster.stop,
  };
}

/** Everything in `out/`, in the order in which it has to be applied. */
async function compile(root: string): Promise<KubeObject[]> {
  const result = await synth({ root });
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems, undefined, 2));
  const files = [...listTree(join(root, 'out'))].filter(([path]) => /^main\/(system|maintenance)\//.test(path));
  return files.flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject));
}

export async function waitUntilServed({ access }: Cluster): Promise<void> {
  await waitFor('our kinds to be served', { seconds: 30 }, async () => {
    for (const kind of ourKinds) await list(access, ['quiesce.dev/v1alpha1', kind]);
    return { met: true };
  });
}

function shutdownFile({ action, backupAcknowledged = true, powerHook }: ShutdownOptions): string {
  const metadata = { name: 'main' };
  const spec = { action, backupAcknowledged, ...(powerHook !== undefined && { powerHook }) };
  return JSON.stringify({ apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', metadata, spec });
}

function clusterConfig({ name = 'main', nodes, controlPlane = [], cidrBlocks, ...options }: BlockOptions): string {
  const { deadlineSeconds, ignorePdb = false } = options;
  const annotations = {
    ...(deadlineSeconds !== undefined && {
      'baremetal.cluster.gke.io/maintenance-mode-deadline-seconds': String(deadlineSeconds),
    }),
    ...(ignorePdb && { 'baremetal.cluster.gke.io/maintenance-mode-ignore-pdb': '' }),
  };
  const metadata = { name, namespace: `cluster-${name}` };
  const documents = [
    {
      apiVersion: 'baremetal.cluster.gke.io/v1',
      kind: 'Cluster',
      metadata: { ...metadata, annotations },
      spec: {
        type: 'user',
        ...(controlPlane.length > 0 && { controlPlane: { nodePoolSpec: { nodes: controlPlane.map(declared) } } }),
        ...(cidrBlocks.length > 0 && { maintenanceBlocks: { cidrBlocks } }),
      },
    },
    {
      apiVersion: 'baremetal.cluster.gke.io/v1',
      kind: 'NodePool',
      metadata: { ...metadata, name: 'pool' },
      spec: { clusterName: name, nodes: nodes.map(declared) },
    },
  ];
  return documents.map((document) => JSON.stringify(document)).join('\n---\n');
}

const declared = (address: string) => ({ address });

let started = 0;

export async function startSidecar(cluster: Cluster, token: string, options: SidecarOptions = {}): Promise<Sidecar> {
  const { sandbox } = cluster;
  started += 1;
  const { name = `sidecar-${started}`, access = cluster.access, args = [], nodeFlags = [] } = options;
  const kubeconfig = await writeKubeconfig(join(sandbox.folder, `${name}.kubeconfig`), { ...access, token });
  const [port = 0] = await freePorts(1);
  const flags = [`--kubeconfig=${kubeconfig}`, `--listen=127.0.0.1:${port}`, `--identity=${name}`, ...args];
  const argv = [process.execPath, ...nodeFlags, options.file ?? (await sidecarFile()), 'sidecar', ...flags];
  const program = sandbox.start(name, argv, { QUIESCE_CLUSTER: 'main' });
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(5000) });
  const ready = () => get('/readyz').then(({ status }) => status === 200);
  await waitFor(`${name} to be ready`, { seconds: 20, everyMs: 20 }, async () => {
    checkRunning(program);
    return (await ready()) ? { met: true } : { seen: await get('/readyz').then((answer) => answer.text()) };
  });
  return {
    program,
    url,
    ready,
    metrics: async () => (await get('/metrics')).text(),
    terminate: async () => {
      const pid = program.pid();
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
      await waitFor(`${name} to end`, { seconds: 30, everyMs: 20 }, () => {
        const end = program.end();
        return end === undefined ? { seen: 'it runs' } : { met: end };
      });
    },
  };
}
