/** Incremental compiles after many sequences of edits; compiles that are killed at many moments, and many at once. */
process.env.QUIESCE_RUNS ??= '100';
await import('./incremental.test.ts');
await import('./concurrency.test.ts');
