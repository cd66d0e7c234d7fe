import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = fileURLToPath(new URL('./skipped/vitest.config.ts', import.meta.url));

async function runVitest(env: Readonly<Record<string, string>>) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--root', root, '--config', config, '--no-color'];
  return new Promise<{ code: unknown; lines: readonly string[] }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').map((line) => line.trim());
      resolve({ code: error === null ? 0 : error.code, lines });
    });
  });
}

describe('without a control plane', () => {
  const env = { QUIESCE_ASSETS: join(root, 'no-such-folder'), QUIESCE_REQUIRE_CLUSTER: '' };

  it('cluster tests are skipped, with one line that says why and what to do', async () => {
    const { code, lines } = await runVitest(env);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('skipped:'))).toEqual([
      expect.stringMatching(
        /^The cluster tests are skipped: QUIESCE_ASSETS=.*no-such-folder: no etcd, .* To run them: put the right files there/,
      ),
    ]);
    expect(lines).toContain('Tests  2 skipped (2)');
  });

  it('the run fails where cluster tests are required', async () => {
    const { code, lines } = await runVitest({ ...env, QUIESCE_REQUIRE_CLUSTER: '1' });
    expect(code).toBe(1);
    expect(
      lines.some((line) =>
        line.includes('QUIESCE_REQUIRE_CLUSTER=1, but the cluster tests cannot run: QUIESCE_ASSETS='),
      ),
    ).toBe(true);
  });
});
