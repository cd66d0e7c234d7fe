import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const stores = ['embeddedDatabase', 'embeddedEtcd', 'deployedEtcd', 'externalDatabase'] as const;

/** A repository with settings and `count` claims of all sorts, committed, without output. */
export function generateRepository(root: string, count: number): void {
  mkdirSync(join(root, 'state'), { recursive: true });
  writeFileSync(join(root, 'state', 'settings.yaml'), settings);
  for (let index = 0; index < count; index++) {
    const file = claimPath(root, index);
    if (index % 500 === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, claim(index));
  }
  startRepository(root);
  commitAll(root);
}

export function startRepository(root: string): void {
  git(root, 'init', '--quiet');
}

export function commitAll(root: string): void {
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--no-gpg-sign', '--message', 'bench');
}

export function cloneRepository(from: string, to: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', from, to], { stdio: 'ignore' });
}

export function claimPath(root: string, index: number): string {
  return join(root, 'state', 'claims', `group-${Math.floor(index / 500)}`, `${claimName(index)}.yaml`);
}

function git(root: string, ...args: string[]): void {
  const config = ['user.name=bench', 'user.email=bench@example.org', 'core.autocrlf=false', 'gc.auto=0'];
  execFileSync('git', ['-C', root, ...config.flatMap((setting) => ['-c', setting]), ...args], { stdio: 'ignore' });
}

/** One in seven is so long that vCluster shortens the names of its objects. */
function claimName(index: number): string {
  return index % 7 === 1 && index % 4 !== 2
    ? `course-${index}-with-a-name-longer-than-forty-six-char`
    : `team-${index}`;
}

/** Shapes repeat as they do in a real instance: some sizes, four backing stores, a few that sleep or are not exposed. */
function claim(index: number, state = index % 5 === 0 ? 'Sleeping' : 'Running'): string {
  const store = stores[index % 4] ?? 'embeddedDatabase';
  const replicas = store !== 'embeddedDatabase' && index % 3 === 0 ? 3 : 1;
  return `# yaml-language-server: $schema=../../schemas/vclusterclaim.schema.json
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ${claimName(index)}
spec:
  owner:
    name: Owner ${index}
    email: owner-${index}@example.edu # of the course
  state: ${state}
  cluster: ${index % 2 === 0 ? 'north' : 'south'}
  version: 0.30.1
  replicas: ${replicas}
  backingStore: ${store}
${store === 'externalDatabase' ? '  externalDatabaseSecret: database\n' : ''}  resources:
    requests:
      cpu: ${(index % 4) + 1}00m
      memory: 512Mi
    limits:
      memory: ${(index % 3) + 1}Gi
  storage:
    size: ${(index % 3) * 5 + 5}Gi
${index % 6 === 0 ? '  expose: false\n' : ''}${index % 9 === 0 ? '  expiry:\n    after: 30d\n    grace: 14d\n' : ''}`;
}

const settings = `apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata:
  name: quiesce
spec:
  clusters:
    - name: north
      server: https://north.example.edu:6443
      applier: argocd
      home: true
    - name: south
      server: https://south.example.edu:6443
      applier: argocd
  exposedAppsBaseDomain: apps.example.edu
  claims:
    version: 0.30.1
  git:
    url: https://git.example.edu/platform/quiesce.git
    author:
      name: Quiesce
      email: quiesce@example.edu
  images:
    quiesce: registry.example.edu/quiesce:0.1.0
`;
