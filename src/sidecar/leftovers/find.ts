import { clusterMarker } from '../../resolve/translate.ts';
import { shown } from '../../validate/grammar/fault.ts';
import type { Leftover, LeftoverCode, LeftoversObservation, SeenObject } from './observation.ts';

type Hash = (text: string) => string;
type Finder = (observation: LeftoversObservation, hash: Hash) => readonly Leftover[];

/** What earlier tools, uninstalls that were cut short, and people have left; in a total order. */
export function findLeftovers(observation: LeftoversObservation, hash: Hash): readonly Leftover[] {
  const found = finders.flatMap((find) => find(observation, hash));
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const finders: readonly Finder[] = [ofGoneClaims, ofGoneInstallations, dangling, orphanedPods, foreignLabels];

function keyOf({ code, object: { namespace = '', kind, name }, message }: Leftover): string {
  return [namespace, code, kind, name, message].join(' ');
}

const managedBy = 'vcluster.loft.sh/managed-by';
const claimLabel = 'quiesce.dev/claim';
const installationLabel = 'quiesce.dev/installation';

/** A virtual cluster is there as long as its control plane is, asleep or not, or a claim asks for it. */
function ofGoneClaims({ claims, controlPlanes, objects }: LeftoversObservation, hash: Hash): Leftover[] {
  const alive = [...controlPlanes, ...claims.map((name) => ({ namespace: `vcluster-${name}`, name }))];
  const places = new Set(alive.map(({ namespace, name }) => `${namespace}/${name}`));
  const markers = new Set(alive.map(({ namespace, name }) => clusterMarker(namespace, name, hash)));
  const names = new Set(alive.map(({ name }) => name));
  const isAlive = (owner: string) => markers.has(owner) || names.has(owner);
  const copies = new Set(objects.filter((object) => isCopyOf(object, markers)).map(({ name }) => name));
  return objects.flatMap((object): Leftover[] => {
    const owner = virtualClusterOf(object);
    if (owner === undefined) return [];
    const { namespace, labels } = object;
    // Somebody may have copied a manifest, label and all, to another place.
    if (labels[claimLabel] === owner && claims.includes(owner)) return [];
    const isOutside = namespace === undefined || copies.has(namespace);
    const isThere = isOutside ? isAlive(owner) : places.has(`${namespace}/${owner}`);
    return isThere
      ? []
      : [left(codeOf(object), object, owner, `is of ${shown(owner)}, and there is no such virtual cluster`)];
  });
}

/** A namespace that a virtual cluster has made outside of its own. */
function isCopyOf({ kind, labels }: SeenObject, markers: ReadonlySet<string>): boolean {
  return kind === 'Namespace' && markers.has(labels[managedBy] ?? '');
}

/** The plain name; of what is synced and has no namespace, the name with that of its host namespace. */
function virtualClusterOf({ labels }: SeenObject): string | undefined {
  const synced = labels[managedBy];
  if (synced !== undefined) return synced;
  const rendered = labels[claimLabel];
  if (rendered !== undefined) return rendered;
  const isControlPlane = labels.app === 'vcluster' || labels.app === 'vcluster-etcd';
  return isControlPlane ? labels.release : undefined;
}

function codeOf({ kind }: SeenObject): LeftoverCode {
  if (kind === 'Namespace') return 'namespace-of-gone-claim';
  return kind === 'PersistentVolumeClaim' ? 'volume-of-gone-claim' : 'object-of-gone-claim';
}

function ofGoneInstallations({ installations, objects }: LeftoversObservation): Leftover[] {
  const known = new Set(installations);
  return objects.flatMap((object): Leftover[] => {
    const owner = object.labels[installationLabel];
    if (owner === undefined || known.has(owner)) return [];
    return [
      left('object-of-gone-installation', object, owner, `is of the installation ${shown(owner)}, which is not there`),
    ];
  });
}

/** What the API server calls and nobody answers: such a webhook refuses whatever it matches. */
function dangling({ callers, services, unread }: LeftoversObservation): Leftover[] {
  if (unread.some(({ what }) => what === 'services')) return [];
  const known = new Set(services);
  return callers.flatMap((caller): Leftover[] => {
    const gone = caller.services.filter((service) => !known.has(service));
    if (gone.length === 0) return [];
    const { apiVersion, kind, name, createdAt } = caller;
    const code = kind === 'APIService' ? 'dangling-api-service' : 'dangling-webhook';
    const message = `${kind} ${name} calls ${gone.join(', ')}, which is not there.`;
    return [{ code, object: { apiVersion, kind, name }, since: createdAt, message }];
  });
}

/**
 * A controller has made it and does not own it any more: somebody has taken or changed the label by which it was found.
 * It is replaced by another one, and nobody ever removes it.
 */
function orphanedPods({ objects }: LeftoversObservation): Leftover[] {
  return objects
    .filter(({ kind, isControlled, isNamedByController }) => kind === 'Pod' && !isControlled && isNamedByController)
    .filter(({ namespace = '', labels }) => !namespace.startsWith('kube-') && labels[managedBy] === undefined)
    .map((object) => left('orphaned-pod', object, undefined, 'was made by a controller that does not own it any more'));
}

/** Labels on what is rendered for us that whoever applies it did not write. */
function foreignLabels({ objects }: LeftoversObservation): Leftover[] {
  return objects.flatMap((object): Leftover[] => {
    const { labels, writers } = object;
    const own = [claimLabel, installationLabel].find((label) => labels[label] !== undefined);
    const appliers = own === undefined ? undefined : writers[own];
    if (own === undefined || appliers === undefined || object.isControlled) return [];
    const foreign = Object.entries(writers).filter(
      ([label, by]) => !label.startsWith('kubernetes.io/') && !by.some((writer) => appliers.includes(writer)),
    );
    return foreign.map(([label, by]) =>
      left('foreign-label', object, labels[own], `has the label ${shown(label)}, which ${by.join(', ')} added`),
    );
  });
}

function left(code: LeftoverCode, object: SeenObject, of: string | undefined, what: string): Leftover {
  const { apiVersion, kind, namespace, name, createdAt } = object;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return {
    code,
    object: { apiVersion, kind, ...(namespace !== undefined && { namespace }), name },
    ...(of !== undefined && { of }),
    since: createdAt,
    message: `${kind} ${place} ${what}.`,
  };
}
