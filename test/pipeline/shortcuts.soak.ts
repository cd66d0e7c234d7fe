/** Incremental compiles after many sequences of edits; compiles that are killed at many moments, and many at once. */
process.env.QUIESCE_TIMES ??= '20';
await import('./incremental.test.ts');
await import('./concurrency.test.ts');
