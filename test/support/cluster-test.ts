import { describe, inject } from 'vitest';
import type { Assets } from '../controlplane/assets.ts';

/** A group of tests on the real control plane; skipped where there is none (see controlplane-setup.ts). */
export function clusterTest(name: string, tests: () => void): void {
  describe.skipIf(found('controlPlane').kind !== 'ready')(name, tests);
}

/** The same for tests that need Argo CD, and so Redis. */
export function argocdTest(name: string, tests: () => void): void {
  describe.skipIf(found('controlPlane').kind !== 'ready' || found('redis').kind !== 'ready')(name, tests);
}

/** To be called in hooks and tests only: the body of a skipped group is run all the same. */
export function assets(): Assets {
  const controlPlane = found('controlPlane');
  if (controlPlane.kind === 'missing') throw new Error(controlPlane.reason);
  return controlPlane.assets;
}

export function redisCommand(): readonly string[] {
  const redis = found('redis');
  if (redis.kind === 'missing') throw new Error(redis.reason);
  return redis.command;
}

function found<Key extends 'controlPlane' | 'redis'>(key: Key) {
  const value = inject(key);
  if (value === undefined) throw new Error("test/support/controlplane-setup.ts is not in vitest's globalSetup");
  return value;
}
