import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { synth } from '../../src/pipeline.ts';
import { claimFile, settings } from '../commands/instance.ts';
import { writeTree } from '../support/tree.ts';

/** Root may read everything, so the tests are someone else for as long as the compile takes. */
const nobody = 65_534;

describe.skipIf(process.platform === 'win32')('what the system does not let us read', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'quiesce-unreadable-'));
    chmodSync(root, 0o777);
    writeTree(
      root,
      new Map([
        ['state/settings.yaml', settings],
        ['state/claims/group/ada.yaml', claimFile('ada')],
      ]),
    );
  });

  afterEach(() => {
    process.seteuid?.(process.getuid?.() ?? 0);
    chmodSync(join(root, 'state/claims/group'), 0o755);
    rmSync(root, { recursive: true, force: true });
  });

  it.each(['state/claims/group/ada.yaml', 'state/claims/group'])('is a problem, and not gone: %s', async (path) => {
    chmodSync(join(root, path), 0);
    if (process.getuid?.() === 0) process.seteuid?.(nobody);
    expect(await synth({ root })).toMatchObject({
      kind: 'problems',
      problems: [{ code: 'file-unreadable', message: expect.stringContaining(`${path} cannot be read: EACCES`) }],
    });
  });
});
