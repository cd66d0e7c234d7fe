/** The properties of every claim that sleeps, wakes and goes, over thousands of random histories and faults. */
process.env.QUIESCE_TIMES ??= '40';
await import('./properties.test.ts');
await import('./deletion-properties.test.ts');
