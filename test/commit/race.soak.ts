/** With more clones that commit at once. */
process.env.QUIESCE_AT_ONCE ??= '8';
await import('./race.test.ts');
