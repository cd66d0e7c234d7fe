import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Access, kubeconfigText } from './access.ts';
import type { Cluster } from './cluster.ts';
import { createDefinitions } from './definitions.ts';
import { annotate, apply, id, type KubeObject, list, read } from './objects.ts';
import { answersHttp, onFreePorts } from './ports.ts';
import { checkRunning, type Program } from './program.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { type Look, WaitedInVain, waitFor } from './wait.ts';

type FluxKind = 'GitRepository' | 'Kustomization';

interface FluxObject extends KubeObject {
  readonly spec?: { readonly sourceRef?: { readonly name: string }; readonly suspend?: boolean };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly lastHandledReconcileAt?: string;
    readonly lastAppliedRevision?: string;
    readonly lastAttemptedRevision?: string;
    readonly artifact?: { readonly revision?: string };
    readonly inventory?: { readonly entries?: readonly { readonly id: string; readonly v: string }[] };
  };
}

export interface Flux {
  readonly programs: readonly Program[];
  /** A Secret in `flux-system` for `spec.kubeConfig.secretRef`, with which Kustomizations apply to another cluster. */
  addDestination(secretName: string, cluster: Cluster): Promise<void>;
  read(kind: FluxKind, name: string): Promise<FluxObject | undefined>;
  /** Fetches, applies and prunes now, its repository first. Over when that is done, well or not. */
  reconcile(kustomization: string): Promise<void>;
  /** Ready, at the commit if one is named. A failure tells all conditions of the object and of its repository. */
  waitForReady(
    kind: FluxKind,
    name: string,
    options?: { readonly revision?: string; readonly seconds?: number },
  ): Promise<FluxObject>;
  stop(): Promise<void>;
}

const namespace = 'flux-system';

const apiVersions: Readonly<Record<FluxKind, string>> = {
  GitRepository: 'source.toolkit.fluxcd.io/v1',
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
};

/** Flux's source and kustomize controllers. They stop with the cluster. */
export async function startFlux(cluster: Cluster): Promise<Flux> {
  const { access } = cluster;
  await createDefinitions(access, cluster.assets.fluxCrds);
  await apply(access, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const { sandbox, programs } = await onFreePorts(5, async (ports) => {
    const sandbox = openSandbox('flux');
    try {
      return { sandbox, programs: await startPrograms(sandbox, cluster, ports) };
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  });
  cluster.onStop(sandbox.stop);
  return {
    programs,
    addDestination: async (secretName, destination) => {
      await apply(access, kubeconfigSecret(secretName, destination));
    },
    read: (kind, name) => readOne(access, kind, name),
    reconcile: (name) => reconcile(access, programs, name),
    waitForReady: (kind, name, options = {}) => waitForReady({ access, programs, kind, name, ...options }),
    stop: sandbox.stop,
  };
}

async function startPrograms(sandbox: Sandbox, { assets, kubeconfig }: Cluster, ports: readonly number[]) {
  const [storage = 0, sourceHealth = 0, sourceMetrics = 0, applyHealth = 0, applyMetrics = 0] = ports;
  // KUBECONFIG, because the controllers have no flag for it.
  const env = { KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: namespace };
  const common = (health: number, metrics: number) => [
    '--watch-all-namespaces=true',
    '--enable-leader-election=false',
    '--log-encoding=console',
    // Nobody listens to events; without an address they are not sent.
    '--events-addr=',
    `--health-addr=127.0.0.1:${health}`,
    `--metrics-addr=127.0.0.1:${metrics}`,
  ];
  const artifacts = join(sandbox.folder, 'artifacts');
  await mkdir(artifacts);
  const address = `127.0.0.1:${storage}`;
  const store = [`--storage-path=${artifacts}`, `--storage-addr=${address}`, `--storage-adv-addr=${address}`];
  const source = [...assets.fluxSource, ...common(sourceHealth, sourceMetrics), ...store];
  const kustomize = [...assets.fluxKustomize, ...common(applyHealth, applyMetrics), '--requeue-dependency=1s'];
  const programs = [
    sandbox.start('source-controller', source, env),
    sandbox.start('kustomize-controller', kustomize, env),
  ];
  await waitFor('Flux to be ready', { seconds: 60 }, async () => {
    checkRunning(...programs);
    return answersHttp({
      'source controller': `${sourceHealth}/readyz`,
      'kustomize controller': `${applyHealth}/readyz`,
    });
  });
  return programs;
}

function kubeconfigSecret(name: string, { access }: Cluster): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: { value: kubeconfigText(access) },
  };
}

