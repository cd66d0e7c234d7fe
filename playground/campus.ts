import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { runGit } from '../test/support/temp-repo.ts';
import type { Repository } from './repository.ts';

/** What of the shipped state is played: one of its host clusters. The other one is compiled and has nobody to apply it. */
export const campus = {
  instance: 'campus',
  cluster: 'atlas',
  clusterConfig: 'state/clusters/atlas-metal.yaml',
  out: 'out/atlas',
  gitSecret: 'quiesce-git',
} as const;

const shipped = fileURLToPath(new URL('../state', import.meta.url));
const settingsFile = 'state/settings.yaml';

export interface Surroundings {
  readonly repository: Repository;
  /** Of the API server. */
  readonly server: string;
  readonly mailPort: number;
  readonly flux: boolean;
}

/** A clone with the shipped state, in which only the addresses of the playground are other ones; pushed. */
export async function seedState(clone: string, { repository, ...surroundings }: Surroundings): Promise<void> {
  await cloneRepository(repository, clone);
  await cp(shipped, join(clone, 'state'), { recursive: true });
  await writeFile(join(clone, '.gitignore'), '.quiesce/\n');
  const settings = join(clone, settingsFile);
  await writeFile(settings, adjust(await readFile(settings, 'utf8'), { url: repository.url, ...surroundings }));
  const git = (...args: readonly string[]) => runGit(clone, args, repository.env);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Begin with the state of the example campus');
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
}

/** Commits and pushes from it need nothing of a person's own configuration, and none of that can stop them. */
export async function cloneRepository({ url, env }: Repository, folder: string): Promise<void> {
  await runGit('/', ['clone', '--quiet', '--config', 'http.proxy=', url, folder], env);
  const settings = {
    'user.name': 'You',
    'user.email': 'you@example.edu',
    'commit.gpgSign': 'false',
    'pull.rebase': 'true',
    'rebase.autoStash': 'true',
    'core.hooksPath': '/dev/null',
  };
  for (const [key, value] of Object.entries(settings)) await runGit(folder, ['config', key, value], env);
}

interface Addresses {
  readonly url: string;
  readonly server: string;
  readonly mailPort: number;
  readonly flux: boolean;
}

interface Listed {
  readonly name: string;
}

function adjust(text: string, { url, server, mailPort, flux }: Addresses): string {
  const document = parseDocument(text);
  document.setIn(['spec', 'git', 'url'], url);
  const mail = { host: '127.0.0.1', port: mailPort, security: 'None' };
  for (const [key, value] of Object.entries(mail)) document.setIn(['spec', 'mail', key], value);
  document.deleteIn(['spec', 'mail', 'credentialsSecret']);
  const { spec } = document.toJS() as { spec: { clusters: readonly Listed[] } };
  const at = ['spec', 'clusters', spec.clusters.findIndex(({ name }) => name === campus.cluster)];
  document.setIn([...at, 'server'], server);
  if (flux) {
    document.setIn([...at, 'applier'], 'flux');
    document.setIn([...at, 'applierNamespace'], 'flux-system');
  }
  return document.toString({ lineWidth: 0 });
}
