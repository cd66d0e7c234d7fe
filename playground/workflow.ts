import { execFile } from 'node:child_process';
import { runGit } from '../test/support/temp-repo.ts';
import { cloneRepository } from './campus.ts';
import type { Line } from './line.ts';
import type { Repository } from './repository.ts';

/** What a forge runs after a merge: `quiesce commit` in a checkout of `main`. */
export interface Workflow {
  /** One run at a time; one that waits sees everything that was pushed meanwhile. */
  run(): Promise<Run>;
}

interface Run {
  readonly ok: boolean;
  /** What it printed. */
  readonly lines: readonly Line[];
}

interface WorkflowOptions {
  readonly repository: Repository;
  readonly checkout: string;
  readonly quiesce: readonly string[];
  /** For its temporary files. */
  readonly temporary: string;
}

const limitMs = 120_000;
const nothing: Run = { ok: true, lines: [] };

export async function openWorkflow(options: WorkflowOptions): Promise<Workflow> {
  await cloneRepository(options.repository, options.checkout);
  let last: Promise<Run> = Promise.resolve(nothing);
  let waiting = false;
  return {
    run: async () => {
      if (waiting) return nothing;
      waiting = true;
      const begin = () => {
        waiting = false;
        return runOnce(options);
      };
      last = last.then(begin, begin);
      return last;
    },
  };
}

async function runOnce({ repository, checkout, quiesce, temporary }: WorkflowOptions): Promise<Run> {
  const { env } = repository;
  await runGit(checkout, ['fetch', '--quiet', 'origin', 'main'], env);
  await runGit(checkout, ['checkout', '--quiet', '--force', '-B', 'main', 'origin/main'], env);
  const [command = '', ...args] = quiesce;
  const options = { cwd: checkout, env: { ...env, TMPDIR: temporary }, timeout: limitMs };
  return new Promise((resolve) => {
    execFile(command, [...args, 'commit'], options, (error, stdout, stderr) => {
      const said = `${stderr}${stdout}`.split('\n').filter((line) => line.trim() !== '');
      resolve(error === null ? { ok: true, lines: said.map(line) } : { ok: false, lines: failed(said, error) });
    });
  });
}

function line(text: string): Line {
  return { who: 'quiesce', text };
}

function failed(said: readonly string[], { killed }: { readonly killed?: boolean }): readonly Line[] {
  const end =
    killed === true
      ? `quiesce commit did not end within ${limitMs / 1000} s`
      : 'nothing is compiled and nothing applied until a commit mends this';
  return [...said, end].map((text) => ({ ...line(text), tone: 'bad' }));
}
