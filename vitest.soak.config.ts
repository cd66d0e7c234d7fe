import { defineConfig } from 'vitest/config';

/** Long campaigns (`npm run soak`): what takes minutes for each file, or needs a machine to itself. */
export default defineConfig({
  test: {
    include: ['test/**/*.soak.ts'],
    // What tests leave out otherwise: test/support/soak.ts.
    env: { QUIESCE_SOAK: '1' },
    globalSetup: ['test/support/bundles-setup.ts', 'test/support/controlplane-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
