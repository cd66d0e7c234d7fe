import type { Cluster } from './cluster.ts';
import type { KubeObject } from './objects.ts';

/** What Argo CD wants to find before it starts: its namespace, its settings, its secret and the project `default`. */
export function argoCdObjects(namespace: string, settings: Readonly<Record<string, string>>): readonly KubeObject[] {
  const metadata = (name: string) => ({ name, namespace, labels: { 'app.kubernetes.io/part-of': 'argocd' } });
  // Outside of a Pod there is no cluster of its own that it could find by itself.
  const data = { 'cluster.inClusterEnabled': 'false', ...settings };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    configMap(metadata('argocd-cm'), data),
    configMap(metadata('argocd-rbac-cm'), {}),
    secret(metadata('argocd-secret'), { 'server.secretkey': 'for-tests-only' }),
    project({ name: 'default', namespace }),
  ];
}

/** How Argo CD knows a cluster: by its URL, and by the name it has in tests. */
export function clusterSecret(namespace: string, { name, access }: Cluster): KubeObject {
  const metadata = { name: `cluster-${name}`, namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } };
  const caData = Buffer.from(access.ca).toString('base64');
  const config = JSON.stringify({ bearerToken: access.token, tlsClientConfig: { caData } });
  return secret(metadata, { name, server: access.url, config });
}

export interface RepositoryCredentials {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** For a git server that asks for a password. */
export function repositorySecret(name: string, { url, username, password }: RepositoryCredentials): KubeObject {
  const metadata = { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } };
  return secret(metadata, { type: 'git', url, username, password });
}

function configMap(metadata: KubeObject['metadata'], data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

function secret(metadata: KubeObject['metadata'], stringData: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata, stringData };
}

function project(metadata: KubeObject['metadata']): KubeObject {
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec };
}
