/** The properties of every uninstall, over as many random clusters, histories and faults as four minutes allow. */
process.env.QUIESCE_TIMES ??= '2500';
process.env.QUIESCE_SECONDS ??= '240';
await import('./properties.test.ts');
