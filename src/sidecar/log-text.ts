/** What a log says of errors, and what it never says; for each program that writes one. */

/** Of fields. */
export const secretNames: readonly string[] = [
  'authorization',
  'Authorization',
  'token',
  'password',
  'secret',
  'kubeconfig',
  'data',
  'stringData',
];
/** What tokens, passwords in addresses and keys look like, wherever they stand. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]'],
  [/\bBasic\s+[\w+/]{8,}=*/gi, 'Basic [redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [/(\w+:\/\/)[^\s/:@"]+:[^\s/@"]+@/g, '$1[redacted]@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '[redacted]'],
];

export function withoutSecrets(line: string): string {
  return secrets.reduce((text, [pattern, censored]) => text.replace(pattern, censored), line);
}

/** Errors of the world. Of any other one the place in the source matters: it is a mistake of ours. */
const expected: readonly string[] = ['Refused', 'NoAnswer', 'Silence', 'NoCluster'];

export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, cause, stack } = error;
  const isExpected = expected.includes(name);
  return {
    name,
    message,
    ...(cause instanceof Error && !message.endsWith(cause.message) && { cause: cause.message }),
    ...(!isExpected && { stack }),
  };
}
