import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

const candidates = [
  process.env.QUIESCE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = candidates.find((path) => path !== undefined && path !== '' && existsSync(path));

/** Tests in a real browser. Without one they are skipped, except where the environment says that they must run. */
export const describeInBrowser =
  found !== undefined || process.env.QUIESCE_REQUIRE_BROWSER === '1' ? describe : skipped;

function skipped(name: string, tests: () => void): void {
  console.warn(`${name}: skipped, because there is no Chromium; install it or set QUIESCE_CHROMIUM.`);
  describe.skip(name, tests);
}

/** Throws where there is no browser. */
export async function openBrowser(): Promise<Browser> {
  if (found === undefined) throw new Error('there is no Chromium; install it or set QUIESCE_CHROMIUM');
  // Containers rarely allow the sandbox; what is shown here is our own page.
  return chromium.launch({ executablePath: found, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
