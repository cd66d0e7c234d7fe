import { tmpdir } from 'node:os';
import type { Missing } from './missing.ts';
import { missing } from './missing.ts';
import { onPath } from './path-lookup.ts';
import { buildEnvironment } from './recipes.ts';
import { run } from './run.ts';

export interface Go {
  readonly kind: 'ready';
  readonly command: string;
  /** As Go says it, with the platform: `go1.26.8 linux/amd64`. */
  readonly version: string;
}

/** What the go.mod files of this folder ask for. */
export const oldestGo = { major: 1, minor: 26 } as const;
const wanted = `Go ${oldestGo.major}.${oldestGo.minor}`;
const remedy = `install ${wanted} or newer, or set QUIESCE_ASSETS to a folder with ready binaries`;

export async function findGo(env: NodeJS.ProcessEnv): Promise<Go | Missing> {
  const command = await onPath('go', env);
  if (command === undefined)
    return missing('the control plane is built with Go, and there is no go on the PATH', remedy);
  const end = await run([command, 'version'], {
    cwd: tmpdir(),
    env: { ...env, ...buildEnvironment },
    limitSeconds: 10,
  });
  if (end.ended === 'limit') return missing(`${command} version did not answer within 10 s`, remedy);
  const [, version, major, minor] = /^go version ((?:devel )?go(\d+)\.(\d+).*)$/.exec(end.lines[0] ?? '') ?? [];
  if (version === undefined) return missing(`${command} version says "${end.lines[0] ?? ''}"`, remedy);
  if (isOlder(Number(major), Number(minor))) {
    return missing(`${command} is ${version}, and the control plane needs ${wanted}`, remedy);
  }
  return { kind: 'ready', command, version };
}

function isOlder(major: number, minor: number): boolean {
  return major < oldestGo.major || (major === oldestGo.major && minor < oldestGo.minor);
}
