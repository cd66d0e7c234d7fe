import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtCommand } from '../../commands/built.ts';
import { kubeconfigText, writeKubeconfig } from '../../support/access.ts';
import { ran } from '../lifecycle/lab.ts';
import { gitUser, repositoryName } from './campus.ts';
import type { World } from './world.ts';

/** The lifecycle runner, with what its CronJob on the home cluster has. */
export interface Runner {
  /** Two hours of it: who has to be told is told in one run, and what follows from that is done in the next. */
  run(): Promise<void>;
}

export async function openRunner({ hosts: { atlas, borealis }, server, workshop }: World): Promise<Runner> {
  const token = await atlas.tokenFor('quiesce-system', 'quiesce-lifecycle');
  const secret = (name: string, files: Readonly<Record<string, string>>) => secretFolder(workshop.path(name), files);
  const env = {
    ...workshop.env,
    NO_COLOR: '1',
    KUBECONFIG: await writeKubeconfig(workshop.path('runner.kubeconfig'), { ...atlas.access, token }),
    QUIESCE_CLUSTER: 'atlas',
    QUIESCE_KUBECONFIGS: secret('kubeconfigs', { borealis: kubeconfigText(borealis.access) }),
    QUIESCE_GIT_URL: server.url(repositoryName),
    QUIESCE_GIT_BRANCH: 'main',
    QUIESCE_GIT_CREDENTIALS: secret('git-secret', gitUser),
    QUIESCE_KEYS: secret('keys', { 'key-1': randomBytes(32).toString('base64') }),
    QUIESCE_WORK: workshop.path('runner'),
  };
  const file = await builtCommand();
  const run = async () => {
    const { status, stderr } = await ran({ file, args: ['lifecycle'], env });
    if (status !== 0) throw new Error(`the runner ended with ${status}: ${stderr}`);
  };
  return {
    run: async () => {
      await run();
      await run();
    },
  };
}

/** As a mounted Secret. */
function secretFolder(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}
