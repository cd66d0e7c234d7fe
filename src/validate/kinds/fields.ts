import * as z from 'zod';
import { durationFault } from '../grammar/duration.ts';
import { emailFault } from '../grammar/email.ts';
import { type Fault, shown } from '../grammar/fault.ts';
import { holds } from '../grammar/holds.ts';
import { imageFault } from '../grammar/image.ts';
import { instantFault } from '../grammar/instant.ts';
import { annotationsFaults, labelsFaults } from '../grammar/labels.ts';
import { dnsLabelFault, dnsSubdomainFault } from '../grammar/names.ts';
import { type Quantity, quantityFault } from '../grammar/quantity.ts';
import { resourceNameFault } from '../grammar/resource-names.ts';
import { timeZoneFault } from '../grammar/time-zone.ts';

// Fields that several kinds share. Patterns are for editors only (they end up in the JSON Schemas); the grammar beside
// each decides, because it can say what is wrong.

export const ourApiVersion = 'quiesce.dev/v1alpha1';

/** One line of text for people: names in mails and commit messages. */
function lineFault(text: string): Fault | undefined {
  if (text.trim() !== '' && text.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(text)) return undefined;
  return {
    code: 'text-invalid',
    message: `${shown(text)} is no single line of 1 to 200 characters.`,
    remedy: 'Write one line of text.',
  };
}

/** A bare number is what people try first; in quotes it would still be no duration. */
function durationTypeError({ input }: { readonly input?: unknown }): string | undefined {
  return typeof input === 'number' ? `must be a duration such as \`${input}d\`, not the number ${input}` : undefined;
}

export const line = z.string().check(holds(lineFault));
export const dnsLabel = z
  .string()
  .check(holds(dnsLabelFault))
  .meta({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
export const objectName = z.string().check(holds(dnsSubdomainFault)).meta({ maxLength: 253 });
export const email = z.string().check(holds(emailFault)).meta({ format: 'email' });
export const image = z.string().check(holds(imageFault));
export const duration = z
  .string({ error: durationTypeError })
  .check(holds(durationFault))
  .meta({ pattern: '^[0-9]+[smhdw]$', examples: ['90d', '12h', '2w'] });
export const instant = z.string().check(holds(instantFault)).meta({ format: 'date-time' });

export const quantity = z
  .union([z.string(), z.number()])
  .check(holds<Quantity>(quantityFault))
  .meta({ examples: ['500m', '4Gi', 2] });

export const resourceList = z
  .record(z.string(), quantity)
  .check(holds((list) => Object.keys(list).flatMap((name) => resourceNameFault(name) ?? [])))
  .meta({ examples: [{ cpu: '500m', memory: '1Gi' }] });

const labels = z.record(z.string(), z.string()).check(holds(labelsFaults));
const annotations = z.record(z.string(), z.string()).check(holds(annotationsFaults));

/** `metadata` of our own kinds; what a name means differs between them. */
export function metadataWith<Name extends z.ZodType>(name: Name) {
  return z.strictObject({
    name,
    labels: labels.describe('Labels, as on any Kubernetes object.').optional(),
    annotations: annotations.describe('Annotations, as on any Kubernetes object.').optional(),
  });
}

export const person = z.strictObject({
  name: line.describe('Name, as mails address the person.'),
  email: email.describe('Where warnings are sent.'),
  timeZone: z
    .string()
    .check(holds(timeZoneFault))
    .describe("IANA time zone of dates in mails. Default: the lifecycle runner's.")
    .optional(),
  language: z
    .enum(['en', 'de'])
    .describe('Language of mails and of the page. Default: as the settings say.')
    .optional(),
});

export const hookJob = z.strictObject({
  name: dnsLabel.describe("Name of the hook, unique in its component: part of the Job's name."),
  image: image.describe('Image to run.'),
  command: z.array(z.string()).min(1).describe('Command and arguments, not through a shell.'),
  serviceAccount: objectName.describe("Service account to run as. Default: the namespace's default one.").optional(),
  timeout: duration.describe('How long one run may take before it counts as failed. Default: 10m.').optional(),
});

export type WrittenHookJob = z.infer<typeof hookJob>;
