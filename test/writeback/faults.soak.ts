/** With more programs that write at once, and more often. */
process.env.QUIESCE_AT_ONCE ??= '5';
await import('./faults.test.ts');
