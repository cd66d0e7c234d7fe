import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check, type Problems, type Synthesized, synth } from '../src/pipeline.ts';
import { problemText } from '../src/report/problems.ts';
import { plainStyle } from '../src/report/style.ts';
import { type ProblemCode, problemCodes } from '../src/validate/codes.ts';
import { listTree, writeTree } from './support/tree.ts';

/**
 * Each folder of `test/golden` is a case: `state/` is what a person wrote (for what shows up only against an earlier
 * compile, `before/` is the state of that one), and `expected/` what comes of it: files of `out/`, and `problems.txt`
 * as a terminal shows it. A case without settings of its own has those of `test/golden/settings.yaml`.
 * `UPDATE_GOLDEN=1 npx vitest run test/golden.test.ts` writes `expected/` anew; read the diff before you commit it.
 */
const golden = fileURLToPath(new URL('./golden', import.meta.url));
const update = process.env.UPDATE_GOLDEN === '1';
const cases = readdirSync(golden, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

describe('golden directories', () => {
  it.each(cases)('%s', async (name) => {
    const root = mkdtempSync(join(tmpdir(), 'quiesce-golden-'));
    try {
      const result = await compileCase(join(golden, name), root);
      const files = shownFiles(name, result, root);
      const expected = join(golden, name, 'expected');
      if (update) {
        rmSync(expected, { recursive: true, force: true });
        writeTree(expected, files);
      }
      expect(Object.fromEntries(files)).toEqual(Object.fromEntries(existsSync(expected) ? listTree(expected) : []));
      await expectSettled(result, root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('cause every problem that a state can have', () => {
    const caused = new Set(cases.flatMap(codesIn));
    const missing = Object.keys(problemCodes).filter((code) => !caused.has(code) && !isShownElsewhere(code));
    expect(missing).toEqual([]);
  });
});

async function compileCase(folder: string, root: string): Promise<Synthesized | Problems> {
  if (existsSync(join(folder, 'before'))) {
    lay(join(folder, 'before'), root);
    expect(await synth({ root })).toMatchObject({ kind: 'ok' });
  }
  lay(join(folder, 'state'), root);
  return synth({ root });
}

function lay(state: string, root: string): void {
  rmSync(join(root, 'state'), { recursive: true, force: true });
  cpSync(state, join(root, 'state'), { recursive: true });
  if (!existsSync(join(state, 'settings.yaml'))) {
    cpSync(join(golden, 'settings.yaml'), join(root, 'state', 'settings.yaml'));
  }
}

/** What follows from the settings alone: the same thousands of lines in every case, so only `settings-…` cases show it. */
const fromSettings = /^[^/]+\/(?:bootstrap\/|system\/(?!shutdown))/;
const neverShown = /^inventory\.jsonl$|\/system\/crds\.k8s\.yaml$/;

function shownFiles(name: string, result: Synthesized | Problems, root: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const problems = problemsOf(result);
  if (problems.length > 0) files.set('problems.txt', problemText(problems, plainStyle));
  if (result.kind === 'problems' || name.startsWith('problem-')) return files;
  for (const [path, text] of listTree(join(root, 'out'))) {
    if (!neverShown.test(path) && (name.startsWith('settings-') || !fromSettings.test(path))) files.set(path, text);
  }
  return files;
}

/** Compiled once more: nothing changes, and the same is said; `--check` agrees. */
async function expectSettled(first: Synthesized | Problems, root: string): Promise<void> {
  const again = await synth({ root });
  expect(again).toMatchObject(first.kind === 'ok' ? { kind: 'ok', changes: [] } : { kind: 'problems' });
  expect(problemsOf(again)).toEqual(problemsOf(first));
  if (first.kind === 'ok') expect(await check({ root })).toMatchObject({ kind: 'ok', stale: [] });
}

function problemsOf(result: Synthesized | Problems): Problems['problems'] {
  return result.kind === 'problems' ? result.problems : result.warnings;
}

function codesIn(name: string): string[] {
  const file = join(golden, name, 'expected', 'problems.txt');
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(/^ {0,2}(?:error|warning) ([a-z0-9-]+) /gm)].map(
    ([, code]) => `${code}`,
  );
}

/** Not of a state, but of a repository, a command or a machine; or of a state that is better made by a test. */
function isShownElsewhere(code: string): boolean {
  return code.startsWith('commit-') || elsewhere.includes(code as ProblemCode);
}

const elsewhere: readonly ProblemCode[] = [
  ...([
    'git-missing',
    'ref-unknown',
    'snapshot-refused',
    'out-stale',
    'claim-unknown',
    'claim-deletion-ordered',
    'edit-by-hand',
  ] as const),
  ...([
    'settings-missing',
    'inventory-broken',
    'out-occupied',
    'write-failed',
    'link-leaves-state',
    'file-unreadable',
  ] as const),
  ...(['helm-missing', 'helm-failed', 'chart-without-control-plane'] as const),
  ...(['file-too-large', 'object-too-large', 'annotations-too-large'] as const),
  ...(['approval-missing', 'approval-unknown'] as const),
  // Two names never make one host; it stays guarded against another way of naming hosts.
  'host-repeated',
];
