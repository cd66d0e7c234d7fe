import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gitConfig = fileURLToPath(new URL('./gitconfig', import.meta.url));

/** An environment in which git knows nothing of the person who runs the tests. */
export function isolatedEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_GLOBAL: gitConfig,
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Tess Tester',
    GIT_AUTHOR_EMAIL: 'tess@example.com',
    GIT_COMMITTER_NAME: 'Tess Tester',
    GIT_COMMITTER_EMAIL: 'tess@example.com',
    LC_ALL: 'C',
  };
}

const gitSeconds = 120;

/** Runs git without blocking, because the server it talks to may live in this very process. */
export async function runGit(
  dir: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd: dir, env, maxBuffer: 1 << 28, timeout: gitSeconds * 1000, killSignal: 'SIGKILL' } as const;
    const child = execFile('git', [...args], options, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const why = error.killed === true ? `it did not end within ${gitSeconds} s` : error.message;
      fail(new Error(`git ${args.join(' ')}: ${stderr || why}`));
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** A repository with a work tree. */
export interface TempRepo {
  readonly dir: string;
  /** Trimmed standard output. */
  git(...args: readonly string[]): Promise<string>;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  /** Writes files (`null` removes one), and commits exactly these. */
  commit(message: string, files: Readonly<Record<string, string | null>>): Promise<string>;
}

/** A place for repositories of one test. */
export interface Workshop {
  readonly dir: string;
  readonly env: Record<string, string>;
  path(name: string): string;
  repo(name: string): Promise<TempRepo>;
  bare(name: string): Promise<string>;
  clone(url: string, name: string, ...options: readonly string[]): Promise<TempRepo>;
  close(): void;
}

export function openWorkshop(): Workshop {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-test-')));
  const home = join(dir, 'home');
  mkdirSync(home);
  const env = isolatedEnvironment(home);
  const path = (name: string): string => join(dir, name);
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    dir,
    env,
    path,
    repo: async (name) => {
      await runGit(dir, ['init', '--quiet', '--initial-branch=main', name], env);
      return tempRepo(path(name), env);
    },
    bare: async (name) => {
      makeBare(path(name));
      return path(name);
    },
    clone: async (url, name, ...options) => {
      await runGit(dir, ['clone', '--quiet', ...options, url, name], env);
      return tempRepo(path(name), env);
    },
    close: () => {
      process.off('exit', remove);
      remove();
    },
  };
}

/** As `git init --bare` makes it, without git: there are hundreds of them in a run of all tests. */
export function makeBare(dir: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    mkdirSync(join(dir, folder), { recursive: true });
  }
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(dir, 'config'), bareConfig);
}

const bareConfig = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[http]
\treceivepack = true
`;

export function tempRepo(dir: string, env: NodeJS.ProcessEnv): TempRepo {
  const git = async (...args: readonly string[]): Promise<string> => (await runGit(dir, args, env)).trim();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  return {
    dir,
    git,
    write,
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    has: (path) => existsSync(join(dir, path)),
    commit: async (message, files) => {
      const paths = Object.keys(files);
      for (const [path, text] of Object.entries(files)) {
        if (text === null) rmSync(join(dir, path));
        else write(path, text);
      }
      await git('add', '--all', '--', ...paths);
      await git('commit', '--quiet', '-m', message, '--', ...paths);
      return git('rev-parse', 'HEAD');
    },
  };
}

export function installHook(repository: string, name: string, script: string): void {
  const gitDir = existsSync(join(repository, '.git')) ? join(repository, '.git') : repository;
  mkdirSync(join(gitDir, 'hooks'), { recursive: true });
  const path = join(gitDir, 'hooks', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

export interface ForeignChange {
  readonly branch?: string;
  readonly file: string;
  readonly content: string;
  readonly message?: string;
}

/** Commits to a bare repository behind everybody's back, as a push of somebody else would. */
export async function commitInBare(bare: string, change: ForeignChange, env: NodeJS.ProcessEnv): Promise<string> {
  const { branch = 'main', file, content, message = `Change ${file}` } = change;
  const index = mkdtempSync(join(tmpdir(), 'quiesce-index-'));
  const withIndex = { ...env, GIT_INDEX_FILE: join(index, 'index') };
  try {
    const tip = (await runGit(bare, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`], env)).trim();
    if (tip !== '') await runGit(bare, ['read-tree', tip], withIndex);
    const blob = (await runGit(bare, ['hash-object', '-w', '--stdin'], env, content)).trim();
    await runGit(bare, ['update-index', '--add', '--cacheinfo', `100644,${blob},${file}`], withIndex);
    const tree = (await runGit(bare, ['write-tree'], withIndex)).trim();
    const parents = tip === '' ? [] : ['-p', tip];
    const commit = (await runGit(bare, ['commit-tree', ...parents, '-m', message, tree], env)).trim();
    await runGit(bare, ['update-ref', `refs/heads/${branch}`, commit], env);
    return commit;
  } finally {
    rmSync(index, { recursive: true, force: true });
  }
}

/**
 * Lets somebody else push while ours is being received: the pre-receive hook moves the branch itself, `times` times.
 * The push then fails as two simultaneous pushes do on a real server.
 */
export function competeWhileReceiving(bare: string, change: ForeignChange, times = 1): void {
  const { branch = 'main', file, content } = change;
  installHook(
    bare,
    'pre-receive',
    `cat > /dev/null
left=$(cat "$GIT_DIR/competitions" 2>/dev/null || echo ${times})
[ "$left" -gt 0 ] || exit 0
echo $((left - 1)) > "$GIT_DIR/competitions"
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_INDEX_FILE="$GIT_DIR/competing-index" GIT_AUTHOR_NAME=Other GIT_AUTHOR_EMAIL=other@example.com
export GIT_COMMITTER_NAME=Other GIT_COMMITTER_EMAIL=other@example.com
tip=$(git rev-parse refs/heads/${branch})
git read-tree "$tip"
blob=$(printf '%s %s' ${quoted(content)} "$left" | git hash-object -w --stdin)
git update-index --add --cacheinfo "100644,$blob,${file}"
commit=$(git commit-tree -p "$tip" -m "Compete" "$(git write-tree)")
git update-ref refs/heads/${branch} "$commit"`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
