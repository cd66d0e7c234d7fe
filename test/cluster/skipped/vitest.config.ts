import { defineConfig } from 'vitest/config';

/** A run of vitest in which skipped.test.ts looks at what is said where there is no control plane. */
export default defineConfig({
  test: { include: ['test/cluster/skipped/cluster-tests.ts'], globalSetup: ['test/support/controlplane-setup.ts'] },
});
