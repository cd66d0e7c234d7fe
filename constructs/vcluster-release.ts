/** What a release of vCluster is run with, unless its chart is asked to say otherwise. */
export interface VClusterRelease {
  readonly controlPlane: string;
  /** Brings the API server's and controller manager's binaries, copied into the pod by an init container. */
  readonly kubernetes: string;
  readonly etcd: string;
}

/**
 * Newest first: from this minor version on, the chart's default Kubernetes and the etcd that belongs to it. A release
 * in between runs with the older row: vCluster supports several Kubernetes versions, newer ones not at all.
 */
const defaults: readonly { readonly from: number; readonly kubernetes: string; readonly etcd: string }[] = [
  { from: 36, kubernetes: 'v1.36.0', etcd: '3.6.7-0' },
  { from: 34, kubernetes: 'v1.35.0', etcd: '3.6.7-0' },
  { from: 31, kubernetes: 'v1.34.0', etcd: '3.6.4-0' },
  { from: 28, kubernetes: 'v1.33.4', etcd: '3.5.21-0' },
];
const oldest = { kubernetes: 'v1.32.1', etcd: '3.5.21-0' };

/**
 * Older releases read their configuration elsewhere and need the CoreDNS manifests in a ConfigMap from the chart: they
 * start and do not work when rendered as later ones are. They are for `spec.chart`.
 */
export const oldestBuiltInMinor = 27;

export function vclusterRelease(version: string): VClusterRelease {
  const minor = minorVersion(version) ?? Number.POSITIVE_INFINITY;
  const { kubernetes, etcd } = defaults.find(({ from }) => minor >= from) ?? oldest;
  return {
    controlPlane: `ghcr.io/loft-sh/vcluster-pro:${version}`,
    kubernetes: `ghcr.io/loft-sh/kubernetes:${kubernetes}`,
    etcd: `registry.k8s.io/etcd:${etcd}`,
  };
}

/** Minor version while vCluster is at 0.x; undefined for what is no such version, or a later major one. */
export function minorVersion(version: string): number | undefined {
  const minor = /^v?0\.(\d+)\./.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
