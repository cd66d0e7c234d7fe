#!/usr/bin/env node
import { runAlone } from '../commands/alone.ts';
import { keepalive } from '../commands/keepalive.ts';
import { addKeepaliveOptions, keepaliveDescription, keepaliveExamples } from './options.ts';

// `quiesce keepalive` in a folder of its own, for the image: the page loads nothing of the compiler.
await runAlone({
  name: 'keepalive',
  description: keepaliveDescription,
  examples: keepaliveExamples,
  addOptions: addKeepaliveOptions,
  run: keepalive,
});
