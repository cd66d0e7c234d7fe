/** The properties of every drain, over thousands of random clusters. */
process.env.QUIESCE_TIMES ??= '35';
await import('./properties.test.ts');
