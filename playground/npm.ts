import { readFileSync } from 'node:fs';

const everyMs = 1000;
const mostGenerations = 6;

/**
 * `npm run` passes signals on, but one that is killed leaves its script behind, at a terminal that no longer reaches it.
 * Calls back when the npm that this process was started by is gone; only on Linux, as /proc tells of it.
 */
export function whenNpmIsGone(act: () => void): void {
  const npm = npmAbove(process.ppid);
  if (npm === undefined) return;
  const watching = setInterval(() => {
    if (isThere(npm)) return;
    clearInterval(watching);
    act();
  }, everyMs).unref();
}

/** npm calls itself `npm run …`; between it and us are shells and loaders. */
function npmAbove(parent: number): number | undefined {
  let pid = parent;
  for (let generation = 0; generation < mostGenerations && pid > 1; generation += 1) {
    if (read(`/proc/${pid}/cmdline`).startsWith('npm ')) return pid;
    // After the program's name in parentheses, which may hold spaces: state, parent.
    const stat = read(`/proc/${pid}/stat`);
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
  }
  return undefined;
}

function isThere(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`).startsWith('npm ');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
