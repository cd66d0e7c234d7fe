import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HelmUninstall } from './decision.ts';

/** The program, and how it gets to the cluster that the sidecar works on. */
export interface HelmCommand {
  readonly command: string;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export type HelmAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly text: string };

/** Beyond what it gives itself for each of its steps, before it is ended. */
const overtimeMs = 60_000;
const checkMs = 1000;

/** Foreground and waited for, so that what it says is gone is gone. Ended when we may not act any more. */
export async function helmUninstall(
  { command, kubeconfig, context }: HelmCommand,
  { namespace, release, timeoutSeconds }: HelmUninstall,
  mayAct: () => boolean,
): Promise<HelmAnswer> {
  const args = ['uninstall', release, '--namespace', namespace, '--ignore-not-found'];
  args.push('--cascade', 'foreground', '--wait', '--timeout', `${timeoutSeconds}s`);
  if (kubeconfig !== undefined) args.push('--kubeconfig', kubeconfig);
  if (context !== undefined) args.push('--kube-context', context);
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...folders() }, stdio: ['ignore', 'ignore', 'pipe'] });
    const begun = performance.now();
    const text: Buffer[] = [];
    const check = setInterval(() => {
      const isOver = performance.now() - begun > 3 * timeoutSeconds * 1000 + overtimeMs;
      if (isOver || !mayAct()) child.kill();
    }, checkMs);
    child.stderr.on('data', (chunk: Buffer) => text.push(chunk));
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearInterval(check);
      resolve(error.code === 'ENOENT' ? { kind: 'missing' } : { kind: 'failed', text: error.message });
    });
    child.once('close', (code, signal) => {
      clearInterval(check);
      resolve(code === 0 ? { kind: 'done' } : { kind: 'failed', text: reasonIn(text, signal) });
    });
  });
}

/** Its root file system may be read-only, and its home nobody's. */
function folders(): NodeJS.ProcessEnv {
  const folder = join(tmpdir(), 'quiesce-helm');
  return { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
}

function reasonIn(chunks: readonly Buffer[], signal: NodeJS.Signals | null): string {
  const lines = Buffer.concat(chunks)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const said = lines.find((line) => /^(Error: |.*level=ERROR)/.test(line)) ?? lines.at(-1);
  if (signal !== null) return `it was ended by ${signal}`;
  return (said ?? 'it says nothing').replace(/^Error: /, '').slice(0, 800);
}
