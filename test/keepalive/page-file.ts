import { join } from 'node:path';
import { bundlers } from '../cluster/sidecar/bundle.ts';
import { builtOnce } from '../support/bundles.ts';

/** As it is shipped: through tsx it and its process that works with git would start in five times the time. */
export async function pageFile(): Promise<string> {
  built ??= builtOnce('keepalive', async (folder) => (await bundlers()).bundleKeepalive(folder));
  return join(await built, 'keepalive/main.js');
}

let built: Promise<string> | undefined;
