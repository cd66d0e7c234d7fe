/** State files as text, for tests that are about something else than their content. */

export function settings(
  options: { readonly domain?: string; readonly clusters?: readonly string[]; readonly extra?: string } = {},
): string {
  const clusters = options.clusters ?? ['main'];
  const entries = clusters.map(
    (name, index) => `    - name: ${name}
      server: https://${name}.example.edu:6443
      applier: argocd
      home: ${index === 0}
`,
  );
  return `apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata:
  name: quiesce
spec:
  clusters:
${entries.join('')}  exposedAppsBaseDomain: ${options.domain ?? 'apps.example.edu'}
  claims:
    version: 0.30.1
  git:
    url: https://git.example.edu/platform/quiesce.git
    author:
      name: Quiesce
      email: quiesce@example.edu
  images:
    quiesce: registry.example.edu/quiesce:0.1.0
${options.extra ?? ''}`;
}

export function claim(
  name: string,
  options: {
    readonly state?: string;
    readonly replicas?: number;
    readonly expose?: boolean;
    readonly owner?: string;
    readonly cluster?: string;
  } = {},
): string {
  return `apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ${name}
spec:
  owner:
    name: ${JSON.stringify(options.owner ?? 'Ada Example')}
    email: ada@example.edu
  state: ${options.state ?? 'Running'}
  cluster: ${options.cluster ?? 'main'}
  backingStore: embeddedEtcd
  replicas: ${options.replicas ?? 1}
  expose: ${options.expose ?? true}
`;
}

/** A record of a completed uninstall. */
export function uninstalled(name: string, data: 'Deleted' | 'Kept'): string {
  return `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata:
  name: ${name}
spec:
  uninstalled:
    at: "2026-03-05T11:02:44Z"
    data: ${data}
`;
}
