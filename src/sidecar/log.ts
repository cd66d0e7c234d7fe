import { pino } from 'pino';

/** Structured lines: fields first, then a sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** On every line. */
  readonly fields: Readonly<Record<string, string>>;
}

/** JSON lines, one for each event, on standard output unless told otherwise. */
export function openLog({ level, fields }: LogOptions, to?: { write(line: string): void }): Log {
  const options = {
    level,
    base: fields,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: errorFields },
    redact: { paths: secretFields, censor: '[redacted]' },
    hooks: {
      // Last of all, over the whole line: no field and no message is left out, whoever put a secret there.
      streamWrite: withoutSecrets,
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
}

const secretNames = [
  'authorization',
  'Authorization',
  'token',
  'password',
  'secret',
  'kubeconfig',
  'data',
  'stringData',
];
const secretFields = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** What tokens, passwords in addresses and keys look like, wherever they stand. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]'],
  [/\bBasic\s+[\w+/]{8,}=*/gi, 'Basic [redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [/(\w+:\/\/)[^\s/:@"]+:[^\s/@"]+@/g, '$1[redacted]@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '[redacted]'],
];

function withoutSecrets(line: string): string {
  return secrets.reduce((text, [pattern, censored]) => text.replace(pattern, censored), line);
}

/** Errors of the world. Of any other one the place in the source matters: it is a mistake of ours. */
const expected: readonly string[] = ['Refused', 'NoAnswer', 'Silence', 'NoCluster'];

function errorFields(error: unknown): object {
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
