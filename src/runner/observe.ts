import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockWitness, ObservedCluster, ObservedResource } from '../lifecycle/decision.ts';
import type { HostCluster } from '../resolve/state.ts';
import { clientFor, type KubeClient } from '../sidecar/kube/client.ts';
import { NoCluster, openConnection } from '../sidecar/kube/connection.ts';
import { NoAnswer, Refused } from '../sidecar/kube/failures.ts';
import { list } from '../sidecar/kube/list.ts';
import { type Resource, resources } from '../sidecar/kube/resource.ts';
import { version } from '../version.ts';
import type { PublishedDeadlines } from './publish.ts';

/** How to get to the host clusters. Nothing of it may write but the status of claims. */
export interface ClusterAccess {
  /** Name of the cluster that the runner is in, or that `kubeconfig` leads to. */
  readonly home?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Folder with a kubeconfig for each other cluster, named as the cluster. */
  readonly kubeconfigs?: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limitMs: number;
  readonly now: () => number;
}

export interface ClusterView {
  readonly name: string;
  readonly observed: ObservedCluster;
  readonly clock?: ClockWitness;
  /** Resources as they were found, for whoever patches them. */
  readonly claims: ReadonlyMap<string, FoundClaim>;
  readonly client?: KubeClient;
}

interface FoundClaim {
  readonly uid: string;
  readonly published: PublishedDeadlines | undefined;
}

/** Looks at every host cluster at once. One that does not answer is unknown, and nothing is destroyed there. */
export async function observeClusters(
  clusters: readonly HostCluster[],
  access: ClusterAccess,
): Promise<readonly ClusterView[]> {
  return Promise.all(clusters.map(async (cluster) => observeCluster(cluster, access)));
}

async function observeCluster({ name, home }: HostCluster, access: ClusterAccess): Promise<ClusterView> {
  const dates: Heard[] = [];
  try {
    const client = clientOf(name, home, access, dates);
    const found = new Map<string, FoundClaim>();
    const claims = await observedOf(client, resources.vclusterClaims, found);
    const installations = await observedOf(client, resources.installations);
    const clock = witness(name, dates);
    return {
      name,
      observed: { kind: 'known', claims, installations },
      ...(clock !== undefined && { clock }),
      claims: found,
      client,
    };
  } catch (error) {
    return { name, observed: { kind: 'unknown', why: whyOf(error) }, claims: new Map() };
  }
}

interface Heard {
  readonly date: string | undefined;
  readonly at: number;
  readonly tookMs: number;
}

function clientOf(name: string, isHome: boolean, access: ClusterAccess, dates: Heard[]): KubeClient {
  const { environment, limitMs, now } = access;
  const connection = openConnection({ ...wayTo(name, isHome, access), environment });
  return clientFor({
    connection,
    userAgent: `quiesce/${version}`,
    limitMs,
    onRequest: ({ date, seconds }) => dates.push({ date, at: now(), tookMs: seconds * 1000 }),
  });
}

/** A file of its own wins; without one, only the home cluster is where the pod or the user's kubeconfig points to. */
function wayTo(name: string, isHome: boolean, { home, kubeconfig, context, kubeconfigs }: ClusterAccess) {
  for (const ending of ['', '.yaml', '.kubeconfig']) {
    const file = kubeconfigs === undefined ? undefined : join(kubeconfigs, `${name}${ending}`);
    if (file !== undefined && existsSync(file)) return { kubeconfig: file };
  }
  if (home === undefined ? isHome : home === name) return { kubeconfig, context };
  throw new NoCluster(`there is no kubeconfig for ${name}${kubeconfigs === undefined ? '' : ` in ${kubeconfigs}`}`);
}

/** What of a resource says something about what becomes of it. */
interface Reported {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: { readonly state?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly phase?: string;
    readonly reason?: string;
    readonly since?: string;
    readonly deadlines?: PublishedDeadlines;
  };
}

const pageSize = 500;

async function observedOf(
  client: KubeClient,
  resource: Resource,
  all?: Map<string, FoundClaim>,
): Promise<ReadonlyMap<string, ObservedResource>> {
  const found = new Map<string, ObservedResource>();
  await list(client, resource, {
    pageSize,
    onItem: (item) => {
      const { metadata, status } = item as Reported;
      found.set(metadata.name, observedResource(item as Reported));
      all?.set(metadata.name, { uid: metadata.uid, published: status?.deadlines });
    },
    onRestart: () => found.clear(),
  });
  return found;
}

export function observedResource(resource: Reported): ObservedResource {
  const { metadata, status = {} } = resource;
  const { phase, reason } = status;
  const since = instantOf(status.since);
  const asked = instantOf(metadata.deletionTimestamp);
  const sleep = instantOf(status.deadlines?.sleep);
  const end = instantOf(status.deadlines?.delete);
  return {
    ...(asked !== undefined && { deletionAsked: asked }),
    ...(phase !== undefined && { phase }),
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
    ...(isUninstalled(resource) &&
      since !== undefined && { uninstalled: { at: since, data: reason === 'DataKept' ? 'Kept' : 'Deleted' } }),
    ...((sleep !== undefined || end !== undefined) && {
      deadlines: { ...(sleep !== undefined && { sleep }), ...(end !== undefined && { delete: end }) },
    }),
  };
}

/** A report about what the resource asks for now, and not about an earlier one of this name. */
function isUninstalled({ metadata: { generation }, spec, status }: Reported): boolean {
  return spec?.state === 'Deleted' && status?.phase === 'Deleted' && status.observedGeneration === generation;
}

function instantOf(text: string | undefined): number | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** The newest answer: its date has whole seconds, and was written somewhere between the question and now. */
function witness(name: string, heard: readonly Heard[]): ClockWitness | undefined {
  const last = heard.findLast(({ date }) => !Number.isNaN(Date.parse(date ?? '')));
  if (last === undefined) return undefined;
  return { from: name, ahead: Math.round(Date.parse(last.date ?? '') + 500 - (last.at - last.tookMs / 2)) };
}

function whyOf(error: unknown): string {
  if (error instanceof Refused || error instanceof NoAnswer || error instanceof NoCluster) return error.message;
  throw error;
}
