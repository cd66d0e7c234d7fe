/** The properties of every claim that sleeps, wakes and goes, over thousands of random histories and faults. */
process.env.QUIESCE_RUNS ??= '3000';
await import('./properties.test.ts');
await import('./deletion-properties.test.ts');
