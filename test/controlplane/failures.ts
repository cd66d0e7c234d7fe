import { type Missing, missing } from './missing.ts';
import type { Part } from './recipes.ts';

const largerDisk = 'free 10 GB there, or set QUIESCE_CACHE, GOCACHE and GOMODCACHE to folders on a larger disk';

/** The code of an operating system's error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** An error of the file system is the user's to solve; any other one is ours and is thrown on. */
export function cacheFailure(error: unknown, cache: string): Missing {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return missing(`no space left in ${cache}`, largerDisk);
  return missing(
    `the cache ${cache} cannot be used: ${error.message}`,
    'set QUIESCE_CACHE to a folder you can write to',
  );
}

interface Cause {
  readonly pattern: RegExp;
  readonly what: string;
  readonly remedy: string;
}

/** What Go says, from the most telling to the least. The line that matched is shown with it. */
const causes: readonly Cause[] = [
  { pattern: /no space left on device|disk quota exceeded/, what: 'no space left', remedy: largerDisk },
  {
    pattern: /signal: killed|cannot allocate memory/,
    what: 'out of memory',
    remedy: 'free 4 GB of memory, then run it again',
  },
  {
    pattern: /missing go\.sum entry|updates to go\.mod needed|go\.mod requires go|checksum mismatch|SECURITY ERROR/,
    what: 'its go.mod and go.sum do not fit',
    remedy: 'undo local changes to the module, or run go mod tidy in its folder',
  },
  {
    pattern:
      /dial tcp|no such host|i\/o timeout|TLS handshake|proxyconnect|\b[45]0[0-9] [A-Z]|GOPROXY=off|unexpected EOF/,
    what: 'a module could not be fetched',
    remedy: 'see to it that go can reach its module proxy (go env GOPROXY), then run it again',
  },
];

/** The one line of a failed Go command, out of all that it printed. */
export function goFailure(part: Part, lines: readonly string[], log: string): Missing {
  for (const { pattern, what, remedy } of causes) {
    const line = lines.find((candidate) => pattern.test(candidate));
    if (line !== undefined) return missing(`${part} was not built, ${what}: ${shorten(line)}`, remedy);
  }
  const telling = lines.find((line) => line.includes(' ') && !/^(#|go: (downloading|finding))/.test(line));
  return missing(`${part} was not built: ${shorten(telling ?? lines.at(-1) ?? 'go said nothing')}`, `read ${log}`);
}

function shorten(line: string): string {
  const flat = line.trim().replaceAll(/\s+/g, ' ');
  return flat.length > 300 ? `${flat.slice(0, 300)} …` : flat;
}
