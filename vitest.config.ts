import { defineConfig } from 'vitest/config';

const clusterTests = ['test/cluster/**/*.test.ts', 'test/playground/**/*.test.ts'];

/** Tests on the real control plane come after the others: each file starts a handful of programs, and waits a good deal. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'compiler',
          include: ['test/**/*.test.ts'],
          exclude: ['test/golden/**', 'node_modules/**', ...clusterTests],
          globalSetup: ['test/support/bundles-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: clusterTests,
          globalSetup: ['test/support/bundles-setup.ts', 'test/support/controlplane-setup.ts'],
          // What is waited for in them has a limit of its own, and says what it was. These come after it.
          testTimeout: 240_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
