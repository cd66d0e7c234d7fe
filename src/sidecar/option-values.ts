import type { OptionKind, SidecarOption } from './options.ts';

export interface ListenAddress {
  /** Absent: every address of the machine. */
  readonly host?: string;
  readonly port: number;
}

export type OptionValues = Readonly<Record<string, string | number | ListenAddress>>;

export interface OptionSources {
  /** By key; what was not given is absent. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
  /** Of a file, by key. */
  readonly written?: Readonly<Record<string, unknown>>;
}

/** Of each option the first that says something: its flag, its variable, the file, its default. */
export function readOptions(
  options: readonly SidecarOption[],
  { flags, environment, written = {} }: OptionSources,
): { readonly values: OptionValues; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const values: Record<string, string | number | ListenAddress> = {};
  for (const option of options) {
    const found = firstOf(option, { flags, environment, written });
    if (found === undefined) continue;
    const value = parse(option.kind, found.text);
    if (value === undefined) problems.push(`${found.from} has to be ${expected(option.kind)}, and is "${found.text}"`);
    else values[option.key] = value;
  }
  return { values, problems };
}

interface Found {
  readonly text: string;
  readonly from: string;
}

function firstOf(option: SidecarOption, { flags, environment, written }: Required<OptionSources>): Found | undefined {
  const { key, flag, variable, fallback } = option;
  const sources: readonly (readonly [unknown, string])[] = [
    [flags[key], flag.replace(/ .*/, '')],
    // KUBECONFIG may list several files, which is for those who read it to take apart.
    [variable === undefined || variable === 'KUBECONFIG' ? undefined : environment[variable], variable ?? ''],
    [written[key], `${key} in the file`],
    [fallback, 'the default'],
  ];
  const found = sources.find(([value]) => value !== undefined && value !== '');
  return found && { text: String(found[0]), from: found[1] };
}

function parse(kind: OptionKind, text: string): string | number | ListenAddress | undefined {
  switch (kind.kind) {
    case 'text':
      return text;
    case 'word':
      return kind.words.includes(text) ? text : undefined;
    case 'number': {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return value >= kind.least && value <= kind.most ? value : undefined;
    }
    case 'address':
      return parseAddress(text);
  }
}

function expected(kind: OptionKind): string {
  switch (kind.kind) {
    case 'text':
      return 'text';
    case 'word':
      return `one of ${kind.words.join(', ')}`;
    case 'number':
      return `a whole number from ${kind.least} to ${kind.most}`;
    case 'address':
      return 'a port with or without a host, such as :8080, 127.0.0.1:8080 or [::1]:8080';
  }
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:8080`; port 0 is any free one. */
export function parseAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  const host = bracketed ?? plain;
  if (!(port <= 65_535)) return undefined;
  return host === undefined || host === '' ? { port } : { host, port };
}
