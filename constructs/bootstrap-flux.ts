import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Settings } from '../src/resolve/state.ts';
import { apiGroup } from './api-group.ts';
import { type AppliedSource, appliedSource, applierName, type BootstrapProps } from './bootstrap-source.ts';
import { boundedName } from './bounded-name.ts';
import { definitions } from './crds.ts';
import { protectedAnnotations } from './protection.ts';

/**
 * What makes Flux apply one host cluster's folder. It names every claim and component, because kustomize takes minutes
 * for a thousand claims at once and one broken claim would stop all of them; so it changes with them, and manages
 * itself: a person applies it once. Its own two objects are protected, or a commit could saw off the branch.
 *
 * Deleting any of it by mistake loses nothing that holds data: Kustomizations let go of what they applied (`Orphan`),
 * except those of a claim and of an installation's own resource. They have to prune, or the resource of a claim whose
 * uninstall is over would stay for ever; what holds data there is marked itself.
 */
export function addFluxBootstrap(scope: Construct, settings: Settings, props: BootstrapProps): void {
  const { cluster, claims, installations } = props;
  const place: Place = { settings, props, source: appliedSource(settings.git, cluster) };
  addRepository(scope, place);
  addSelf(scope, place);
  addKustomization(scope, place, ['system'], {
    folder: 'system',
    deletionPolicy: 'Orphan',
    // Others wait for the kinds only: a sidecar that does not start must not hold up a claim.
    healthChecks: definitions.map(({ plural }) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: `${plural}.${apiGroup}`,
    })),
  });
  addKustomization(scope, place, ['maintenance'], {
    // Never dropped: it would let go of the last block, whose nodes would stay in maintenance for good. A folder that
    // has gone is an error to Flux, so without configs it applies nothing of one that is there, which prunes.
    ...(props.configs.length > 0 ? { folder: 'maintenance' } : { folder: 'bootstrap', empty: true }),
    dependsOn: [['system']],
    deletionPolicy: 'Orphan',
  });
  for (const claim of claims) {
    addKustomization(scope, place, ['claim', claim], {
      folder: `claims/${claim}`,
      dependsOn: [['system']],
      deletionPolicy: 'MirrorPrune',
    });
  }
  for (const installation of installations) addInstallation(scope, place, installation);
}

interface Place {
  readonly settings: Settings;
  readonly props: BootstrapProps;
  readonly source: AppliedSource;
}

/** Parts of the name of one of our Kustomizations. */
type Name = readonly string[];

interface Applied {
  readonly folder: string;
  /** Nothing of the folder after all. */
  readonly empty?: boolean;
  readonly dependsOn?: readonly Name[];
  readonly deletionPolicy: 'MirrorPrune' | 'Orphan';
  readonly healthChecks?: readonly { readonly apiVersion: string; readonly kind: string; readonly name: string }[];
  /** Ready when all of it is. */
  readonly wait?: boolean;
}

/**
 * The installation's resource first: its sidecar knows it before the first object comes. Each component waits until
 * those it depends on are ready. When one is dropped from git its Kustomization lets go of everything, and the sidecar
 * removes it in order.
 */
function addInstallation(
  scope: Construct,
  place: Place,
  { name, components }: BootstrapProps['installations'][number],
): void {
  const self: Name = ['installation', name];
  addKustomization(scope, place, self, {
    folder: `installations/${name}/_installation`,
    dependsOn: [['system']],
    deletionPolicy: 'MirrorPrune',
  });
  for (const component of components) {
    addKustomization(scope, place, [...self, component.name], {
      folder: `installations/${name}/${component.name}`,
      dependsOn: [self, ...component.dependsOn.map((other) => [...self, other])],
      deletionPolicy: 'Orphan',
      wait: true,
    });
  }
}

/** Whatever else the repository holds (the state, with people's addresses) does not go into the artifact. */
function addRepository(scope: Construct, place: Place): void {
  const { url, branch, folder } = place.source;
  const { credentialsSecret } = place.settings.git;
  new ApiObject(scope, 'repository', {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { ...metadataOf(place, []), annotations: { ...protectedAnnotations } },
    spec: {
      interval: '1m',
      timeout: '2m',
      url: withScheme(url),
      ref: { branch },
      // The Secret of this name in Flux's own namespace: it reads none in another one.
      ...(credentialsSecret !== undefined && { secretRef: { name: credentialsSecret } }),
      ignore: onlyFolder(folder),
    },
  });
}

/** The Kustomization of this very file, on the cluster that Flux runs on. */
function addSelf(scope: Construct, place: Place): void {
  new ApiObject(scope, 'self', {
    apiVersion: KUSTOMIZATION,
    kind: 'Kustomization',
    metadata: { ...metadataOf(place, []), annotations: { ...protectedAnnotations } },
    spec: specOf(place, { folder: 'bootstrap', deletionPolicy: 'Orphan' }),
  });
}

const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/v1';

function addKustomization(scope: Construct, place: Place, name: Name, applied: Applied): void {
  const { kubeConfigSecret } = place.props.cluster;
  new ApiObject(scope, name.join('.'), {
    apiVersion: KUSTOMIZATION,
    kind: 'Kustomization',
    metadata: metadataOf(place, name),
    spec: {
      ...specOf(place, applied),
      ...(kubeConfigSecret !== undefined && { kubeConfig: { secretRef: { name: kubeConfigSecret } } }),
    },
  });
}

function specOf(place: Place, { folder, empty, dependsOn, deletionPolicy, healthChecks, wait }: Applied) {
  return {
    sourceRef: { kind: 'GitRepository', name: nameOf(place, []) },
    path: `./${place.source.folder}/${folder}`,
    ...(dependsOn !== undefined && { dependsOn: dependsOn.map((name) => ({ name: nameOf(place, name) })) }),
    interval: '10m',
    retryInterval: '1m',
    timeout: '5m',
    prune: true,
    // Never: replacing an object whose immutable fields changed deletes it first.
    force: false,
    deletionPolicy,
    ...(empty === true && { patches: [{ target: { name: '.*' }, patch: dropped }] }),
    ...(healthChecks !== undefined && { healthChecks: [...healthChecks] }),
    ...(wait !== undefined && { wait }),
  };
}

/** A patch says of what kind and name it is, but it is its target that counts. */
const dropped = '{apiVersion: any, kind: Any, metadata: {name: any}, $patch: delete}';

function metadataOf(place: Place, name: Name) {
  return {
    name: nameOf(place, name),
    namespace: place.props.cluster.applierNamespace,
    labels: { 'app.kubernetes.io/part-of': 'quiesce' },
  };
}

/** Flux labels everything it applies with the name of its Kustomization, so that has to fit into a label. */
function nameOf({ settings, props }: Place, name: Name): string {
  return boundedName(applierName(settings, props.cluster, ...name));
}

/** Flux takes URLs only: `git@host:path` is `ssh://git@host/path`. */
function withScheme(url: string): string {
  const short = /^([^/:@\s]+@[^/:\s]+):(?!\/\/)\/?(.+)$/.exec(url);
  return short === null ? url : `ssh://${short[1]}/${short[2]}`;
}

/** Rules of .gitignore for everything but one folder: a folder that is ignored cannot have parts that are not. */
function onlyFolder(folder: string): string {
  const steps = folder.split('/');
  const above = steps.map((_, depth) =>
    steps
      .slice(0, depth)
      .map((step) => `/${step}`)
      .join(''),
  );
  return steps.map((step, depth) => `${above[depth] ?? ''}/*\n!${above[depth] ?? ''}/${step}\n`).join('');
}
