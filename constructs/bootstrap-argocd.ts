import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { HostCluster, Settings } from '../src/resolve/state.ts';
import { type AppliedSource, appliedSource, applierName } from './bootstrap-source.ts';

const API_VERSION = 'argoproj.io/v1alpha1';

/**
 * What makes Argo CD (3.2 or later) apply one host cluster's folder. A person applies this once, and again when the
 * settings change: it does not manage itself, since claims and installations are found by their folders, and a commit
 * that broke it could not be mended by another commit.
 *
 * Deleting any of it by mistake loses nothing that holds data. The two single Applications have no finalizer, so
 * they leave everything. Those of claims and installations get one from their ApplicationSet: they have to, or the
 * resource of a claim whose uninstall is over would stay for ever. What holds data says `Delete=false` itself.
 */
export function addArgoCdBootstrap(scope: Construct, settings: Settings, cluster: HostCluster): void {
  const source = appliedSource(settings.git, cluster);
  const place: Place = { settings, cluster, source };
  addProject(scope, place);
  addApplication(scope, place, 'system', { path: `${source.folder}/system`, refresh: '.' });
  // From the folder above, which is always there: when the last cluster config goes, its block has to be pruned, and a
  // folder that has gone is an error to Argo CD. For the same reason nothing left at all is not one.
  addApplication(scope, place, 'maintenance', {
    path: source.folder,
    refresh: './maintenance',
    include: 'maintenance/*.k8s.yaml',
    allowEmpty: true,
  });
  addApplicationSet(scope, place, 'claims', 'claim');
  addApplicationSet(scope, place, 'installations', 'installation');
}

interface Place {
  readonly settings: Settings;
  readonly cluster: HostCluster;
  readonly source: AppliedSource;
}

interface Folder {
  readonly path: string;
  /** What has to change before Argo CD looks at it again; without it, every commit is looked at for every claim. */
  readonly refresh: string;
  readonly include?: string;
  readonly allowEmpty?: boolean;
}

/** The one repository, the one cluster: a manifest in git cannot reach beyond them. */
function addProject(scope: Construct, { settings, cluster, source }: Place): void {
  new ApiObject(scope, 'project', {
    apiVersion: API_VERSION,
    kind: 'AppProject',
    metadata: metadataOf(settings, cluster),
    spec: {
      description: `What ${settings.name} applies to ${cluster.name}`,
      sourceRepos: [source.url],
      destinations: [{ server: cluster.server, namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  });
}

function addApplication(scope: Construct, place: Place, part: string, folder: Folder): void {
  const { annotations, spec } = application(place, folder);
  new ApiObject(scope, part, {
    apiVersion: API_VERSION,
    kind: 'Application',
    metadata: { ...metadataOf(place.settings, place.cluster, part), annotations },
    spec,
  });
}

/**
 * One Application for each folder. A folder that is gone takes its Application with it, and that its unprotected
 * objects: of a claim whose uninstall is over, only its own resource is left.
 */
function addApplicationSet(scope: Construct, place: Place, folder: string, part: string): void {
  const { settings, cluster, source } = place;
  const { annotations, spec } = application(place, { path: '{{.path.path}}', refresh: '.' });
  new ApiObject(scope, folder, {
    apiVersion: API_VERSION,
    kind: 'ApplicationSet',
    metadata: metadataOf(settings, cluster, folder),
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          git: {
            repoURL: source.url,
            revision: source.branch,
            directories: [{ path: `${source.folder}/${folder}/*` }],
          },
        },
      ],
      syncPolicy: { preserveResourcesOnDeletion: false },
      template: {
        metadata: {
          name: applierName(settings, cluster, part, '{{.path.basename}}'),
          labels: { 'app.kubernetes.io/part-of': 'quiesce', [`quiesce.dev/${part}`]: '{{.path.basename}}' },
          annotations,
        },
        spec,
      },
    },
  });
}

function application({ settings, cluster, source }: Place, folder: Folder) {
  return {
    annotations: {
      'argocd.argoproj.io/manifest-generate-paths': folder.refresh,
      // The server says what would change, so that what it fills in by itself is no difference.
      'argocd.argoproj.io/compare-options': 'ServerSideDiff=true',
    },
    spec: {
      project: applierName(settings, cluster),
      source: {
        repoURL: source.url,
        targetRevision: source.branch,
        path: folder.path,
        // Our files only, whatever else lies there; and never taken for a chart or a kustomization.
        directory: { recurse: true, include: folder.include ?? '*.k8s.yaml' },
      },
      destination: { server: cluster.server },
      revisionHistoryLimit: 3,
      syncPolicy: {
        automated: { prune: true, selfHeal: true, ...(folder.allowEmpty === true && { allowEmpty: true }) },
        syncOptions: syncOptions.map(({ option }) => option),
        // Without an end: after the last retry Argo CD leaves a revision alone for good, and for these folders every
        // later revision without a change in them too. This is also how resources wait for their CRDs.
        retry: { limit: -1, refresh: true, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
      },
    },
  };
}

/**
 * Not among them: `FailOnSharedResource`. It looks at who applied an object last, also if that Application is gone, so
 * a claim could never be taken over from an earlier tool; that two of our files hold one object is found when compiling.
 */
const syncOptions: readonly { readonly option: string; readonly why: string }[] = [
  {
    option: 'ServerSideApply=true',
    why: 'Owns the fields in git and no others, as Flux does; no limit of 262,144 bytes.',
  },
  { option: 'CreateNamespace=false', why: 'A namespace is a manifest with protection, or it is not ours.' },
  { option: 'ApplyOutOfSyncOnly=true', why: 'A claim that sleeps is one request, not ten.' },
];

function metadataOf(settings: Settings, cluster: HostCluster, ...parts: readonly string[]) {
  return {
    name: applierName(settings, cluster, ...parts),
    namespace: cluster.applierNamespace,
    labels: { 'app.kubernetes.io/part-of': 'quiesce' },
  };
}
