import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '../sidecar/log.ts';
import { type LifecycleKey, lifecycleOptions } from './options.ts';

export interface LifecycleConfig {
  readonly gitUrl?: string;
  readonly gitBranch?: string;
  readonly gitCredentials?: string;
  readonly smtpCredentials?: string;
  readonly keys?: string;
  readonly cluster?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly kubeconfigs?: string;
  readonly work: string;
  readonly requestSeconds: number;
  readonly logLevel: LogLevel;
}

export type LifecycleConfigResult =
  | { readonly kind: 'config'; readonly config: LifecycleConfig }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

const levels: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Of each option the flag, else its variable, else its default. */
export function readLifecycleConfig(
  flags: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): LifecycleConfigResult {
  const values: Partial<Record<LifecycleKey, string>> = {};
  for (const { key, variable, fallback } of lifecycleOptions) {
    // KUBECONFIG may list several files, which is for those who read it to take apart.
    const found = flags[key] ?? (variable === 'KUBECONFIG' ? undefined : environment[variable]) ?? fallback;
    if (typeof found === 'string' && found !== '') values[key] = found;
  }
  const { requestSeconds = '30', logLevel = 'info', work = join(tmpdir(), 'quiesce'), ...texts } = values;
  const seconds = Number(requestSeconds);
  const problems = [
    ...(seconds >= 1 && seconds <= 600
      ? []
      : [`--request-seconds has to be a number from 1 to 600: ${requestSeconds}`]),
    ...(isLevel(logLevel) ? [] : [`--log-level has to be one of ${levels.join(', ')}: ${logLevel}`]),
  ];
  if (problems.length > 0 || !isLevel(logLevel)) return { kind: 'wrong', problems };
  return { kind: 'config', config: { ...texts, work, requestSeconds: seconds, logLevel } };
}

function isLevel(word: string): word is LogLevel {
  return levels.includes(word);
}
