import type { Hash } from './tools.ts';

/** Longest name that vCluster leaves as it is: what a label value or a Service name may have. */
const longest = 63;

/**
 * The host name of a namespaced object of a virtual cluster, as vCluster itself makes it (`pkg/util/translate`). Names of
 * Kubernetes objects are ASCII, so characters are bytes here.
 */
export function translate(name: string, namespace: string, vcluster: string, hash: Hash): string {
  return shorten(`${name}-x-${namespace}-x-${vcluster}`, hash);
}

/** The same for an object without a namespace; `hostNamespace` is where the virtual cluster itself lives. */
export function translateClusterScoped(name: string, hostNamespace: string, vcluster: string, hash: Hash): string {
  return shorten(`vcluster-${name}-x-${hostNamespace}-x-${vcluster}`, hash);
}

/** Value of `vcluster.loft.sh/managed-by` on objects without a namespace; on the others it is the plain name. */
export function clusterMarker(hostNamespace: string, vcluster: string, hash: Hash): string {
  return shorten(`${hostNamespace}-x-${vcluster}`, hash);
}

/** A cut that falls on a dot leaves `.-`, which no name may contain: the dot goes, and the name has 62 characters. */
function shorten(joined: string, hash: Hash): string {
  if (joined.length <= longest) return joined;
  return `${joined.slice(0, 52)}-${hash(joined).slice(0, 10)}`.replaceAll('.-', '-');
}
