import { version } from '../version.ts';
import type { SidecarConfig } from './config.ts';
import { type HealthServers, serveHealth } from './health.ts';
import { clientFor } from './kube/client.ts';
import { openConnection } from './kube/connection.ts';
import { openServerClock } from './kube/server-clock.ts';
import { lead } from './leader.ts';
import { leaseAccess } from './lease.ts';
import type { Log } from './log.ts';
import { keepMemorySmall } from './memory.ts';
import { openMetrics } from './metrics.ts';
import { openStanding, type Standing } from './standing.ts';
import { type Workplace, work } from './work.ts';

export interface ProgramOptions {
  readonly config: SidecarConfig;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly random: () => number;
}

/** Name of its Lease; the permissions that are rendered for it name this one and no other. */
const leaseName = 'quiesce-sidecar';

/** Leads or waits to lead, until `stop`: then it ends what is under way, lets the Lease go and is over. */
export async function runSidecar(options: ProgramOptions, stop: AbortSignal): Promise<void> {
  keepMemorySmall();
  const { config, log } = options;
  const place = openWorkplace(options);
  const leaseMs = config.leaseSeconds * 1000;
  const standing = openStanding({ log, metrics: place.metrics, leaseMs, resyncMs: config.resyncSeconds * 1000 });
  const servers = await openServers(place, standing);
  log.info({ version, ports: servers.ports }, 'started');
  const { client, random } = place;
  const access = leaseAccess({ client, namespace: config.namespace, name: leaseName, seconds: config.leaseSeconds });
  try {
    await lead(
      { access, identity: config.identity, leaseMs, random, stop, onState: (state) => standing.leadIs(state) },
      async (leadership) => work(leadership, place, standing),
    );
  } finally {
    await servers.close();
  }
  log.info({}, 'stopped in good order');
}

/** The same with and without a Lease. Throws NoCluster. */
export function openWorkplace({ config, environment, log, random }: ProgramOptions): Workplace {
  const metrics = openMetrics(config.cluster);
  const clock = openServerClock({ local: Date.now, monotonic: () => performance.now() });
  const client = clientFor({
    connection: openConnection({ kubeconfig: config.kubeconfig, context: config.context, environment }),
    userAgent: `quiesce-sidecar/${version}`,
    limitMs: config.requestSeconds * 1000,
    onRequest: ({ verb, resource, status, seconds, date }) => {
      clock.heard(date);
      metrics.requests.inc({ verb, resource, status: String(status) });
      metrics.requestSeconds.observe({ verb }, seconds);
    },
  });
  return { config, client, metrics, log, now: clock.now, random };
}

function openServers({ config, metrics }: Workplace, standing: Standing): Promise<HealthServers> {
  return serveHealth({
    listen: config.listen,
    ...(config.metricsListen !== undefined && { metricsListen: config.metricsListen }),
    alive: () => standing.alive(),
    ready: () => standing.ready(),
    metrics: async () => {
      standing.measure();
      return { contentType: metrics.contentType, text: await metrics.text() };
    },
  });
}
