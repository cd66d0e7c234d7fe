/** Every way in which a run is killed, told to end, refused and overtaken. */
await import('./lifecycle-faults.test.ts');
