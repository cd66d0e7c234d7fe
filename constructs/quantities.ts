import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Resources } from '../src/resolve/state.ts';

/** As written: `1000m` stays `1000m`, since appliers compare quantities by value. */
export function quantities(values: Readonly<Record<string, string>>): Record<string, k8s.Quantity> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, k8s.Quantity.fromString(value)]));
}

/** The API server drops empty maps, so writing them would be a difference. */
export function resourceRequirements({ requests, limits }: Resources): k8s.ResourceRequirements {
  return {
    ...(Object.keys(requests).length > 0 && { requests: quantities(requests) }),
    ...(Object.keys(limits).length > 0 && { limits: quantities(limits) }),
  };
}
