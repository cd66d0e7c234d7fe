import type { Command } from 'commander';

/** What can be set, in one table: flags, environment, file, help and defaults follow from it. */
export interface SidecarOption {
  /** In the file, and as commander names the flag. */
  readonly key: string;
  readonly flag: string;
  readonly variable?: string;
  readonly fallback?: string;
  readonly help: string;
  /** What may be there, as words for whoever wrote something else. */
  readonly kind: OptionKind;
}

export type OptionKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'address' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly string[] };

const text = { kind: 'text' } as const;
const number = (least: number, most: number) => ({ kind: 'number', least, most }) as const;

export const sidecarOptions: readonly SidecarOption[] = [
  {
    key: 'cluster',
    flag: '--cluster <name>',
    variable: 'QUIESCE_CLUSTER',
    help: 'name of this host cluster, for logs and metrics',
    kind: text,
  },
  { key: 'kubeconfig', flag: '--kubeconfig <file>', variable: 'KUBECONFIG', help: 'where the cluster is', kind: text },
  { key: 'context', flag: '--context <name>', help: 'context of the kubeconfig', kind: text },
  {
    key: 'namespace',
    flag: '--namespace <name>',
    variable: 'POD_NAMESPACE',
    fallback: 'quiesce-system',
    help: 'where its Lease is',
    kind: text,
  },
  {
    key: 'identity',
    flag: '--identity <name>',
    variable: 'POD_NAME',
    help: 'what it calls itself in the Lease (default: host name)',
    kind: text,
  },
  {
    key: 'listen',
    flag: '--listen <address>',
    variable: 'QUIESCE_LISTEN',
    fallback: ':8080',
    help: 'for /healthz and /readyz',
    kind: { kind: 'address' },
  },
  {
    key: 'metricsListen',
    flag: '--metrics-listen <address>',
    variable: 'QUIESCE_METRICS_LISTEN',
    help: 'for /metrics (default: that of --listen)',
    kind: { kind: 'address' },
  },
  {
    key: 'logLevel',
    flag: '--log-level <level>',
    variable: 'QUIESCE_LOG_LEVEL',
    fallback: 'info',
    help: 'debug, info, warn, error or silent',
    kind: { kind: 'word', words: ['debug', 'info', 'warn', 'error', 'silent'] },
  },
  {
    key: 'leaseSeconds',
    flag: '--lease-seconds <n>',
    variable: 'QUIESCE_LEASE_SECONDS',
    fallback: '30',
    help: 'after so long without a sign of the leader another one takes over',
    kind: number(2, 3600),
  },
  {
    key: 'resyncSeconds',
    flag: '--resync-seconds <n>',
    variable: 'QUIESCE_RESYNC_SECONDS',
    fallback: '60',
    help: 'everything is looked at again after so long, whether it changed or not',
    kind: number(1, 86_400),
  },
  {
    key: 'requestSeconds',
    flag: '--request-seconds <n>',
    variable: 'QUIESCE_REQUEST_SECONDS',
    fallback: '30',
    help: 'how long the API server may take for one answer',
    kind: number(1, 600),
  },
  {
    key: 'parallel',
    flag: '--parallel <n>',
    variable: 'QUIESCE_PARALLEL',
    fallback: '20',
    help: 'requests that change something, at the same time',
    kind: number(1, 500),
  },
  {
    key: 'pageSize',
    flag: '--page-size <n>',
    variable: 'QUIESCE_PAGE_SIZE',
    fallback: '500',
    help: 'objects in one answer of a list',
    kind: number(10, 10_000),
  },
  {
    key: 'helm',
    flag: '--helm <program>',
    variable: 'QUIESCE_HELM',
    fallback: 'helm',
    help: 'Helm 3 or 4, for releases that a component still has',
    kind: text,
  },
];

export const sidecarDescription =
  'Do in a cluster what manifests cannot: maintenance, shutdown, sleep and uninstalling. Of several, one leads.';

export const sidecarExamples: readonly string[] = [
  'quiesce sidecar --kubeconfig admin.kubeconfig --dry-run',
  'quiesce sidecar --once --context atlas',
  'quiesce sidecar --config sidecar.yaml --log-level debug',
];

/** This file is loaded by every `--help`, so it imports nothing. */
export function addSidecarOptions(command: Command): Command {
  command
    .option('--config <file>', 'YAML file with any of these by key, e.g. leaseSeconds (QUIESCE_CONFIG)')
    .option('--once', 'make one pass over everything without a Lease, and end')
    .option('-n, --dry-run', 'say what one pass would do, and end');
  for (const { flag, help, variable, fallback } of sidecarOptions) {
    const notes = [fallback === undefined ? '' : `default: ${fallback}`, variable ?? ''].filter((note) => note !== '');
    command.option(flag, notes.length === 0 ? help : `${help} (${notes.join('; ')})`);
  }
  return command.addHelpText(
    'after',
    '\nOf each option the first that is given counts: flag, environment variable (in parentheses), file, default.\n',
  );
}
