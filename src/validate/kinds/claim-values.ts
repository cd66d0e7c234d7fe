import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import type { ClaimDocument } from './claim.ts';

/** Parts of vcluster.yaml that follow from a field of the spec. */
const owned: readonly { readonly path: readonly string[]; readonly field: string }[] = [
  { path: ['controlPlane', 'backingStore'], field: 'spec.backingStore' },
  { path: ['controlPlane', 'statefulSet', 'highAvailability', 'replicas'], field: 'spec.replicas' },
  { path: ['controlPlane', 'statefulSet', 'resources'], field: 'spec.resources' },
  { path: ['controlPlane', 'statefulSet', 'persistence', 'volumeClaim'], field: 'spec.storage' },
  { path: ['controlPlane', 'statefulSet', 'image'], field: 'spec.version' },
  { path: ['policies', 'resourceQuota'], field: 'spec.quota' },
  { path: ['policies', 'limitRange'], field: 'spec.limits' },
  { path: ['sleepMode'], field: 'spec.sleepSchedules' },
  { path: ['sleep'], field: 'spec.sleepSchedules' },
  { path: ['deletion'], field: 'spec.expiry' },
  { path: ['external', 'platform', 'autoSleep'], field: 'spec.sleepSchedules' },
  { path: ['external', 'platform', 'autoDelete'], field: 'spec.expiry' },
];

/** Parts that only the official chart's templates read: the built-in objects are made without them. */
const chartOnly: readonly (readonly string[])[] = [
  ...[
    'labels',
    'annotations',
    'imagePullPolicy',
    'workingDir',
    'command',
    'args',
    'env',
    'pods',
    'security',
    'scheduling',
  ].map((key) => ['controlPlane', 'statefulSet', key]),
  ['controlPlane', 'statefulSet', 'probes'],
  ['controlPlane', 'statefulSet', 'enableServiceLinks'],
  ['controlPlane', 'service'],
  ['controlPlane', 'ingress'],
  ['controlPlane', 'serviceMonitor'],
  ['controlPlane', 'advanced', 'serviceAccount'],
  ['controlPlane', 'advanced', 'headlessService'],
  ['controlPlane', 'advanced', 'globalMetadata'],
  ['policies', 'networkPolicy'],
  ['rbac'],
];

export function valuesLeaveTheSpecAlone({ spec }: ClaimDocument, origin: Origin): Finding[] {
  if (spec.chart !== undefined) return [];
  return owned.flatMap(({ path, field }): Finding[] => {
    if (!has(spec.values, path)) return [];
    return [
      {
        code: 'values-owned',
        at: at(origin, ['spec', 'values', ...path], 'key'),
        message: `"${path.join('.')}" follows from ${field} and cannot be set beside it.`,
        remedy: `Use ${field}, or render the chart with "spec.chart".`,
      },
    ];
  });
}

export function valuesHaveAnEffect({ spec }: ClaimDocument, origin: Origin): Finding[] {
  if (spec.values === undefined) return [];
  if (spec.chart !== undefined) {
    return [
      withoutEffect(
        origin,
        ['spec', 'values'],
        '"spec.values" is not used beside "spec.chart"',
        'Move it to "spec.chart.values".',
      ),
    ];
  }
  return chartOnly
    .filter((path) => has(spec.values, path))
    .map((path) => {
      const why = `"${path.join('.')}" is read by the official chart only, and these objects are not made from it`;
      return withoutEffect(
        origin,
        ['spec', 'values', ...path],
        why,
        'Remove it, or render the chart with "spec.chart".',
      );
    });
}

function withoutEffect(origin: Origin, path: DataPath, why: string, remedy: string): Finding {
  return { code: 'values-without-effect', at: at(origin, path, 'key'), message: `${why}.`, remedy };
}

function has(values: unknown, path: readonly string[]): boolean {
  let value = values;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return true;
}
