import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAssets, findAssets } from './assets.ts';
import { fakeMachine, script, write } from './fake-programs.ts';

const told: Readonly<Record<string, string>> = {
  etcd: 'etcd Version: 3.6.5',
  'kube-apiserver': 'Kubernetes v1.35.4',
  'kube-controller-manager': 'Kubernetes v1.35.4',
  'kube-scheduler': 'Kubernetes v1.35.4',
  kubectl: 'Client Version: v1.35.4',
  kwok: 'kwok version v0.8.0',
  'argocd-application-controller': '',
  'argocd-repo-server': '',
  'argocd-applicationset-controller': '',
  'source-controller': '',
  'kustomize-controller': '',
  helm: 'v4.2.4',
  helm3: 'v3.21.4',
};
const crds = ['argocd', 'source-controller', 'kustomize-controller'];

async function folderWith(versions: Readonly<Record<string, string>> = {}) {
  const machine = await fakeMachine('none');
  const folder = join(machine.folder, 'assets');
  const files = { ...told, ...versions };
  for (const [name, text] of Object.entries(files)) await script(join(folder, name), `echo '${text}'`);
  for (const name of crds) await write(join(folder, 'crds', name, 'thing.yaml'), 'kind: CustomResourceDefinition\n');
  return { folder, env: { ...machine.env, QUIESCE_ASSETS: folder } };
}

describe('QUIESCE_ASSETS', () => {
  it('is used as it is: nothing is built and no Go is needed', async () => {
    const { folder, env } = await folderWith();
    const result = await buildAssets(env, { progress: () => undefined });
    expect(result).toMatchObject({
      kind: 'ready',
      assets: {
        apiserver: [join(folder, 'kube-apiserver')],
        helm4: [join(folder, 'helm')],
        argocdCrds: join(folder, 'crds/argocd'),
        fluxCrds: [join(folder, 'crds/source-controller'), join(folder, 'crds/kustomize-controller')],
      },
    });
    expect(await findAssets(env)).toEqual(result);
  });

  it('accepts another patch version', async () => {
    const { env } = await folderWith({ 'kube-apiserver': 'Kubernetes v1.35.9' });
    expect(await findAssets(env)).toMatchObject({ kind: 'ready' });
  });

  it('names everything that is missing or of another version, in one line', async () => {
    const { folder, env } = await folderWith({ 'kube-apiserver': 'Kubernetes v1.36.1', kwok: 'unknown command' });
    await rm(join(folder, 'etcd'));
    await rm(join(folder, 'crds/argocd'), { recursive: true });
    expect(await findAssets(env)).toEqual({
      kind: 'missing',
      reason: [
        `QUIESCE_ASSETS=${folder}: no etcd`,
        'kube-apiserver is 1.36.1 and 1.35.4 is wanted',
        'kwok does not tell its version',
        'no crds/argocd/*.yaml',
      ].join(', '),
      remedy: 'put the right files there, or unset QUIESCE_ASSETS to build them (npm run controlplane)',
    });
  });
});

describe('KUBEBUILDER_ASSETS', () => {
  it('gives etcd, kube-apiserver and kubectl; the rest is built', async () => {
    const { folder } = await folderWith();
    const { env } = await fakeMachine();
    const result = await buildAssets({ ...env, KUBEBUILDER_ASSETS: folder }, { progress: () => undefined });
    expect(result).toMatchObject({
      kind: 'ready',
      assets: {
        etcd: [join(folder, 'etcd')],
        apiserver: [join(folder, 'kube-apiserver')],
        kubectl: [join(folder, 'kubectl')],
        scheduler: [expect.stringMatching(/kube$/), 'kube-scheduler'],
      },
    });
  });

  it('of another version is refused', async () => {
    const { folder } = await folderWith({ etcd: 'etcd Version: 3.5.21' });
    const { env } = await fakeMachine();
    const result = await buildAssets({ ...env, KUBEBUILDER_ASSETS: folder }, { progress: () => undefined });
    expect(result).toMatchObject({ reason: `KUBEBUILDER_ASSETS=${folder}: etcd is 3.5.21 and 3.6.5 is wanted` });
  });
});
