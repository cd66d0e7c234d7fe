import type { Log, LogOptions } from '../sidecar/log.ts';
import { errorFields, secretNames, withoutSecrets } from '../sidecar/log-text.ts';

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * The lines that `openLog` writes, by hand: the library behind it takes two of the sixty megabytes that the page may
 * have. They are few: what people do is counted (metrics.ts).
 */
export function openPageLog({ level, fields }: LogOptions, to: { write(line: string): unknown } = process.stdout): Log {
  const at = (name: (typeof levels)[number]) => {
    if (levels.indexOf(name) < levels.indexOf(level)) return () => undefined;
    return (said: object, message: string): void => {
      const line = { level: name, time: new Date().toISOString(), ...fields, ...said, message };
      to.write(`${withoutSecrets(JSON.stringify(line, shown))}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function shown(name: string, value: unknown): unknown {
  if (secretNames.includes(name)) return '[redacted]';
  return value instanceof Error || (name === 'error' && typeof value !== 'object') ? errorFields(value) : value;
}
