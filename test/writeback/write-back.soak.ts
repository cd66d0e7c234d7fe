/** With every kind of damage to a clone. */
await import('./write-back.test.ts');
