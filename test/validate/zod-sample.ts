import { z } from 'zod';
import type { Finding } from '../../src/validate/finding.ts';
import { zodFindings } from '../../src/validate/zod-findings.ts';

export const origin = { file: 'state/claims/ada.yaml', document: 0 };

const schedule = z.strictObject({ sleep: z.string(), timeZone: z.string().optional() });
const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('helm'), chart: z.string() }),
  z.strictObject({ kind: z.literal('manifests'), dir: z.string() }),
]);
/** One of each thing that a schema of ours can have. */
export const schema = z.strictObject({
  metadata: z.strictObject({
    name: z.string().min(1).max(10),
    labels: z.record(z.string().regex(/^[a-z/.]+$/), z.string()).optional(),
  }),
  spec: z.strictObject({
    state: z.enum(['Running', 'Sleeping', 'Deleted']).default('Running'),
    replicas: z.int().min(1).max(7).optional(),
    share: z.number().gt(0).lt(1).multipleOf(0.25).optional(),
    protected: z.boolean().optional(),
    owner: z.strictObject({ name: z.string(), email: z.email() }).optional(),
    schedules: z.array(schedule).min(1).max(2).optional(),
    expiry: z.union([z.literal('Never'), z.strictObject({ after: z.string(), grace: z.string() })]).optional(),
    limit: z.union([z.string(), z.number()]).optional(),
    source: source.optional(),
    either: z
      .union([
        z.strictObject({ manifests: z.string() }),
        z.strictObject({ helm: z.strictObject({ chart: z.string() }) }),
      ])
      .optional(),
    port: z.int({ error: 'must be a port number' }).optional(),
    zone: z.string().startsWith('eu-').optional(),
    note: z
      .string()
      .refine((text) => !text.includes('!'), { error: 'No exclamation marks, please.' })
      .optional(),
    name: z
      .string()
      .check((payload) => {
        if (payload.value !== 'bad') return;
        const fault = { code: 'stray-file', message: '"bad" is bad.', remedy: 'Be good.', on: 'key' };
        payload.issues.push({ code: 'custom', input: payload.value, message: fault.message, params: { fault } });
      })
      .optional(),
    tuple: z.tuple([z.string()]).optional(),
  }),
});

export function findings(value: unknown): Finding[] {
  const result = schema.safeParse(value);
  return result.success ? [] : zodFindings(result.error, value, origin, schema);
}

/** `path code: message remedy` for each finding about `spec` and `metadata`. */
export function lines(spec: object, metadata: object = { name: 'ada' }): string[] {
  return findings({ metadata, spec }).map(({ code, at, message, remedy }) => {
    const where = at.kind === 'value' ? `${at.path.join('.')}${at.on === 'key' ? ' (key)' : ''}` : at.kind;
    return `${where} ${code}: ${message} ${remedy}`;
  });
}
