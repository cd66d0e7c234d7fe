import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutImage } from '../../image/lay-out.ts';
import type { Cluster } from '../../support/cluster.ts';
import { id, read } from '../../support/objects.ts';

/** What is used here of a pod's spec. */
export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly volumes: readonly Volume[];
  readonly containers: readonly [Container];
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number; readonly optional?: boolean };
}

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

export interface Pod {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Of a volume, on this machine. */
  folder(volume: string): string;
  output(): string;
  stop(): Promise<number | null>;
}

export interface Kubelet {
  /** `ports` in place of those that the container listens on: a pod has an address of its own, and this one has not. */
  start(spec: PodSpec, ports?: Readonly<Record<string, number>>): Promise<Pod>;
  close(): void;
}

const script = fileURLToPath(new URL('./container.sh', import.meta.url));
const tokens = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Of the image's base, and what a kubelet adds. */
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Starts pods of a namespace from our image, with what the API server has for their volumes. */
export async function openKubelet(cluster: Cluster, namespace: string): Promise<Kubelet> {
  const home = mkdtempSync(join(tmpdir(), 'quiesce-pod-'));
  chmodSync(home, 0o755);
  await layOutImage({ image: join(home, 'image'), root: '/' });
  const files = (folder: string, content: Readonly<Record<string, string>>, mode: number, group: number): string => {
    mkdirSync(folder, { mode: 0o755 });
    for (const [name, text] of Object.entries(content)) {
      writeFileSync(join(folder, name), text);
      chownSync(join(folder, name), 0, group);
      chmodSync(join(folder, name), mode);
    }
    return folder;
  };
  /** As the kubelet makes it: Secrets belong to root, and to the pod's group. */
  const volume = async ({ name, secret }: Volume, plan: string, group: number): Promise<string> => {
    const folder = join(plan, 'volumes', name);
    if (secret === undefined) {
      mkdirSync(folder);
      chownSync(folder, 0, group);
      chmodSync(folder, 0o2775);
      return folder;
    }
    const found = await read<{ data: Record<string, string> }>(
      cluster.access,
      id('v1', 'Secret', secret.secretName, namespace),
    );
    if (found === undefined && secret.optional !== true) throw new Error(`there is no Secret ${secret.secretName}`);
    const entries = Object.entries(found?.data ?? {}).map(([key, value]) => [key, atob(value)]);
    return files(folder, Object.fromEntries(entries), secret.defaultMode, group);
  };
  let count = 0;
  return {
    start: async (spec, ports = {}) => {
      count += 1;
      const plan = join(home, `pod-${count}`);
      for (const name of ['root', 'volumes']) mkdirSync(join(plan, name), { recursive: true });
      const [container] = spec.containers;
      const group = spec.securityContext.fsGroup;
      const folders = new Map<string, string>();
      for (const each of spec.volumes) folders.set(each.name, await volume(each, plan, group));
      for (const { name } of container.volumeMounts) {
        if (!folders.has(name)) folders.set(name, await volume({ name }, plan, group));
      }
      const mounts = container.volumeMounts.map(
        ({ name, mountPath, readOnly }) => `${mountPath} ${folders.get(name)} ${readOnly === true ? 'ro' : 'rw'}`,
      );
      if (spec.automountServiceAccountToken !== false) {
        const token = await cluster.tokenFor(namespace, spec.serviceAccountName);
        const account = { token, 'ca.crt': cluster.access.ca, namespace };
        mounts.push(`${tokens} ${files(join(plan, 'account'), account, 0o640, group)} ro`);
      }
      const { hostname, port } = new URL(cluster.access.url);
      const env = [
        `PATH=${path}`,
        'NODE_ENV=production',
        `HOSTNAME=pod-${count}`,
        `KUBERNETES_SERVICE_HOST=${hostname}`,
        `KUBERNETES_SERVICE_PORT=${port}`,
        ...container.env.map(({ name, value = '' }) => `${name}=${movedPort(value, ports)}`),
      ];
      const write = (name: string, lines: readonly string[]): void =>
        writeFileSync(join(plan, name), lines.map((line) => `${line}\n`).join(''));
      write('mounts', mounts);
      write('env', env);
      write('argv', [...container.command, ...container.args]);
      write('node', [process.execPath]);
      return started(plan, join(home, 'image'), folders);
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

function movedPort(value: string, ports: Readonly<Record<string, number>>): string {
  const port = /^:(\d+)$/.exec(value)?.[1];
  return port === undefined || ports[port] === undefined ? value : `127.0.0.1:${ports[port]}`;
}

function started(plan: string, image: string, folders: ReadonlyMap<string, string>): Pod {
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', script, plan, image], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return {
    process: child,
    ended,
    folder: (volume) => folders.get(volume) ?? '',
    output: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
