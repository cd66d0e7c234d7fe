import { defineConfig } from 'vitest/config';

/** A run of vitest that left-behind.test.ts ends in the middle. */
export default defineConfig({ test: { include: ['test/cluster/left-behind/endless.ts'], testTimeout: 1_000_000 } });
