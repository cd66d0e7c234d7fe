import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { LogLevel } from './log.ts';
import { type ListenAddress, readOptions } from './option-values.ts';
import { sidecarOptions } from './options.ts';

export interface SidecarConfig {
  readonly cluster?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  readonly identity: string;
  readonly listen: ListenAddress;
  readonly metricsListen?: ListenAddress;
  readonly logLevel: LogLevel;
  readonly leaseSeconds: number;
  readonly resyncSeconds: number;
  readonly requestSeconds: number;
  readonly parallel: number;
  readonly pageSize: number;
  readonly helm: string;
}

export interface ConfigSources {
  /** By key; what was not given is absent. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly hostName: string;
}

export type ConfigResult =
  | { readonly kind: 'config'; readonly config: SidecarConfig }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

/** Of each option the first that says something: its flag, its variable, the file, its default. */
export function readConfig({ flags, environment, hostName }: ConfigSources): ConfigResult {
  const file = flags.config ?? environment.QUIESCE_CONFIG;
  const unread: string[] = [];
  const written = typeof file === 'string' && file !== '' ? readFile(file, unread) : {};
  const { values, problems } = readOptions(sidecarOptions, { flags, environment, written });
  if (unread.length + problems.length > 0) return { kind: 'wrong', problems: [...unread, ...problems] };
  // Each value was parsed by the kind that the table gives its key; the tests hold the table to this interface.
  return { kind: 'config', config: { identity: hostName, ...values } as unknown as SidecarConfig };
}

function readFile(file: string, problems: string[]): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = load(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    problems.push(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
    return {};
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`${file} has to hold keys and values`);
    return {};
  }
  const known = sidecarOptions.map(({ key }) => key);
  for (const key of Object.keys(content).filter((key) => !known.includes(key))) {
    problems.push(`${file} has the key ${key}, which is none of ${known.join(', ')}`);
  }
  return { ...content };
}
