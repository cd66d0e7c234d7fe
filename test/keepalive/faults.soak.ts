/** With two hundred people at once. */
process.env.QUIESCE_AT_ONCE ??= '200';
await import('./faults.test.ts');
