#!/usr/bin/env node
import { runAlone } from '../commands/alone.ts';
import { sidecar } from '../commands/sidecar.ts';
import { addSidecarOptions, sidecarDescription, sidecarExamples } from './options.ts';

// `quiesce sidecar` as one file of its own, for the image: of the compiler it holds nothing.
await runAlone({
  name: 'sidecar',
  description: sidecarDescription,
  examples: sidecarExamples,
  addOptions: (command) => addSidecarOptions(command).option('--json', 'answer of --once and --dry-run in JSON'),
  run: sidecar,
});
