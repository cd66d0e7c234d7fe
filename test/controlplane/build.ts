import { parseArgs } from 'node:util';
import { buildParts, findAssets, type Part } from './assets.ts';
import type { BuiltPart } from './build-part.ts';
import { cacheFolder, totalSize } from './cache.ts';
import type { Missing } from './missing.ts';
import { duration, megabytes } from './quantities.ts';
import { parts, recipes } from './recipes.ts';
import { findRedis } from './redis.ts';

const help = `usage: npm run controlplane -- [--only PART]... [--check]

Builds the real control plane for tests and the playground, once, into a cache of yours.

  --only PART   build only this part (may be repeated):
${recipes.map(({ part, holds }) => `                  ${part.padEnd(15)} ${holds}`).join('\n')}
  --check       build nothing; exit 1 and say so in one line if something is not built
  --help        this text

QUIESCE_CACHE   where to build to; else XDG_CACHE_HOME/quiesce or ~/.cache/quiesce
QUIESCE_ASSETS  a folder with ready binaries: nothing is built, their versions are checked
`;

interface Order {
  readonly action: 'help' | 'check' | 'build';
  readonly only: readonly Part[];
}

function readOrder(argv: readonly string[]): Order | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const unknown = values.only.find((name) => !isPart(name));
    if (unknown !== undefined) return `no part is named ${unknown}; there are ${parts.join(', ')}`;
    return { action: values.help ? 'help' : values.check ? 'check' : 'build', only: values.only.filter(isPart) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isPart(name: string): name is Part {
  return (parts as readonly string[]).includes(name);
}

async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const order = readOrder(argv);
  if (typeof order === 'string') return complain(order, 'npm run controlplane -- --help', 2);
  if (order.action === 'help') return say(help.trimEnd());
  if (order.action === 'check' || env.QUIESCE_ASSETS) return check(env);
  return build(order.only, env);
}

async function check(env: NodeJS.ProcessEnv): Promise<number> {
  const found = await findAssets(env);
  if (found.kind === 'missing') return refuse(found);
  return say(`the control plane is there: ${env.QUIESCE_ASSETS || cacheFolder(env)}`);
}

async function build(only: readonly Part[], env: NodeJS.ProcessEnv): Promise<number> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interruption.abort());
  const wanted = only.length === 0 ? parts : only;
  const begin = performance.now();
  const result = await buildParts(env, { progress: say, only: wanted, signal: interruption.signal });
  if (result.kind === 'missing') return interruption.signal.aborted ? refuse(result, 130) : refuse(result);
  const redis = await findRedis(env);
  if (redis.kind === 'missing') say(`note: ${redis.reason}: ${redis.remedy}`);
  const seconds = Math.round((performance.now() - begin) / 1000);
  return say(summary(result.parts, { folder: cacheFolder(env), seconds }));
}

/** `seconds`: in all, which is less than the sum of parts that were built side by side. */
function summary(built: readonly BuiltPart[], { folder, seconds }: { folder: string; seconds: number }): string {
  const each = built.map(({ kind, manifest }) => {
    const time = kind === 'built' ? duration(manifest.seconds) : 'cached';
    return `${manifest.part} ${time} ${megabytes(totalSize(manifest))}`;
  });
  const size = built.reduce((sum, { manifest }) => sum + totalSize(manifest), 0);
  return `control plane: ${each.join(', ')}; in all ${duration(seconds)}, ${megabytes(size)} in ${folder}`;
}

function refuse({ reason, remedy }: Missing, code = 1): number {
  return complain(reason, remedy, code);
}

function complain(reason: string, remedy: string, code: number): number {
  process.stderr.write(`${reason}. ${remedy}\n`);
  return code;
}

function say(line: string): number {
  process.stdout.write(`${line}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2), process.env);
