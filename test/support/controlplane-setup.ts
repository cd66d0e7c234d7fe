import type { TestProject } from 'vitest/node';
import { type AssetsResult, findAssets } from '../controlplane/assets.ts';
import { findRedis, type RedisResult } from '../controlplane/redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: AssetsResult;
    redis: RedisResult;
  }
}

/**
 * Vitest's global setup: looks once for everything that cluster tests need, and says in one line why they are skipped.
 * With QUIESCE_REQUIRE_CLUSTER=1 nothing is skipped, and what is missing fails the run.
 */
export async function setup(project: TestProject): Promise<void> {
  const controlPlane = await findAssets(process.env);
  const redis = await findRedis(process.env);
  project.provide('controlPlane', controlPlane);
  project.provide('redis', redis);
  const [absent, tests] = controlPlane.kind === 'missing' ? [controlPlane, 'cluster tests'] : [redis, 'Argo CD tests'];
  if (absent.kind !== 'missing') return;
  const why = `${absent.reason}. To run them: ${absent.remedy}`;
  if (process.env.QUIESCE_REQUIRE_CLUSTER === '1')
    throw new Error(`QUIESCE_REQUIRE_CLUSTER=1, but the ${tests} cannot run: ${why}`);
  process.stderr.write(`The ${tests} are skipped: ${why}\n`);
}
