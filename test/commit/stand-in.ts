import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompileAnswer, CompileRequest } from '../../src/commit/build.ts';
import { type CommitOptions, type CommitResult, commit } from '../../src/commit/commit.ts';
import type { ChangedFile } from '../../src/commit/stage.ts';
import type { GitTarget } from '../../src/resolve/state.ts';
import type { TempRepo } from '../support/temp-repo.ts';

/**
 * A compiler small enough to see through: each `state/<name>.yaml` becomes `out/<name>.k8s.yaml`, with the bytes that
 * tell which state it came from. The word `broken` in a state file is a problem.
 */
export async function compileStandIn({ root, out }: CompileRequest): Promise<CompileAnswer<readonly string[]>> {
  const state = filesIn(join(root, 'state'), '.yaml');
  const broken = [...state].filter(([, text]) => text.includes('broken')).map(([name]) => `${name} is broken`);
  if (broken.length > 0) return { kind: 'problems', problems: broken };
  const folder = join(out.root, out.folder);
  const before = filesIn(folder, '.k8s.yaml');
  const changes: ChangedFile[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of state) {
    const rendered = `# rendered\n${text}`;
    if (before.get(name) === rendered) continue;
    writeFileSync(join(folder, `${name}.k8s.yaml`), rendered);
    changes.push({ path: `${name}.k8s.yaml`, change: before.has(name) ? 'changed' : 'added' });
  }
  for (const name of before.keys()) {
    if (state.has(name)) continue;
    rmSync(join(folder, `${name}.k8s.yaml`));
    changes.push({ path: `${name}.k8s.yaml`, change: 'removed' });
  }
  return {
    kind: 'ok',
    changes,
    message: { subject: changes.map(({ path, change }) => `${change} ${path}`).join('; '), body: [] },
  };
}

function filesIn(folder: string, ending: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
  return new Map(names.map((name) => [name.slice(0, -ending.length), readFileSync(join(folder, name), 'utf8')]));
}

export const target: GitTarget = { path: 'out', push: 'direct', pullRequestBranch: 'quiesce/out' };

/** `quiesce commit` in a repository, with a retry that does not wait. */
export async function commitIn(
  repo: TempRepo,
  env: Record<string, string>,
  options: Partial<CommitOptions<readonly string[]>> = {},
): Promise<CommitResult<readonly string[]>> {
  return commit<readonly string[]>({
    root: repo.dir,
    target,
    stateBranch: 'main',
    author: { name: 'Quiesce', email: 'quiesce@example.com' },
    compile: compileStandIn,
    retry: { attempts: 4, delay: () => 1 },
    environment: env,
    ...options,
  });
}
