import type { Missing } from './missing.ts';
import { missing } from './missing.ts';
import { onPath } from './path-lookup.ts';

export type RedisResult = { readonly kind: 'ready'; readonly command: readonly string[] } | Missing;

/** Argo CD keeps its manifest cache in Redis and does not start without one. It is the only part that is not built. */
export async function findRedis(env: NodeJS.ProcessEnv): Promise<RedisResult> {
  const file = await onPath('redis-server', env);
  if (file !== undefined) return { kind: 'ready', command: [file] };
  return missing('Argo CD needs Redis, and there is no redis-server on the PATH', 'apt-get install redis-server');
}
