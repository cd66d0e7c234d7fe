import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Assets } from '../controlplane/assets.ts';
import { type Access, clientFor, readPem, writeKubeconfig } from './access.ts';
import { call, send } from './api.ts';
import { apiserverFlags, controllerManagerFlags, etcdFlags, files, schedulerFlags } from './control-plane-flags.ts';
import { type ChoosePorts, onFreePorts } from './ports.ts';
import { checkRunning, type Program } from './program.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { waitFor } from './wait.ts';

export interface ClusterOptions {
  readonly assets: Assets;
  /** Appears in the name of its folder, to tell two clusters of one test apart. */
  readonly name?: string;
  /** Default true. Without it a test sets `spec.nodeName` itself. */
  readonly scheduler?: boolean;
  readonly choosePorts?: ChoosePorts;
}

/** A control plane without nodes (see nodes.ts and kwok.ts). Whoever uses it below is `system:masters`. */
export interface Cluster {
  readonly name: string;
  readonly assets: Assets;
  readonly sandbox: Sandbox;
  readonly access: Access;
  /** Path of a kubeconfig file. */
  readonly kubeconfig: string;
  readonly client: KubeConfig;
  readonly programs: ControlPlane;
  /** Its standard output; throws with its standard error. */
  kubectl(...args: string[]): Promise<string>;
  /** Of a ServiceAccount that exists, for an hour: what a Pod of it would have. */
  tokenFor(namespace: string, serviceAccount: string): Promise<string>;
  /** Before the cluster itself, when it stops: what was started against it. */
  onStop(stop: () => Promise<void>): void;
  stop(): Promise<void>;
}

interface ControlPlane {
  readonly etcd: Program;
  readonly apiserver: Program;
  readonly controllerManager: Program;
  readonly scheduler: Program | undefined;
}

const startSeconds = 60;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { name = 'cluster' } = options;
  return onFreePorts(
    1,
    async ([port = 0]) => {
      const sandbox = openSandbox(name);
      try {
        return await bringUp(sandbox, port, options);
      } catch (error) {
        await sandbox.stop();
        throw error;
      }
    },
    options.choosePorts,
  );
}

async function bringUp(sandbox: Sandbox, port: number, options: ClusterOptions): Promise<Cluster> {
  const { assets, name = 'cluster' } = options;
  const tokens = await writeCredentials(sandbox.folder);
  const etcd = sandbox.start('etcd', [...assets.etcd, ...etcdFlags]);
  const apiserver = sandbox.start('kube-apiserver', [...assets.apiserver, ...apiserverFlags(port)]);
  const ca = await waitFor("the API server's certificate", { seconds: startSeconds, everyMs: 20 }, async () => {
    checkRunning(etcd, apiserver);
    await readPemOrThrow(join(sandbox.folder, files.certificateKey));
    return { met: await readPemOrThrow(join(sandbox.folder, files.certificate)) };
  });
  const access: Access = { url: `https://127.0.0.1:${port}`, ca, token: tokens.admin };
  const programs = { etcd, apiserver, ...(await startControllers(sandbox, { ...access, tokens }, options)) };
  await waitUntilReady(access, programs);
  const kubeconfig = await writeKubeconfig(join(sandbox.folder, 'kubeconfig'), access);
  return clusterOf({ name, assets, sandbox, access, kubeconfig, programs, client: clientFor(access) });
}

type Tokens = Readonly<Record<'admin' | 'controllerManager' | 'scheduler', string>>;

/**
 * Static tokens, because Node cannot issue certificates: the API server signs its own, and everybody else, the
 * controllers included, shows a token.
 */
async function writeCredentials(folder: string): Promise<Tokens> {
  const token = () => randomBytes(24).toString('hex');
  const tokens: Tokens = { admin: token(), controllerManager: token(), scheduler: token() };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const lines = [
    `${tokens.admin},admin,admin,system:masters`,
    `${tokens.controllerManager},system:kube-controller-manager,controller-manager`,
    `${tokens.scheduler},system:kube-scheduler,scheduler`,
  ];
  await writeFile(join(folder, files.tokens), `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(folder, files.serviceAccountKey), privateKey.export({ type: 'sec1', format: 'pem' }), {
    mode: 0o600,
  });
  return tokens;
}

async function readPemOrThrow(file: string): Promise<string> {
  const pem = await readPem(file);
  if (pem === undefined) throw new Error(`${file} is not written yet`);
  return pem;
}

/** They look for the API server until it answers, so they may start while it does. */
async function startControllers(
  sandbox: Sandbox,
  { tokens, ...access }: Access & { tokens: Tokens },
  { assets, scheduler = true }: ClusterOptions,
): Promise<Pick<ControlPlane, 'controllerManager' | 'scheduler'>> {
  const kubeconfigOf = (who: 'controllerManager' | 'scheduler') =>
    writeKubeconfig(join(sandbox.folder, `${who}.kubeconfig`), { ...access, token: tokens[who] });
  const flags = controllerManagerFlags(await kubeconfigOf('controllerManager'));
  const controllerManager = sandbox.start('kube-controller-manager', [...assets.controllerManager, ...flags]);
  if (!scheduler) return { controllerManager, scheduler: undefined };
  const schedulerArguments = [...assets.scheduler, ...schedulerFlags(await kubeconfigOf('scheduler'))];
  return { controllerManager, scheduler: sandbox.start('kube-scheduler', schedulerArguments) };
}

/** Ready is when a Pod could be created: the ServiceAccount it needs is the controller manager's work. */
async function waitUntilReady(access: Access, programs: ControlPlane): Promise<void> {
  const running = Object.values(programs).filter((program) => program !== undefined);
  for (const path of ['/readyz', '/api/v1/namespaces/default/serviceaccounts/default']) {
    await waitFor(`the API server to answer ${path}`, { seconds: startSeconds, everyMs: 30 }, async () => {
      checkRunning(...running);
      const { status, body } = await send(access, { method: 'GET', path, limitSeconds: 5 });
      return status === 200 ? { met: true } : { seen: `status ${status}: ${body.slice(0, 500)}` };
    });
  }
}

interface TokenRequest {
  readonly status: { readonly token: string };
}

type ClusterParts = Pick<Cluster, 'name' | 'assets' | 'sandbox' | 'access' | 'kubeconfig' | 'programs' | 'client'>;

function clusterOf(parts: ClusterParts): Cluster {
  const { sandbox, access, assets, kubeconfig } = parts;
  const attached: (() => Promise<void>)[] = [];
  return {
    ...parts,
    kubectl: (...args) => runKubectl([...assets.kubectl, `--kubeconfig=${kubeconfig}`, ...args], sandbox),
    tokenFor: async (namespace, name) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
      const body = { spec: { audiences: [], expirationSeconds: 3600 } };
      return (await call<TokenRequest>(access, { method: 'POST', path, body })).status.token;
    },
    onStop: (stop) => attached.unshift(stop),
    stop: async () => {
      try {
        for (const stop of attached.splice(0)) await stop();
      } finally {
        await sandbox.stop();
      }
    },
  };
}

async function runKubectl(argv: readonly string[], sandbox: Sandbox): Promise<string> {
  const [command = '', ...args] = argv;
  const options = { cwd: sandbox.folder, env: sandbox.env, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(command, args, options);
  return stdout;
}
