/** The properties of every drain, over thousands of random clusters. */
process.env.QUIESCE_RUNS ??= '2000';
await import('./properties.test.ts');
