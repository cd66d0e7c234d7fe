import { clusterMarker } from '../../resolve/translate.ts';
import type { ObjectId, Ownership, PlannedComponent, UninstallPlan } from '../uninstall/plan.ts';
import type { ObservedClaim } from './observation.ts';

type Hash = (text: string) => string;

/** A claim's uninstall is not given up: what is in its way is named until it is gone. */
const tenYears = 10 * 365 * 86_400;

const managedBy = 'vcluster.loft.sh/managed-by';

/**
 * What has to go of a claim, in four parts. First the control plane, which makes again what it misses. Then what it has
 * synced, then the rest of what was rendered for it. Last what bears data, and the Services: the first of them owns
 * everything that was synced, the tenant's volumes included, so the garbage collector takes them with it.
 *
 * `spaces`: namespaces that it has made as copies of its own. They go as any other does: with nothing of anybody's in
 * them.
 *
 * A part that comes first in the list has an object that two of them select; the order of work is that of `after`. That
 * git says Deleted is the confirmation.
 */
export function uninstallPlanOf(
  { name, uid, spec }: ObservedClaim,
  hash: Hash,
  spaces: readonly string[] = [],
): UninstallPlan {
  const { namespace, objects, keepData } = spec;
  const synced = { [managedBy]: name };
  const everywhere = { [managedBy]: clusterMarker(namespace, name, hash) };
  const rendered = { 'quiesce.dev/claim': name };
  const here = (labels: Ownership['labels'], ...kinds: readonly string[]): Ownership => ({
    labels,
    namespace,
    ...(kinds.length > 0 && { kinds }),
  });
  // Its deletion would take volumes with it that are to stay.
  const service: ObjectId = { apiVersion: 'v1', kind: 'Service', namespace, name };
  const part = partOf(namespace, keepData ? [service] : []);
  // They go with their workload, unless somebody has deleted that and left them running.
  const controlPlanePods = ['vcluster', 'vcluster-etcd'].map((app) => here({ app, release: name }, 'Pod'));
  const data: Pick<PlannedComponent, 'volumeClaims' | 'persistentVolumeClaims'> = {
    volumeClaims: [name, `${name}-etcd`].map((statefulSet) => ({ namespace, template: 'data', statefulSet })),
    persistentVolumeClaims: keepData ? 'Retain' : 'Delete',
  };
  // What Helm has written of a release of this name, of a claim that is older than its move to git.
  // In the namespaces that it has made, either mark tells.
  const copied = spaces.flatMap((space) =>
    [synced, everywhere].map((labels): Ownership => ({ labels, namespace: space })),
  );
  const releases = [here({ owner: 'helm', name }, 'Secret')];
  return {
    subject: { kind: 'VClusterClaim', name, uid },
    run: uid,
    strategy: 'Ordered',
    confirmed: true,
    timeoutSeconds: tenYears,
    parallel: 1,
    components: [
      part('data', ['rest'], {
        own: [
          here(rendered, 'Service'),
          here(synced, 'PersistentVolumeClaim'),
          ...copied.map((own): Ownership => ({ ...own, kinds: ['PersistentVolumeClaim'] })),
        ],
        ...data,
      }),
      // Named here as well, so that none has to be marked as theirs before they go.
      part('workloads', [], { own: [here(rendered, 'StatefulSet', 'Deployment'), ...controlPlanePods], ...data }),
      part('synced', ['workloads'], {
        own: [here(synced), ...copied, { labels: everywhere, clusterScoped: true }],
      }),
      part('rest', ['synced'], {
        own: [here(rendered), { labels: rendered, clusterScoped: true }, ...releases],
        named: [`vc-${name}`, `${name}-certs`].map((secret) => secretOf(namespace, secret)),
        listed: objects,
      }),
    ],
  };
}

/** Written by the control plane: the kubeconfig, and certificates for an etcd beside it. */
function secretOf(namespace: string, name: string): ObjectId {
  return { apiVersion: 'v1', kind: 'Secret', namespace, name };
}

function partOf(namespace: string, kept: readonly ObjectId[]) {
  return (name: string, after: readonly string[], differs: Partial<PlannedComponent>): PlannedComponent => ({
    name,
    after,
    namespace,
    own: [],
    named: [],
    listed: [],
    keep: { listed: kept, own: [] },
    sweeps: [],
    volumeClaims: [],
    persistentVolumeClaims: 'Delete',
    namespaces: 'DeleteWhenEmpty',
    hooks: { preDelete: [], delete: [], postDelete: [] },
    ...differs,
  });
}
