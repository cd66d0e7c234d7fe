import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HealthServers, serveHealth } from '../sidecar/health.ts';
import type { Log } from '../sidecar/log.ts';
import { keepMemorySmall } from '../sidecar/memory.ts';
import { version } from '../version.ts';
import { keepaliveApp } from './app.ts';
import type { KeepaliveConfig } from './config.ts';
import { securityHeaders } from './guard.ts';
import { type KeptPresses, openKeptPresses } from './kept-presses.ts';
import { type KeyRing, KeysUnusable, readKeys } from './keys.ts';
import { collectSoon, keepCodeSmall } from './memory.ts';
import { type KeepaliveMetrics, openKeepaliveMetrics } from './metrics.ts';
import type { Seen } from './press.ts';
import { openRenewals, type Renewals } from './renewals.ts';
import { type PageServer, servePage } from './serve.ts';
import { openSights, type Sights } from './sights.ts';
import { openStateClient, type StateClient } from './state-client.ts';

export interface KeepaliveOptions {
  readonly config: KeepaliveConfig;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Module and arguments that start the process that works with git. */
  readonly worker: readonly [string, ...string[]];
}

/** A commit that was begun is ended first, if it takes no longer than this; the rest stays on disk. */
const answerMs = 120_000;
/** Long enough for all of a burst, short enough that nobody wonders. */
const gatherMs = 150;
const usableMs = 120_000;
const patienceMs = 4_000;

/** Serves until `stop`. Throws CannotListen and KeysUnusable. */
export async function runKeepalive(options: KeepaliveOptions, stop: AbortSignal): Promise<void> {
  keepMemorySmall();
  const { config, log } = options;
  const keys = followKeys(config.keys, log);
  const parts = openParts(options);
  const { kept, sights, renewals, client } = parts;
  const servers: { close(): Promise<void> }[] = [];
  try {
    const page = await openPage(options, keys, parts);
    servers.push(page);
    const health = await openHealth(config, parts.metrics);
    servers.push(health);
    const ports = { page: page.port, metrics: health.ports[0] };
    log.info({ version, ports, waiting: kept.list().length }, 'started');
    // The first visitor shall not have to wait for a clone.
    void sights.warm();
    await untilAborted(stop);
  } finally {
    // The page first: who is being answered waits for what comes after it.
    for (const server of servers) await server.close();
    await renewals.stop();
    await client.close();
  }
  log.info({ waiting: kept.list().length }, 'stopped in good order');
}

interface Parts {
  readonly kept: KeptPresses;
  readonly metrics: KeepaliveMetrics;
  readonly client: StateClient;
  readonly sights: Sights;
  readonly renewals: Renewals;
}

function openParts({ config, environment, log, worker }: KeepaliveOptions): Parts {
  const kept = openKeptPresses(config.requests, (file) => log.error({ file }, 'this is no renewal: set aside'));
  const metrics = openKeepaliveMetrics(() => waitingIn(kept, Date.now()));
  const client = openStateClient({
    command: worker,
    environment,
    idleMs: config.idleSeconds * 1000,
    answerMs,
    onStart: () => metrics.workers.inc(),
  });
  const freshMs = config.freshSeconds * 1000;
  const sights = openSights({ client, now: Date.now, freshMs, usableMs, patienceMs });
  const renewals = openRenewals({
    kept,
    client,
    log,
    wait: waitUnless,
    random: Math.random,
    gatherMs,
    answerMs: config.answerSeconds * 1000,
    onAttempt: (outcome) => metrics.attempts.inc({ outcome }),
    onSettled: ({ id }, seen, instance) => {
      metrics.renewals.inc({ outcome: seen.outcome.kind });
      sights.learn(id, asItIsNow(seen), instance);
    },
  });
  return { kept, metrics, client, sights, renewals };
}

/** What would have been a renewal has been made. */
function asItIsNow(seen: Seen): Seen {
  const { outcome } = seen;
  return outcome.kind === 'renewed' ? { ...seen, outcome: { ...outcome, kind: 'alreadyRenewed' } } : seen;
}

async function openPage({ config, log }: KeepaliveOptions, keys: () => KeyRing, parts: Parts): Promise<PageServer> {
  keepCodeSmall();
  const collect = collectSoon();
  return servePage(keepaliveApp({ ...config, ...parts, keys, log, now: Date.now }), {
    listen: config.listen,
    headers: { ...securityHeaders(config.url), Vary: 'Accept-Language' },
    onAsked: collect,
    onAnswer: (method, seconds) => {
      parts.metrics.pageSeconds.observe({ method }, seconds);
      collect();
    },
  });
}

async function openHealth({ keys, metricsListen }: KeepaliveConfig, metrics: KeepaliveMetrics): Promise<HealthServers> {
  return serveHealth({
    listen: metricsListen,
    alive: () => [],
    ready: () => keysComplaint(keys),
    metrics: async () => ({ contentType: metrics.contentType, text: metrics.text() }),
  });
}

function waitingIn(kept: KeptPresses, now: number) {
  const presses = kept.list();
  const oldest = Math.min(now, ...presses.map(({ at }) => at));
  return { count: presses.length, seconds: Math.round((now - oldest) / 1000) };
}

/** Read again at most once in this time. */
const keysLiveMs = 2_000;

/** The keys as they are now: a changed Secret arrives in the folder, and no restart is needed. Throws KeysUnusable. */
function followKeys(folder: string, log: Log): () => KeyRing {
  let ring = readKeys(folder);
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt < keysLiveMs) return ring;
    readAt = performance.now();
    try {
      ring = readKeys(folder);
    } catch (error) {
      if (!(error instanceof KeysUnusable)) throw error;
      log.error({ error: error.message }, 'the keys cannot be read; the last ones count on');
    }
    return ring;
  };
}

function keysComplaint(folder: string): readonly string[] {
  try {
    readKeys(folder);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await once(signal, 'abort');
}

async function waitUnless(milliseconds: number, stop: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stop }).catch(() => undefined);
}
