import type { Command } from 'commander';

/** What can be set: flags, environment and help follow from it. This file is loaded by every `--help`. */
export interface LifecycleOption {
  readonly key: LifecycleKey;
  readonly flag: string;
  readonly variable: string;
  readonly fallback?: string;
  readonly help: string;
}

export type LifecycleKey =
  | 'gitUrl'
  | 'gitBranch'
  | 'gitCredentials'
  | 'smtpCredentials'
  | 'keys'
  | 'cluster'
  | 'kubeconfig'
  | 'context'
  | 'kubeconfigs'
  | 'work'
  | 'requestSeconds'
  | 'logLevel';

/** The variables are those that the rendered CronJob has. */
export const lifecycleOptions: readonly LifecycleOption[] = [
  {
    key: 'gitUrl',
    flag: '--git-url <url>',
    variable: 'QUIESCE_GIT_URL',
    help: 'repository that holds state/ (default: that of the settings here)',
  },
  {
    key: 'gitBranch',
    flag: '--git-branch <name>',
    variable: 'QUIESCE_GIT_BRANCH',
    help: 'its branch (default: that of the settings here)',
  },
  {
    key: 'gitCredentials',
    flag: '--git-credentials <dir>',
    variable: 'QUIESCE_GIT_CREDENTIALS',
    help: 'folder with username and password, or identity and known_hosts',
  },
  {
    key: 'smtpCredentials',
    flag: '--smtp-credentials <dir>',
    variable: 'QUIESCE_SMTP_CREDENTIALS',
    help: 'folder with username and password of the mail server',
  },
  { key: 'keys', flag: '--keys <dir>', variable: 'QUIESCE_KEYS', help: 'folder with the keys that sign links' },
  {
    key: 'cluster',
    flag: '--cluster <name>',
    variable: 'QUIESCE_CLUSTER',
    help: 'host cluster that this runs in, or that the kubeconfig leads to (default: the one with home: true)',
  },
  { key: 'kubeconfig', flag: '--kubeconfig <file>', variable: 'KUBECONFIG', help: 'where that cluster is' },
  { key: 'context', flag: '--context <name>', variable: '', help: 'context of the kubeconfig' },
  {
    key: 'kubeconfigs',
    flag: '--kubeconfigs <dir>',
    variable: 'QUIESCE_KUBECONFIGS',
    help: 'folder with a kubeconfig for each other host cluster, by its name',
  },
  {
    key: 'work',
    flag: '--work <dir>',
    variable: 'QUIESCE_WORK',
    help: 'folder for a clone (default: in the folder for temporary files)',
  },
  {
    key: 'requestSeconds',
    flag: '--request-seconds <n>',
    variable: 'QUIESCE_REQUEST_SECONDS',
    fallback: '30',
    help: 'how long an API server may take for one answer',
  },
  {
    key: 'logLevel',
    flag: '--log-level <level>',
    variable: 'QUIESCE_LOG_LEVEL',
    fallback: 'info',
    help: 'debug, info, warn, error or silent',
  },
];

export const lifecycleDescription =
  'Look after claims once: warn owners, put to sleep, order deletions, write down what clusters report.';

export const lifecycleExamples: readonly string[] = [
  'quiesce lifecycle --dry-run',
  'quiesce lifecycle --dry-run --json --kubeconfig admin.kubeconfig',
  'QUIESCE_GIT_URL=https://git.example.edu/platform/clusters.git quiesce lifecycle',
];

export function addLifecycleOptions(command: Command): Command {
  command.option('-n, --dry-run', 'show the mails and the commit, send and write nothing');
  for (const { flag, help, variable, fallback } of lifecycleOptions) {
    const notes = [fallback === undefined ? '' : `default: ${fallback}`, variable].filter((note) => note !== '');
    command.option(flag, notes.length === 0 ? help : `${help} (${notes.join('; ')})`);
  }
  return command.addHelpText('after', '\nOf each option the flag counts before its environment variable.\n');
}
