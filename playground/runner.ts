import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeKubeconfig } from '../test/support/access.ts';
import { campus } from './campus.ts';
import type { Line } from './line.ts';
import type { Playground } from './start.ts';

/** The CronJob says once an hour. */
const everySeconds = 30;
const limitMs = 180_000;
const account = { namespace: 'quiesce-system', name: 'quiesce-lifecycle' };

/** The lifecycle runner, with the token of its rendered ServiceAccount. */
export interface Runner {
  /** One run: what it did, for people. Commits are told by the git server. The signal ends it. */
  run(signal?: AbortSignal): Promise<readonly Line[]>;
}

export async function openRunner({ cluster, repository, sandbox, commands }: Playground): Promise<Runner> {
  const { access } = cluster;
  const create = ['create', 'token', account.name, `--namespace=${account.namespace}`, '--duration=240h'];
  const token = (await cluster.kubectl(...create)).trim();
  const env = {
    ...repository.env,
    TMPDIR: join(sandbox.folder, 'tmp'),
    KUBECONFIG: await writeKubeconfig(join(sandbox.folder, 'runner.kubeconfig'), { ...access, token }),
    QUIESCE_CLUSTER: campus.cluster,
    QUIESCE_GIT_URL: repository.url,
    QUIESCE_GIT_BRANCH: 'main',
    QUIESCE_WORK: join(sandbox.folder, 'runner'),
    QUIESCE_KEYS: await makeKeys(join(sandbox.folder, 'keys')),
    QUIESCE_LOG_LEVEL: 'silent',
  };
  const [command = '', ...args] = commands.quiesce;
  return {
    run: (signal) =>
      new Promise((told) => {
        const options = { cwd: sandbox.folder, env, timeout: limitMs, maxBuffer: 1 << 26, signal };
        execFile(command, [...args, 'lifecycle', '--json'], options, (error, stdout, stderr) => {
          told(linesOf(stdout) ?? failed(error?.killed === true, stderr));
        });
      }),
  };
}

/** As a mounted Secret: without a key that signs the links in mails, none is sent. */
async function makeKeys(folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'key-1'), randomBytes(32).toString('base64'), { mode: 0o600 });
  return folder;
}

/** Again and again, until the signal. */
export async function keepRunning(runner: Runner, signal: AbortSignal, tell: (line: Line) => void): Promise<void> {
  while (!signal.aborted) {
    await sleep(everySeconds * 1000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const lines = await runner.run(signal);
    if (!signal.aborted) for (const line of lines) tell(line);
  }
}

interface Answer {
  readonly problems: readonly { readonly message?: string }[];
  readonly mails?: readonly { readonly to: string; readonly subject: string; readonly outcome?: string }[];
}

function linesOf(stdout: string): readonly Line[] | undefined {
  const answer = asJson(stdout);
  return answer?.mails?.map(({ to, subject, outcome = 'not sent' }) => ({
    who: 'runner',
    text: `mail to ${to}: ${subject}${outcome === 'accepted' ? '' : ` (${outcome})`}`,
  }));
}

function asJson(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return undefined;
  }
}

function failed(isLate: boolean, stderr: string): readonly Line[] {
  const why = isLate ? `it did not end within ${limitMs / 1000} s` : stderr.trim().split('\n').slice(0, 5).join('; ');
  return [{ who: 'runner', text: why, tone: 'bad' }];
}
