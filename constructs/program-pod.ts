import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { ImageSettings, Settings } from '../src/resolve/state.ts';

/** Any number that is not root and that images without users agree on. */
const NOBODY = 65_532;

/** Parts of pods of our own programs: what Kubernetes' `restricted` standard asks for, and a read-only root. */
export const podSecurity: k8s.PodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: NOBODY,
  runAsGroup: NOBODY,
  fsGroup: NOBODY,
  seccompProfile: { type: 'RuntimeDefault' },
};

export const containerSecurity: k8s.SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export function imageOf({ quiesce, pullPolicy }: ImageSettings): {
  readonly image: string;
  readonly imagePullPolicy: string;
} {
  return { image: quiesce, imagePullPolicy: pullPolicy };
}

export function pullSecrets({ pullSecrets }: ImageSettings): k8s.LocalObjectReference[] {
  return pullSecrets.map((name) => ({ name }));
}

export function probe(
  path: string,
  port: string,
  limits: Pick<k8s.Probe, 'periodSeconds' | 'failureThreshold'>,
): k8s.Probe {
  return { httpGet: { path, port: k8s.IntOrString.fromString(port) }, timeoutSeconds: 5, ...limits };
}

/** Folders of a pod, each with the environment variable that says where it is. */
export interface Folder {
  readonly name: string;
  readonly path: string;
  readonly variable: string;
  readonly volume: Omit<k8s.Volume, 'name'>;
}

export function scratch(name: string, path: string, variable: string, sizeLimit: string): Folder {
  return { name, path, variable, volume: { emptyDir: { sizeLimit: k8s.Quantity.fromString(sizeLimit) } } };
}

/** Mounted rather than put into the environment: a changed Secret arrives without a restart, and no dump shows it. */
export function secret(name: string, secretName: string, variable: string, optional = false): Folder {
  const volume = { secret: { secretName, defaultMode: 0o440, ...(optional && { optional }) } };
  return { name, path: `/etc/quiesce/${name}`, variable, volume };
}

export function volumes(folders: readonly Folder[]): k8s.Volume[] {
  return folders.map(({ name, volume }) => ({ name, ...volume }));
}

export function volumeMounts(folders: readonly Folder[]): k8s.VolumeMount[] {
  return folders.map(({ name, path, volume }) => ({
    name,
    mountPath: path,
    ...(volume.secret !== undefined && { readOnly: true }),
  }));
}

export function environment(values: Readonly<Record<string, string>>, folders: readonly Folder[]): k8s.EnvVar[] {
  const paths = folders.map(({ variable, path }) => [variable, path] as const);
  return [...Object.entries(values), ...paths].map(([name, value]) => ({ name, value }));
}

/** Where the programs that write git find it, and room for a clone. Git wants a home that it may write to. */
export function gitEnvironment({ git }: Settings): Record<string, string> {
  return { HOME: '/tmp', QUIESCE_GIT_URL: git.url, QUIESCE_GIT_BRANCH: git.branch };
}

export function gitFolders({ git }: Settings): Folder[] {
  return [
    scratch('tmp', '/tmp', 'TMPDIR', '256Mi'),
    scratch('work', '/var/lib/quiesce', 'QUIESCE_WORK', '2Gi'),
    ...(git.credentialsSecret === undefined ? [] : [secret('git', git.credentialsSecret, 'QUIESCE_GIT_CREDENTIALS')]),
  ];
}
