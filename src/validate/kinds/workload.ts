import * as z from 'zod';
import { holds } from '../grammar/holds.ts';
import { quotaNameFault } from '../grammar/resource-names.ts';
import { objectName, quantity, resourceList } from './fields.ts';

// What claims and their defaults in the settings have in common.

export const backingStore = z.enum(['embeddedDatabase', 'embeddedEtcd', 'deployedEtcd', 'externalDatabase']);
export const replicas = z.int().min(1).max(9);

export const resources = z.strictObject({
  requests: resourceList.describe('What one replica is guaranteed.').optional(),
  limits: resourceList.describe('What one replica may use at most.').optional(),
});

export const storage = z.strictObject({
  size: quantity.describe('Size of the volume, for example 5Gi.'),
  className: objectName.describe("Storage class. Default: the cluster's default one.").optional(),
});

export const quota = z
  .record(z.string(), quantity)
  .check(holds((list) => Object.keys(list).flatMap((name) => quotaNameFault(name) ?? [])))
  .meta({ examples: [{ 'requests.cpu': '10', 'requests.memory': '20Gi', pods: 50 }] });

export const limits = z.strictObject({
  default: resourceList.describe('Limits of containers that set none.').optional(),
  defaultRequest: resourceList.describe('Requests of containers that set none.').optional(),
});

export type WrittenResources = z.infer<typeof resources>;
export type WrittenStorage = z.infer<typeof storage>;
export type WrittenLimits = z.infer<typeof limits>;
export type WrittenQuantities = Readonly<Record<string, string | number>>;
