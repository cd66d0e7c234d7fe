import { clientFor, type KubeClient } from '../sidecar/kube/client.ts';
import { NoCluster, openConnection } from '../sidecar/kube/connection.ts';
import { version } from '../version.ts';
import { type Context, UsageError } from './context.ts';

/** What commands that look into a cluster have in common. */
export interface ClusterOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export interface ConnectedCluster {
  readonly client: KubeClient;
  /** Name of the context. */
  readonly name: string;
}

const limitMs = 30_000;

/** Throws UsageError where there is no such cluster. Nothing is asked of it yet. */
export function connectCluster(
  { kubeconfig, context }: ClusterOptions,
  { environment }: Pick<Context, 'environment'>,
): ConnectedCluster {
  try {
    const connection = openConnection({ kubeconfig, context, environment });
    return { client: clientFor({ connection, userAgent: `quiesce/${version}`, limitMs }), name: connection.context };
  } catch (error) {
    if (error instanceof NoCluster) throw new UsageError(error.message);
    throw error;
  }
}
