import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { configEntry } from '../commit/git-config.ts';
import { nowhere, Stop } from '../commit/stop.ts';

/**
 * Git's settings for a folder of credentials. The keys are those that Flux has in its Secrets, so one Secret serves
 * both: `username` and `password` (or a `bearerToken`), `ca.crt`, and for SSH `identity` and `known_hosts`. Git reads
 * the files each time, so a changed Secret counts without a restart, and nothing secret is copied.
 */
export function credentialSettings(folder: string, url: string): string {
  const names = new Set(filesIn(folder));
  const file = (name: string): string => quoted(join(folder, name));
  const settings: string[] = [];
  if (names.has('password')) {
    const username = names.has('username') ? `$(cat ${file('username')})` : 'git';
    settings.push(helper(`echo "username=${username}"; echo "password=$(cat ${file('password')})"`));
  } else if (names.has('bearerToken')) {
    settings.push(helper(`echo "username=git"; echo "password=$(cat ${file('bearerToken')})"`));
  }
  for (const name of ['ca.crt', 'caFile']) {
    if (names.has(name)) settings.push(configEntry(`http.${url}.sslCAInfo`, join(folder, name)));
  }
  if (names.has('identity')) settings.push(configEntry('core.sshCommand', sshCommand(names, file)));
  if (settings.length === 0) throw new Stop(unusable(folder));
  return settings.join('');
}

/** `get` is the only question that is answered: nothing is to be stored or erased. */
function helper(answer: string): string {
  return configEntry('credential.helper', `!f() { test "$1" = get || exit 0; ${answer}; }; f`);
}

/** A host whose key is not known is not trusted: who could stand in for the server would get our commits. */
function sshCommand(names: ReadonlySet<string>, file: (name: string) => string): string {
  const hosts = names.has('known_hosts') ? ` -o UserKnownHostsFile=${file('known_hosts')}` : '';
  return `ssh -i ${file('identity')} -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=yes${hosts}`;
}

/** For the shell that git starts helpers with. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function unusable(folder: string) {
  return {
    code: 'commit-credentials',
    at: nowhere,
    message: `${folder} holds no credentials for git.`,
    remedy: 'Give the Secret the keys "username" and "password", or "identity" and "known_hosts" for SSH.',
  } as const;
}
