import { pino } from 'pino';
import { errorFields, secretNames, withoutSecrets } from './log-text.ts';

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

const secretFields = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
