export const parts = ['kube', 'kwok', 'argocd', 'flux-source', 'flux-kustomize', 'helm4', 'helm3'] as const;
export type Part = (typeof parts)[number];

/** How a package of a Go module of this folder becomes a program. */
export interface Recipe {
  readonly part: Part;
  /** What a person waiting for it wants to read. */
  readonly holds: string;
  /** The module's folder beside this file. What parts of one module share is compiled once. */
  readonly module: string;
  /** The package: a folder of the module, or what one of its `tool` lines names. */
  readonly package: string;
  /** The program's file name. Argo CD's must be `argocd`: its repo server calls it by that name. */
  readonly program: string;
  /** Linker variables. Without them a program calls itself a development version, and clients that parse it fail. */
  readonly stamps: Readonly<Record<string, string>>;
  /** A folder of a required module whose CustomResourceDefinitions belong to the part. */
  readonly crds?: { readonly module: string; readonly folder: string };
}

/** What is in the modules; `wanted` of ready-binaries.ts compares other people's binaries with it. */
export const versions = {
  etcd: '3.6.5',
  kubernetes: '1.35.4',
  kwok: '0.8.0',
  argocd: '3.2.11',
  flux: '1.9.6',
  helm4: '4.2.4',
  helm3: '3.21.4',
} as const;

function kubernetesStamps(version: string): Record<string, string> {
  const [major = '', minor = ''] = version.split('.');
  const variables = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return Object.fromEntries(
    packages.flatMap((name) => Object.entries(variables).map(([variable, value]) => [`${name}.${variable}`, value])),
  );
}

/** In the order of a build: the parts that most tests need come first. */
export const recipes: readonly Recipe[] = [
  {
    part: 'kube',
    holds: `etcd ${versions.etcd}, API server, controller manager, scheduler, kubectl ${versions.kubernetes}`,
    module: 'servers',
    package: './kube',
    program: 'kube',
    stamps: kubernetesStamps(versions.kubernetes),
  },
  {
    part: 'kwok',
    holds: `kwok ${versions.kwok}`,
    module: 'tools',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    program: 'kwok',
    stamps: { 'sigs.k8s.io/kwok/pkg/consts.Version': versions.kwok },
  },
  {
    part: 'argocd',
    holds: `Argo CD ${versions.argocd}: application controller, repo server, ApplicationSet controller`,
    module: 'servers',
    package: './argocd',
    program: 'argocd',
    stamps: { 'github.com/argoproj/argo-cd/v3/common.version': versions.argocd },
    crds: { module: 'github.com/argoproj/argo-cd/v3', folder: 'manifests/crds' },
  },
  {
    part: 'flux-source',
    holds: `Flux source-controller ${versions.flux}`,
    module: 'tools',
    package: 'github.com/fluxcd/source-controller',
    program: 'source-controller',
    stamps: {},
    crds: { module: 'github.com/fluxcd/source-controller', folder: 'config/crd/bases' },
  },
  {
    part: 'flux-kustomize',
    holds: `Flux kustomize-controller ${versions.flux}`,
    module: 'tools',
    package: 'github.com/fluxcd/kustomize-controller',
    program: 'kustomize-controller',
    stamps: {},
    crds: { module: 'github.com/fluxcd/kustomize-controller', folder: 'config/crd/bases' },
  },
  {
    part: 'helm4',
    holds: `Helm ${versions.helm4}`,
    module: 'tools',
    package: 'helm.sh/helm/v4/cmd/helm',
    program: 'helm',
    stamps: { 'helm.sh/helm/v4/internal/version.version': `v${versions.helm4}` },
  },
  {
    part: 'helm3',
    holds: `Helm ${versions.helm3}`,
    module: 'tools',
    package: 'helm.sh/helm/v3/cmd/helm',
    program: 'helm',
    stamps: {
      'helm.sh/helm/v3/internal/version.version': `v${versions.helm3}`,
      // What `helm template` assumes of a cluster it does not ask: the version of its client-go, as in Helm's release.
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '36',
    },
  },
];

/** Everything that decides the bytes of the program, besides the module's files and the Go version. */
export function buildFlags(recipe: Recipe): readonly string[] {
  const stamps = Object.entries(recipe.stamps).map(([variable, value]) => `-X ${variable}=${value}`);
  return [
    ...['-mod=readonly', '-trimpath', '-buildvcs=false'],
    // The control plane's own etcd client and Argo CD's gRPC take Kubernetes' types for messages of the older library.
    ...['-tags', 'kubernetes_protomessage_one_more_release'],
    // Nobody debugs them: an eighth of the time, a quarter of the build cache.
    ...['-gcflags', 'all=-dwarf=false'],
    ...['-ldflags', ['-s', '-w', ...stamps].join(' ')],
  ];
}

/**
 * No C compiler is asked for, no other Go toolchain is fetched, a go.work or a cross-compilation of the surroundings
 * does not reach in. Proxies, module and build caches stay as the machine sets them.
 */
export const buildEnvironment: Readonly<Record<string, string>> = {
  CGO_ENABLED: '0',
  GOOS: '',
  GOARCH: '',
  GOTOOLCHAIN: 'local',
  GOWORK: 'off',
};
