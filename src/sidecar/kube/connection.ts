import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Agent as HttpAgent, OutgoingHttpHeaders } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { delimiter, join } from 'node:path';
// Its own module: the package's main one loads every API class there is, which takes longer than all the rest.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';

export interface ConnectionOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Where the API server is, and what to show it. */
export interface Connection {
  readonly server: string;
  readonly context: string;
  credentials(): Promise<Credentials>;
  /** Asks for them anew at the next request: what they were answered with was a 401. */
  forget(): void;
}

interface Credentials {
  readonly agent: HttpAgent;
  readonly headers: OutgoingHttpHeaders;
}

/** There is no cluster to talk to, or no such context: wrong use, in words. */
export class NoCluster extends Error {
  override readonly name = 'NoCluster';
}

const tokenFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The first that there is: --kubeconfig, KUBECONFIG, the pod's ServiceAccount, ~/.kube/config. */
export function openConnection(options: ConnectionOptions): Connection {
  const config = loadConfig(options);
  if (options.context !== undefined) config.setCurrentContext(options.context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new NoCluster(noSuchContext(config, options.context));
  return connect(config, cluster.server.replace(/\/+$/, ''));
}

function loadConfig({ kubeconfig, environment }: ConnectionOptions): KubeConfig {
  const config = new KubeConfig();
  const files = kubeconfig === undefined ? filesOf(environment.KUBECONFIG) : [kubeconfig];
  if (files.length > 0) {
    // As kubectl does it, the first file says which context is the current one.
    for (const [index, file] of files.entries()) config.mergeConfig(readFile(file), index > 0);
    return config;
  }
  if (environment.KUBERNETES_SERVICE_HOST && existsSync(tokenFile)) {
    config.loadFromCluster();
    return config;
  }
  const home = join(environment.HOME ?? '/', '.kube', 'config');
  if (existsSync(home)) return readFile(home);
  throw new NoCluster('no cluster is known: name a file with --kubeconfig or KUBECONFIG, or run in a pod');
}

function filesOf(list: string | undefined): string[] {
  return (list ?? '').split(delimiter).filter((file) => file !== '');
}

function readFile(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new NoCluster(`${file} cannot be used as a kubeconfig: ${error instanceof Error ? error.message : error}`);
  }
  return config;
}

function noSuchContext(config: KubeConfig, context: string | undefined): string {
  const known = config.getContexts().map(({ name }) => name);
  if (context === undefined) return 'the kubeconfig has no current context: name one with --context';
  return `the kubeconfig has no context ${context}; it has ${known.join(', ') || 'none'}`;
}

/** Tokens of a pod are replaced within the hour, those of a plug-in sooner; both remember theirs for less than that. */
const freshMs = 30_000;

function connect(config: KubeConfig, server: string): Connection {
  let known: (Credentials & { readonly until: number; readonly secret: string }) | undefined;
  return {
    server,
    context: config.getCurrentContext(),
    credentials: async () => {
      const now = performance.now();
      if (known !== undefined && now < known.until) return known;
      const options: RequestOptions = {};
      await config.applyToHTTPSOptions(options);
      const secret = fingerprint(options);
      const agent = known?.secret === secret ? known.agent : agentFor(options, config);
      known = { agent, headers: headersOf(options), secret, until: now + freshMs };
      return known;
    },
    forget: () => {
      known = known === undefined ? undefined : { ...known, until: 0 };
    },
  };
}

/** Connections are kept, which the library's own agents do not do; with a proxy between, they are its all the same. */
function agentFor(options: RequestOptions, config: KubeConfig): HttpAgent {
  if (config.getCurrentCluster()?.proxyUrl !== undefined && options.agent instanceof Agent) return options.agent;
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options;
  const tls = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
  const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined && value !== null));
  return new Agent({ ...given, keepAlive: true, keepAliveMsecs: 20_000, maxFreeSockets: 16 });
}

function fingerprint({ ca, cert, key }: RequestOptions): string {
  const hash = createHash('sha256');
  for (const part of [ca, cert, key]) hash.update(String(part ?? '')).update('\0');
  return hash.digest('base64');
}

function headersOf({ headers = {}, auth }: RequestOptions): OutgoingHttpHeaders {
  const given = Array.isArray(headers) ? {} : (headers as OutgoingHttpHeaders);
  return auth ? { ...given, Authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : given;
}
