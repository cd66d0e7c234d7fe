import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { ClaimProps } from './claim-props.ts';
import { chartLabels } from './metadata.ts';
import { quantities } from './quantities.ts';

/** Both count for everything in the namespace: the tenant's pods and the control plane itself. */
export function addLimits(scope: Construct, { shape, text }: ClaimProps): void {
  const metadata = { name: `vc-${text.name}`, namespace: text.namespace, labels: chartLabels(shape, text) };
  if (shape.quota !== undefined && Object.keys(shape.quota).length > 0) {
    new k8s.KubeResourceQuota(scope, 'quota', { metadata, spec: { hard: quantities(shape.quota) } });
  }
  if (shape.limits !== undefined) {
    const { default: fallback, defaultRequest } = shape.limits;
    if (Object.keys({ ...fallback, ...defaultRequest }).length === 0) return;
    // The API server requests what is limited and not requested; written out, or it is a difference for ever.
    const limit = {
      type: 'Container',
      default: quantities(fallback),
      defaultRequest: quantities({ ...fallback, ...defaultRequest }),
    };
    new k8s.KubeLimitRange(scope, 'limits', { metadata, spec: { limits: [limit] } });
  }
}
