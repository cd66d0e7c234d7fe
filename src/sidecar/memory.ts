import { setFlagsFromString } from 'node:v8';

/**
 * Reading a large cluster is a lot of short-lived data, and V8 makes so much room for it that it costs more than what is
 * kept: 140 MB with 20,000 Pods where 95 do. This flag is looked at whenever that room would grow, so it can be set
 * while the program runs, and nobody has to remember it on a command line. The price is more, and shorter, collections.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