function readOne(access: Access, kind: FluxKind, name: string): Promise<FluxObject | undefined> {
  return read<FluxObject>(access, id(apiVersions[kind], kind, name, namespace));
}

async function reconcile(access: Access, programs: readonly Program[], name: string): Promise<void> {
  const kustomization = await readOne(access, 'Kustomization', name);
  if (kustomization === undefined) throw new Error(`there is no Kustomization ${namespace}/${name}`);
  await request(access, programs, { kind: 'GitRepository', name: kustomization.spec?.sourceRef?.name ?? '' });
  await request(access, programs, { kind: 'Kustomization', name });
}

interface Target {
  readonly kind: FluxKind;
  readonly name: string;
}

async function request(access: Access, programs: readonly Program[], { kind, name }: Target): Promise<void> {
  const token = new Date().toISOString();
  await annotate(access, id(apiVersions[kind], kind, name, namespace), { 'reconcile.fluxcd.io/requestedAt': token });
  await orExplain(access, { kind, name }, () =>
    waitFor(`Flux to reconcile ${kind} ${name}`, { seconds: 60 }, async () => {
      checkRunning(...programs);
      const found = await readOne(access, kind, name);
      return found?.status?.lastHandledReconcileAt === token ? { met: true } : { seen: conditionsOf(found) };
    }),
  );
}

interface ReadyOptions extends Target {
  readonly access: Access;
  readonly programs: readonly Program[];
  readonly revision?: string;
  readonly seconds?: number;
}

async function waitForReady({
  access,
  programs,
  kind,
  name,
  revision,
  seconds = 60,
}: ReadyOptions): Promise<FluxObject> {
  const what = `${kind} ${name} to be ready${revision === undefined ? '' : ` at ${revision}`}`;
  return orExplain(access, { kind, name }, () =>
    waitFor(what, { seconds }, async () => {
      checkRunning(...programs);
      return lookAt(await readOne(access, kind, name), revision);
    }),
  );
}

function lookAt(found: FluxObject | undefined, revision: string | undefined): Look<FluxObject> {
  const { observedGeneration, conditions = [], lastAppliedRevision, artifact } = found?.status ?? {};
  const at = lastAppliedRevision ?? artifact?.revision ?? 'no revision';
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const isCurrent = observedGeneration === found?.metadata.generation;
  // Flux writes `main@sha1:…`.
  const isThere = revision === undefined || at.endsWith(revision);
  if (found !== undefined && isReady && isCurrent && isThere) return { met: found };
  return { seen: `${conditionsOf(found)}; at ${at}` };
}

async function orExplain<T>(access: Access, { kind, name }: Target, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof WaitedInVain)) throw error;
    const others = await Promise.all(
      (['GitRepository', 'Kustomization'] as const).map(async (other) => {
        const found = await list<FluxObject>(access, [apiVersions[other], other], { namespace });
        return found.map((one) => `  ${other} ${one.metadata.name}: ${conditionsOf(one)}`);
      }),
    );
    throw new Error([error.message, `while waiting for ${kind} ${name}, Flux says:`, ...others.flat()].join('\n'), {
      cause: error,
    });
  }
}

function conditionsOf(found: FluxObject | undefined): string {
  if (found === undefined) return 'no such object';
  const conditions = found.status?.conditions ?? [];
  return (
    conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`).join('; ') ||
    'no conditions'
  );
}
