import * as z from 'zod';
import { dnsLabel, hookJob, metadataWith, ourApiVersion } from './fields.ts';

export const shutdownSchema = z
  .strictObject({
    apiVersion: z.literal(ourApiVersion).describe('Always quiesce.dev/v1alpha1.'),
    kind: z.literal('ClusterShutdown').describe('Always ClusterShutdown.'),
    metadata: metadataWith(dnsLabel.describe('Name of the host cluster to shut down, as the file.')),
    spec: z.strictObject({
      action: z
        .enum(['Shutdown', 'Restart', 'None'])
        .describe('Shutdown: into maintenance and off, in order. Restart: the reverse. None: leave it alone.'),
      backupAcknowledged: z
        .boolean()
        .describe('True once somebody has made sure that there is a backup: the shutdown waits for it. Default: false.')
        .optional(),
      powerHook: hookJob
        .describe('Job that switches one node off or on. Without it the ordered list of nodes is the result.')
        .optional(),
    }),
  })
  .describe('An ordered shutdown or restart of a whole cluster: `state/shutdowns/<cluster>.yaml`.');

export type ShutdownDocument = z.infer<typeof shutdownSchema>;
