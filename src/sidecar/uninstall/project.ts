import { isImported } from '../kube/slim.ts';
import type { Details, SeenObject } from './observation.ts';

/** What the API server sends, as far as it is read here. Its own schema is trusted. */
export interface RawSeen {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly uid: string; readonly kind: string; readonly name: string }[];
  };
}

interface Kinded {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Read by Flux on the live object, so it is on everything that is rendered. */
const renderedMark = 'kustomize.toolkit.fluxcd.io/prune';

export function seenObject({ apiVersion, kind }: Kinded, raw: RawSeen): SeenObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = raw.metadata;
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = raw.metadata;
  const policy = annotations['helm.sh/resource-policy'];
  const details = detailsOf(kind, raw);
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    uid,
    resourceVersion,
    createdAt: Date.parse(creationTimestamp),
    ...(deletionTimestamp !== undefined && { deletedAt: Date.parse(deletionTimestamp) }),
    labels,
    finalizers: kind === 'Namespace' ? [...finalizers, ...namespaceFinalizers(raw)] : finalizers,
    owners: ownerReferences.map((owner) => ({ uid: owner.uid, kind: owner.kind, name: owner.name })),
    ...(policy !== undefined && { resourcePolicy: policy }),
    ...(isImported(annotations) && { isImported: true }),
    rendered: annotations[renderedMark] === 'disabled',
    ...(details !== undefined && { details }),
  };
}

/** Kinds of which more than the metadata counts. */
export const wholeKinds: readonly string[] = [
  'Namespace',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'APIService',
  'StatefulSet',
];

interface RawWhole extends RawSeen {
  readonly spec?: {
    readonly finalizers?: readonly string[];
    readonly service?: { readonly namespace?: string; readonly name?: string } | null;
    readonly volumeClaimTemplates?: readonly { readonly metadata?: { readonly name?: string } }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
  readonly webhooks?: readonly {
    readonly clientConfig?: { readonly service?: { readonly namespace: string; readonly name: string } };
  }[];
}

function detailsOf(kind: string, raw: RawWhole): Details | undefined {
  const { spec = {}, status = {}, webhooks = [] } = raw;
  switch (kind) {
    case 'Namespace': {
      const conditions = (status.conditions ?? []).map(({ type, status: holds, message = '' }) => ({
        type,
        status: holds,
        message,
      }));
      return { kind: 'namespace', conditions };
    }
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration': {
      const services = webhooks.flatMap(({ clientConfig }) => clientConfig?.service ?? []);
      return called(services, webhooks.length - services.length);
    }
    case 'APIService': {
      const { namespace, name } = spec.service ?? {};
      return namespace === undefined || name === undefined ? called([], 1) : called([{ namespace, name }], 0);
    }
    case 'StatefulSet':
      return {
        kind: 'statefulSet',
        templates: (spec.volumeClaimTemplates ?? []).flatMap(({ metadata }) => metadata?.name ?? []),
      };
    default:
      return undefined;
  }
}

/** Alive until somebody has looked. */
function called(services: readonly { readonly namespace: string; readonly name: string }[], others: number): Details {
  const each = services.map(({ namespace, name }) => ({ namespace, name, alive: true }));
  return { kind: 'called', services: each, others };
}

/** The one of every namespace is released by its own controller, so it tells nothing. */
function namespaceFinalizers({ spec = {} }: RawWhole): readonly string[] {
  return (spec.finalizers ?? []).filter((finalizer) => finalizer !== 'kubernetes');
}
