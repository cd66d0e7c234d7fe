import { join } from 'node:path';
import type { LogLevel } from '../sidecar/log.ts';
import { type ListenAddress, type OptionSources, readOptions } from '../sidecar/option-values.ts';
import { keepaliveOptions } from './options.ts';

export interface KeepaliveConfig {
  readonly listen: ListenAddress;
  readonly metricsListen: ListenAddress;
  /** Without a slash at its end. */
  readonly url: string;
  readonly gitUrl: string;
  readonly gitBranch: string;
  readonly gitCredentials?: string;
  readonly keys: string;
  readonly work: string;
  readonly requests: string;
  readonly logLevel: LogLevel;
  readonly answerSeconds: number;
  readonly freshSeconds: number;
  readonly idleSeconds: number;
  readonly perMinute: number;
  readonly proxies: number;
}

export type KeepaliveConfigResult =
  | { readonly kind: 'config'; readonly config: KeepaliveConfig }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

const needed = ['url', 'gitUrl', 'keys', 'work'] as const;

export function readKeepaliveConfig(sources: OptionSources): KeepaliveConfigResult {
  const { values, problems: wrong } = readOptions(keepaliveOptions, sources);
  if (wrong.length > 0) return { kind: 'wrong', problems: wrong };
  const problems = needed.filter((key) => values[key] === undefined).map((key) => `${optionNamed(key)} is needed`);
  const url = String(values.url ?? '').replace(/\/+$/, '');
  if (problems.length === 0 && !isPageUrl(url)) problems.push(`--url has to be an http or https URL, and is "${url}"`);
  if (problems.length > 0) return { kind: 'wrong', problems };
  const requests = values.requests ?? join(String(values.work), 'requests');
  // Each value was parsed by the kind that the table gives its key; the tests hold the table to this interface.
  return { kind: 'config', config: { ...values, url, requests } as unknown as KeepaliveConfig };
}

function optionNamed(key: string): string {
  const option = keepaliveOptions.find((each) => each.key === key);
  return `${option?.flag.replace(/ .*/, '')} (${option?.variable})`;
}

function isPageUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).search === '';
}
