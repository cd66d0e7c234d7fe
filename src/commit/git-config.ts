import type { Git } from './git.ts';

/** Git's settings with all their sources: system, user, repository, includes, environment. The last value counts. */
export type GitConfig = ReadonlyMap<string, readonly string[]>;

export async function readConfig(git: Git, scope: readonly string[] = []): Promise<GitConfig> {
  return parseConfig((await git.ask(['config', ...scope, '--null', '--list'])).stdout);
}

function parseConfig(output: string): GitConfig {
  const config = new Map<string, string[]>();
  for (const entry of output.split('\0')) {
    if (entry === '') continue;
    const end = entry.indexOf('\n');
    const key = end === -1 ? entry : entry.slice(0, end);
    const value = end === -1 ? 'true' : entry.slice(end + 1);
    const values = config.get(key);
    if (values === undefined) config.set(key, [value]);
    else values.push(value);
  }
  return config;
}

export function configValue(config: GitConfig, key: string): string | undefined {
  return config.get(key)?.at(-1);
}

export function isSet(config: GitConfig, key: string): boolean {
  const value = configValue(config, key)?.toLowerCase() ?? 'false';
  return ['true', 'yes', 'on'].includes(value) || (/^[+-]?\d+$/.test(value) && Number(value) !== 0);
}

/** Names of the remotes, sorted, so that "the only one" does not depend on the order of a file. */
export function remoteNames(config: GitConfig): readonly string[] {
  const names = [...config.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** What a repository of ours beside the user's needs of its settings to reach servers and to sign as the user does. */
const shared =
  /^(?:http|https|credential|url|ssh|gpg|user)\.|^core\.(?:sshcommand|askpass|gitproxy)$|^commit\.gpgsign$|^protocol\./;

/** A configuration file with the shared settings, for `writeFile`: never as arguments, which other users can see. */
export function sharedConfigFile(local: GitConfig): string {
  let text = '';
  for (const [key, values] of local) {
    if (shared.test(key)) for (const value of values) text += configEntry(key, value);
  }
  return text;
}

export function configEntry(key: string, value: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
  const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${section}${subsection}]\n\t${key.slice(last + 1)} = "${quoted}"\n`;
}

/** Nothing of our commands runs the user's hooks; a push does (see `publish.ts`). */
export const quiet: readonly string[] = ['core.hooksPath=/dev/null'];

/**
 * For private checkouts: nothing converts line ends, or leaves out what a sparse checkout of the user's leaves out.
 * What is compiled and committed is what the commits hold.
 */
export const plain: readonly string[] = [
  ...quiet,
  'core.autocrlf=false',
  'core.eol=lf',
  'core.sparseCheckout=false',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
];
