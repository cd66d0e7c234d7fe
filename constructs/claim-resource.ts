import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { apiVersion } from './api-group.ts';
import type { ClaimProps, ClaimText } from './claim-props.ts';
import { claimLabel } from './metadata.ts';
import { type ObjectId, uninstallOrder } from './object-ids.ts';
import { protectedAnnotations } from './protection.ts';

export interface Rendered {
  /** Everything else that is rendered for the claim while it is not deleted. */
  readonly objects: readonly ObjectId[];
  readonly replicas: number;
}

/**
 * The claim as the sidecar, people and `kubectl get` see it. Protected like the data until git says Deleted: a
 * deletion that an applier started could not be taken back. For a deleted claim it is the only object; that it arrived
 * without protection, with this state, is the proof that the applier has stopped rendering the rest.
 */
export function addClaimResource(scope: Construct, { shape, text }: ClaimProps, rendered: Rendered): ApiObject {
  const own = shape.state === 'Deleted' ? {} : protectedAnnotations;
  return new ApiObject(scope, 'claim', {
    apiVersion,
    kind: 'VClusterClaim',
    metadata: {
      name: text.name,
      labels: { ...written('label', shape.labels, text), [claimLabel]: text.name },
      annotations: { ...written('annotation', shape.annotations, text), ...own },
    },
    spec: {
      state: shape.state,
      cluster: shape.cluster,
      namespace: text.namespace,
      owners: Array.from({ length: shape.owners }, (_, index) => ({
        name: text[`owner${index}`],
        email: text[`email${index}`],
      })),
      version: shape.version,
      replicas: rendered.replicas,
      backingStore: shape.backingStore,
      ...(shape.ingress !== undefined && { host: text.host, service: text.service }),
      expiry: shape.expiry === 'Never' ? { never: true } : { ...shape.expiry },
      schedules: shape.schedules.map((schedule) => ({ ...schedule })),
      protected: shape.protected,
      ...(shape.keepData === true && { keepData: true }),
      // Sorted by kind alone, where the order matters; names are only placed here.
      objects: [...rendered.objects].sort((a, b) => uninstallOrder(a.kind) - uninstallOrder(b.kind)),
    },
  });
}

function written(field: 'label' | 'annotation', keys: readonly string[], text: ClaimText): Record<string, string> {
  return Object.fromEntries(keys.map((key, index) => [key, text[`${field}${index}`] ?? '']));
}
