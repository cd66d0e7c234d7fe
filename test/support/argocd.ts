import { delimiter, dirname, join } from 'node:path';
import { type ArgoCdApplications, argoCdApplications, revisionCacheSeconds } from './argocd-applications.ts';
import { argoCdObjects, clusterSecret } from './argocd-objects.ts';
import type { Cluster } from './cluster.ts';
import { createDefinitions } from './definitions.ts';
import { apply } from './objects.ts';
import { answersHttp, onFreePorts } from './ports.ts';
import { checkRunning, type Program } from './program.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { waitFor } from './wait.ts';

export interface ArgoCdOptions {
  /** The beginning of an argv, as of `redisCommand()`. */
  readonly redis: readonly string[];
  /** Clusters it may apply to, besides its own. An Application names one by its URL or its name. */
  readonly destinations?: readonly Cluster[];
  /** More for the ConfigMap `argocd-cm`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How often it looks at git by itself. Tests rather say when: `refresh`. */
  readonly resyncSeconds?: number;
}

export interface ArgoCd extends ArgoCdApplications {
  readonly programs: readonly Program[];
  /** A cluster that it may apply to from now on. */
  addDestination(cluster: Cluster): Promise<void>;
  stop(): Promise<void>;
}

const namespace = 'argocd';

/** Argo CD's controllers, with the API server's word for everything and no web server. It stops with the cluster. */
export async function startArgoCd(cluster: Cluster, options: ArgoCdOptions): Promise<ArgoCd> {
  await createDefinitions(cluster.access, [cluster.assets.argocdCrds]);
  await apply(cluster.access, ...argoCdObjects(namespace, options.settings ?? {}));
  const addDestination = async (destination: Cluster) => {
    await apply(cluster.access, clusterSecret(namespace, destination));
  };
  for (const destination of [cluster, ...(options.destinations ?? [])]) await addDestination(destination);
  const { sandbox, programs, redisPort } = await onFreePorts(7, async (ports) => {
    const sandbox = openSandbox('argocd');
    try {
      return { sandbox, ...(await startPrograms(sandbox, cluster, { ...options, ports })) };
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  });
  cluster.onStop(sandbox.stop);
  const applications = argoCdApplications(cluster.access, { namespace, redisPort, programs });
  return { ...applications, programs, addDestination, stop: sandbox.stop };
}

type StartOptions = ArgoCdOptions & { readonly ports: readonly number[] };

async function startPrograms(sandbox: Sandbox, { assets, kubeconfig }: Cluster, options: StartOptions) {
  const [redisPort = 0, repoPort = 0, repoMetrics = 0, metrics = 0, setMetrics = 0, setProbe = 0, setWebhook = 0] =
    options.ports;
  const { resyncSeconds = 120 } = options;
  const [self = ''] = assets.argocdRepoServer;
  // The ApplicationSet controller reads KUBECONFIG and not its flag; the repo server looks for itself as git's askpass.
  const PATH = [dirname(self), process.env.PATH].join(delimiter);
  // By default all repo servers of a machine answer git's question for a password at one and the same socket.
  const ARGOCD_ASK_PASS_SOCK = join(sandbox.folder, 'askpass.sock');
  const env = { ARGOCD_GPG_ENABLED: 'false', ARGOCD_ASK_PASS_SOCK, KUBECONFIG: kubeconfig, PATH };
  const common = [`--redis=127.0.0.1:${redisPort}`, '--loglevel=info', '--logformat=text'];
  const redisFlags = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const access = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`];
  const programs = [
    sandbox.start('redis', [...options.redis, ...redisFlags]),
    sandbox.start(
      'argocd-repo-server',
      [
        ...assets.argocdRepoServer,
        ...common,
        ...['--address=127.0.0.1', `--port=${repoPort}`, '--disable-tls'],
        ...['--metrics-address=127.0.0.1', `--metrics-port=${repoMetrics}`],
        `--revision-cache-expiration=${revisionCacheSeconds}s`,
      ],
      env,
    ),
    sandbox.start(
      'argocd-application-controller',
      [
        ...assets.argocdApplicationController,
        ...common,
        ...access,
        ...[`--repo-server=127.0.0.1:${repoPort}`, '--repo-server-plaintext', `--metrics-port=${metrics}`],
        ...[`--app-resync=${resyncSeconds}`, '--app-resync-jitter=0'],
        // Else an Application says that something in it is not well, and not what.
        '--persist-resource-health',
      ],
      env,
    ),
    sandbox.start(
      'argocd-applicationset-controller',
      [
        ...assets.argocdApplicationSetController,
        ...access,
        ...[`--argocd-repo-server=127.0.0.1:${repoPort}`, '--repo-server-plaintext', '--logformat=text'],
        ...[
          `--metrics-addr=127.0.0.1:${setMetrics}`,
          `--probe-addr=127.0.0.1:${setProbe}`,
          `--webhook-addr=127.0.0.1:${setWebhook}`,
        ],
      ],
      env,
    ),
  ];
  await waitFor('Argo CD to be healthy', { seconds: 90 }, async () => {
    checkRunning(...programs);
    const asked = {
      'repo server': `${repoMetrics}/healthz`,
      controller: `${metrics}/healthz`,
      ApplicationSets: `${setMetrics}/metrics`,
    };
    return answersHttp(asked);
  });
  return { programs, redisPort };
}
