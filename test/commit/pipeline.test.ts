import { cpSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Compile } from '../../src/commit/build.ts';
import { type CommitResult, commit } from '../../src/commit/commit.ts';
import { check, synth } from '../../src/pipeline.ts';
import type { Problem } from '../../src/validate/finding.ts';
import { openWorkshop, type TempRepo, type Workshop } from '../support/temp-repo.ts';
import { target } from './stand-in.ts';

let shop: Workshop;
let repo: TempRepo;

beforeEach(async () => {
  shop = openWorkshop();
  const bare = await shop.bare('origin.git');
  repo = await shop.clone(`file://${bare}`, 'work');
  cpSync(new URL('../../state', import.meta.url), `${repo.dir}/state`, { recursive: true });
  await repo.git('add', 'state');
  await repo.git('commit', '--quiet', '-m', 'State');
  await repo.git('push', '--quiet', 'origin', 'main');
});
afterEach(() => shop.close());

/** From files only, or from git as far as it goes. */
async function publish(branch: string, from: 'files' | 'git'): Promise<CommitResult<readonly Problem[]>> {
  const compile: Compile<readonly Problem[]> = async ({ root, out, source }) => {
    const result = await synth(from === 'git' ? { root, out, ref: source } : { root, out });
    if (result.kind === 'problems') return result;
    return { kind: 'ok', changes: result.changes, message: { subject: 'Compile', body: [] } };
  };
  return commit({
    root: repo.dir,
    target: { ...target, branch },
    stateBranch: 'main',
    author: { name: 'Quiesce', email: 'quiesce@example.com' },
    compile,
    environment: shop.env,
    ...(from === 'git' && { reads: { without: ['state/claims', 'state/records'], output: ['inventory.jsonl'] } }),
  });
}

const sleep = (text: string): string => text.replace(/^spec:$/m, 'spec:\n  state: Sleeping');
const wake = (text: string): string => text.replace('\n  state: Sleeping', '');

describe('the real compiler', () => {
  it('commits the same output from git as from files, over a history of changes', { timeout: 240_000 }, async () => {
    const edit = async (path: string, change: (text: string) => string): Promise<void> => {
      await repo.commit(`Edit ${path}`, { [path]: change(readFileSync(`${repo.dir}/${path}`, 'utf8')) });
      await repo.git('push', '--quiet');
    };
    const steps: readonly (() => Promise<void>)[] = [
      async () => {},
      async () => edit('state/claims/campus-login.yaml', sleep),
      async () => edit('state/claims/campus-login.yaml', wake),
      async () => edit('state/settings.yaml', (text) => `# another comment\n${text}`),
    ];
    for (const step of steps) {
      await step();
      expect((await publish('files', 'files')).kind).toBe((await publish('git', 'git')).kind);
      expect(await repo.git('rev-parse', 'origin/git:out')).toBe(await repo.git('rev-parse', 'origin/files:out'));
    }
  });

  it('commits to the branch of the state what synth would write, and nothing the second time', {
    timeout: 120_000,
  }, async () => {
    expect(await publish('main', 'git')).toMatchObject({ kind: 'committed', local: { kind: 'advanced' } });
    expect(await check({ root: repo.dir })).toMatchObject({ kind: 'ok', stale: [] });
    expect(await publish('main', 'git')).toMatchObject({ kind: 'unchanged' });
  });
});
