import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Assets, buildAssets } from '../test/controlplane/assets.ts';
import type { Missing } from '../test/controlplane/missing.ts';
import { findRedis } from '../test/controlplane/redis.ts';
import { Refusal } from './options.ts';

/** What the machine has to have. Quick, and so looked at before anything is built. Throws a Refusal. */
export async function findTools(flux: boolean): Promise<{ readonly redis: readonly string[] }> {
  await expectGitServer();
  if (flux) return { redis: [] };
  const redis = await findRedis(process.env);
  if (redis.kind === 'missing')
    throw refusal({ ...redis, remedy: `${redis.remedy}, or: npm run playground -- --flux` });
  return { redis: redis.command };
}

interface BuildOptions {
  readonly signal: AbortSignal;
  progress(line: string): void;
}

/** Throws a Refusal that says what is missing. */
export async function findAssetsOrBuild(options: BuildOptions): Promise<Assets> {
  const found = await buildAssets(process.env, options);
  if (found.kind === 'missing') throw refusal(found);
  return found.assets;
}

/** Debian has it in git itself, other systems in a package of its own. */
async function expectGitServer(): Promise<void> {
  const env = { ...process.env, REQUEST_METHOD: 'GET' };
  try {
    // Without a path its answer is an error, which is as good as any other answer.
    await promisify(execFile)('git', ['http-backend'], { env, timeout: 10_000 });
  } catch (error) {
    const { code, stdout = '' } = error as { code?: unknown; stdout?: string };
    if (stdout.startsWith('Status:')) return;
    if (code === 'ENOENT') throw new Refusal('there is no git on the PATH. Install git');
    throw new Refusal('this git cannot serve HTTP. Install the package of your system that has "git http-backend"');
  }
}

function refusal({ reason, remedy }: Missing): Refusal {
  return new Refusal(`${reason}. ${remedy}`);
}
