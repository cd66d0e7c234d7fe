import * as z from 'zod';
import { cronFault } from '../grammar/cron.ts';
import { type Fault, shown } from '../grammar/fault.ts';
import { holds } from '../grammar/holds.ts';
import { dns1035Fault } from '../grammar/names.ts';
import { timeZoneFault } from '../grammar/time-zone.ts';
import { repositoryUrlFault } from '../grammar/url.ts';
import { chartVersionFault, vclusterVersionFault } from '../grammar/version.ts';
import { dnsLabel, duration, instant, line, metadataWith, objectName, ourApiVersion, person } from './fields.ts';
import { backingStore, limits, quota, replicas, resources, storage } from './workload.ts';

/** The older system's group: its claims are read as ours, whatever the version. */
export const olderGroup = 'plethos.cs.hm.edu';
export const renewedAtAnnotation = `${olderGroup}/renewed-at`;

/** `-x-` separates the parts of synced objects' names, so a claim with it shares names with another one's objects. */
function separatorFault(name: string): Fault | undefined {
  if (!name.includes('-x-')) return undefined;
  return {
    code: 'claim-name-separator',
    message: `${shown(name)} contains "-x-", which vCluster puts between the parts of the names it makes: they would be ambiguous.`,
    remedy: 'Choose a name without "-x-".',
  };
}

const claimName = z
  .string()
  .check(holds(dns1035Fault), holds(separatorFault))
  .meta({ pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 52 });

export const helmChart = z.strictObject({
  chart: line.describe('A path in this repository below `state/charts/`, `oci://…`, or a name in `repository`.'),
  repository: z.string().check(holds(repositoryUrlFault)).describe('Chart repository.').optional(),
  version: z
    .string()
    .check(holds(chartVersionFault))
    .describe('Chart version. Needed unless the chart is in this repository.')
    .optional(),
  values: z.record(z.string(), z.unknown()).describe('Values for the chart.').optional(),
});

const claimExpiry = z.union([
  z.literal('Never').describe('Never put to sleep, never deleted.'),
  z.strictObject({
    after: duration.describe('Put to sleep this long after the last renewal. Default: as the settings say.').optional(),
    grace: duration.describe('Deletion ordered this long after that. Default: as the settings say.').optional(),
    extendedUntil: instant
      .describe(
        'Not put to sleep before this: an extension for once, counted at most `maxExtension` of the settings beyond its own date.',
      )
      .optional(),
  }),
]);

const sleepSchedule = z.strictObject({
  sleep: z.string().check(holds(cronFault)).describe('Cron line: when it is put to sleep.').optional(),
  wake: z.string().check(holds(cronFault)).describe('Cron line: when it is woken.').optional(),
  timeZone: z.string().check(holds(timeZoneFault)).describe('IANA time zone of both. Default: Etc/UTC.').optional(),
});

const claimSpec = z.strictObject({
  owner: person.describe('Who is warned and may renew.'),
  owners: z.array(person).describe('Further owners, warned as well.').optional(),
  state: z
    .enum(['Running', 'Sleeping', 'Deleted'])
    .describe('What it shall be. `Deleted` is the order to uninstall it; removing the file is not. Default: Running.')
    .optional(),
  cluster: dnsLabel.describe('Host cluster. Default: as the settings say.').optional(),
  version: z
    .string()
    .check(holds(vclusterVersionFault))
    .describe('vCluster version. Default: as the settings say.')
    .optional(),
  replicas: replicas.describe('Control-plane replicas, kept while it sleeps. Default: as the settings say.').optional(),
  backingStore: backingStore
    .describe('Where its API objects are stored. Cannot be changed later. Default: as the settings say.')
    .optional(),
  externalDatabaseSecret: objectName
    .describe("For externalDatabase: Secret in the claim's namespace with the key `dataSource`.")
    .optional(),
  resources: resources.describe('Of one control-plane replica. Default: as the settings say.').optional(),
  storage: storage.describe('Volume of one replica. Default: as the settings say.').optional(),
  quota: quota.describe("ResourceQuota for its namespace, in place of the settings'; `{}` for none.").optional(),
  limits: limits.describe("LimitRange for its namespace, in place of the settings'; `{}` for none.").optional(),
  expose: z
    .boolean()
    .describe(
      'Serve the Service `http` of its namespace `default` as `<claim>.<base domain>`. Default: true where there is one.',
    )
    .optional(),
  values: z.record(z.string(), z.unknown()).describe('Raw vcluster.yaml, laid over the built-in values.').optional(),
  expiry: claimExpiry.describe('When it is put to sleep and deleted, or Never.').optional(),
  sleepSchedules: z.array(sleepSchedule).describe('Times to sleep and to wake.').optional(),
  protected: z.boolean().describe('Never expires, and cannot be deleted while true.').optional(),
  keepData: z
    .boolean()
    .describe('Keep its volumes when it is deleted. They block its name until somebody removes them. Default: false.')
    .optional(),
  chart: helmChart.describe('Render this chart with `helm template` in place of the built-in objects.').optional(),
});

export const claimSchema = z
  .strictObject({
    apiVersion: z
      .string()
      .describe('quiesce.dev/v1alpha1; claims of plethos.cs.hm.edu are read as well.')
      .meta({ pattern: '^(quiesce\\.dev/v1alpha1|plethos\\.cs\\.hm\\.edu/.+)$', examples: [ourApiVersion] }),
    kind: z.literal('VClusterClaim').describe('Always VClusterClaim.'),
    metadata: metadataWith(claimName.describe('Name of the virtual cluster, as the file.')),
    spec: claimSpec,
  })
  .describe('One virtual cluster: `state/claims/**/<name>.yaml`.');

export type ClaimDocument = z.infer<typeof claimSchema>;
export type WrittenHelmChart = z.infer<typeof helmChart>;
