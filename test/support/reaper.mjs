// Stands beside a sandbox and ends with it. Its standard input is a pipe from the sandbox's owner: when the owner stops
// the sandbox, or dies in whatever way (a crash, Ctrl-C, kill -9), the pipe closes, and everything of the sandbox goes.
// Plain JavaScript, so that Node runs it as it is.
//
// usage: node reaper.mjs FOLDER
// then lines on standard input: `+PID` a process group to end, `-PID` one that has ended
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const limitMs = 10_000;
const [folder = ''] = process.argv.slice(2);
const groups = new Set();
let rest = '';

// A Ctrl-C or a closing terminal may reach this process too; it has to outlive its owner.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line.startsWith('+')) groups.add(pid);
    else groups.delete(pid);
  }
});
process.stdin.once('close', () => void clean());
process.stdin.once('error', () => {});

async function clean() {
  const until = performance.now() + limitMs;
  let left = endAll();
  while (left.length > 0 && performance.now() < until) {
    await sleep(20);
    left = endAll();
  }
  const problems = left.map((pid) => `process ${pid} does not end`);
  try {
    // For whoever wants to read the logs of a test that failed.
    if (process.env.QUIESCE_KEEP_SANDBOXES !== '1')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    problems.push(`${folder} cannot be removed: ${error instanceof Error ? error.message : error}`);
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
  // The owner may be gone, and its end of this pipe with it.
  process.stderr.on('error', () => {});
  if (problems.length > 0) process.stderr.write(`${problems.join(', ')}\n`);
}

/** Ends whatever still runs and tells what that was; to be repeated, because a process may start another meanwhile. */
function endAll() {
  const left = process.platform === 'linux' ? runningHere() : [...groups].filter((pid) => signal(-pid, 0));
  for (const pid of left) signal(process.platform === 'linux' ? pid : -pid, 'SIGKILL');
  return left;
}

/**
 * The members of the groups, and everything that was started with the sandbox's mark in its environment: programs put
 * what they start (git, for example) into groups of its own. Elsewhere than on Linux only the groups are ended.
 */
function runningHere() {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && belongsHere(pid));
}

function belongsHere(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the program's name in parentheses, which may hold spaces: state, parent, process group.
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return false;
    return groups.has(Number(group)) || hasMark(pid);
  } catch {
    return false;
  }
}

function hasMark(pid) {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  return environment.split('\0').includes(`QUIESCE_SANDBOX=${folder}`);
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
