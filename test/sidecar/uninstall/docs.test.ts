import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blockerCodes } from '../../../src/sidecar/uninstall/blocker.ts';

it('everything that may be in the way is explained, and nothing else', () => {
  const page = readFileSync(new URL('../../../docs/uninstall.md', import.meta.url), 'utf8');
  const explained = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(explained).toEqual([...blockerCodes].sort());
});
