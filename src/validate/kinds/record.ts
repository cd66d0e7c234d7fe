import * as z from 'zod';
import { dnsLabel, email, instant, line, metadataWith, ourApiVersion } from './fields.ts';

const renewal = z.strictObject({
  at: instant.describe('When.'),
  by: line.describe('Who, where known.').optional(),
  deadline: instant.describe('The deadline that the link named.').optional(),
});

const warning = z.strictObject({
  about: z.enum(['Sleep', 'Deletion']).describe('What was announced.'),
  deadline: instant.describe('The deadline that the mail named.'),
  deliveredAt: instant.describe('When the mail server accepted it.'),
  to: z.array(email).min(1).describe('Who it was sent to.'),
});

const notice = z.strictObject({
  about: z.enum(['Asleep', 'DeletionOrdered']).describe('What had happened.'),
  at: instant.describe('When it had happened.'),
  deliveredAt: instant.describe('When the mail server accepted it.'),
  to: z.array(email).min(1).describe('Who it was sent to.'),
});

const rejection = z.strictObject({
  to: email.describe('The address.'),
  at: instant.describe('When.'),
  reply: line.describe("The mail server's answer.").optional(),
});

const observed = z.strictObject({
  phase: line.describe('As the sidecar reports it; only those that last.'),
  since: instant.describe('Since when.'),
  reason: line.describe('Why, as a code.').optional(),
});

export const recordSchema = z
  .strictObject({
    apiVersion: z.literal(ourApiVersion).describe('Always quiesce.dev/v1alpha1.'),
    kind: z.literal('Record').describe('Always Record.'),
    metadata: metadataWith(dnsLabel.describe('Name of the claim or installation it tells of, as the file.')),
    spec: z.strictObject({
      identity: z
        .string()
        .describe('Identity of the claim it tells of, as it was first seen: edits do not change it.')
        .meta({ pattern: '^[0-9a-f]{8,64}$' })
        .optional(),
      firstSeen: instant.describe('When the lifecycle runner first saw it.').optional(),
      renewals: z.array(renewal).describe('Renewals, oldest first.').optional(),
      warnings: z.array(warning).describe('Warnings that were delivered, oldest first.').optional(),
      deadlines: z
        .strictObject({
          sleep: instant.describe('When it is put to sleep.').optional(),
          delete: instant.describe('When its deletion is ordered.').optional(),
        })
        .describe('Published deadlines: they only ever move later.')
        .optional(),
      warnedAnewFrom: instant
        .describe('Warnings from before this are void: it was protected for a while, or its deletion was taken back.')
        .optional(),
      notices: z.array(notice).describe('Notices that were delivered, oldest first.').optional(),
      rejections: z
        .array(rejection)
        .describe('Addresses of owners that the mail server refused. Nothing expires until they are corrected.')
        .optional(),
      asleep: z
        .strictObject({ at: instant.describe('When.'), deadline: instant.describe('The deadline that had passed.') })
        .describe('When expiry put it to sleep.')
        .optional(),
      schedule: z
        .strictObject({
          tick: instant.describe('Its time.'),
          does: z.enum(['Sleep', 'Wake']).describe('What it asked for.'),
        })
        .describe('The newest tick of a sleep schedule that was heeded.')
        .optional(),
      deletion: z
        .strictObject({
          at: instant.describe('When.'),
          by: z.enum(['Expiry', 'Kubectl', 'Person']).describe('What ordered it; Person: an edit of the claim.'),
          deadline: instant.describe('For Expiry: the deadline that had passed.').optional(),
          withdrawnAt: instant.describe('When it was seen that somebody had taken it back.').optional(),
        })
        .describe('The order to delete it.')
        .optional(),
      observed: observed.describe('What the cluster last said of it.').optional(),
      uninstalled: z
        .strictObject({
          at: instant.describe('When nothing of it was left.'),
          data: z.enum(['Deleted', 'Kept']).describe('What became of its volumes. Kept ones block the name.'),
        })
        .describe('A completed uninstall.')
        .optional(),
    }),
  })
  .describe('What the lifecycle runner observed: `state/records/<name>.yaml`. Read it, do not edit it.');

export type RecordDocument = z.infer<typeof recordSchema>;
