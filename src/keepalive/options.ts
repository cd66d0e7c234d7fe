import type { Command } from 'commander';
import type { SidecarOption } from '../sidecar/options.ts';

const text = { kind: 'text' } as const;
const address = { kind: 'address' } as const;
const number = (least: number, most: number) => ({ kind: 'number', least, most }) as const;

/** What can be set, in one table. This file is loaded by every `--help`, so it imports nothing. */
export const keepaliveOptions: readonly SidecarOption[] = [
  {
    key: 'listen',
    flag: '--listen <address>',
    variable: 'QUIESCE_LISTEN',
    fallback: ':8080',
    help: 'for the page',
    kind: address,
  },
  {
    key: 'metricsListen',
    flag: '--metrics-listen <address>',
    variable: 'QUIESCE_METRICS_LISTEN',
    fallback: ':9090',
    help: 'for /healthz, /readyz and /metrics, which are not for everybody',
    kind: address,
  },
  {
    key: 'url',
    flag: '--url <url>',
    variable: 'QUIESCE_URL',
    help: 'where people reach the page, as keepalive.url of the settings',
    kind: text,
  },
  { key: 'gitUrl', flag: '--git-url <url>', variable: 'QUIESCE_GIT_URL', help: 'the repository', kind: text },
  {
    key: 'gitBranch',
    flag: '--git-branch <name>',
    variable: 'QUIESCE_GIT_BRANCH',
    fallback: 'main',
    help: 'its branch with state/',
    kind: text,
  },
  {
    key: 'gitCredentials',
    flag: '--git-credentials <dir>',
    variable: 'QUIESCE_GIT_CREDENTIALS',
    help: 'folder with username and password, or with identity and known_hosts',
    kind: text,
  },
  {
    key: 'keys',
    flag: '--keys <dir>',
    variable: 'QUIESCE_KEYS',
    help: 'folder with the keys that sign links; the one whose name sorts last signs',
    kind: text,
  },
  { key: 'work', flag: '--work <dir>', variable: 'QUIESCE_WORK', help: 'folder for a clone', kind: text },
  {
    key: 'requests',
    flag: '--requests <dir>',
    variable: 'QUIESCE_REQUESTS',
    help: 'folder for renewals that git does not have yet: it has to outlive the program (default: "requests" in that of --work)',
    kind: text,
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
    key: 'answerSeconds',
    flag: '--answer-seconds <n>',
    variable: 'QUIESCE_ANSWER_SECONDS',
    fallback: '12',
    help: 'how long a press of the button waits for git before the page says that it is kept',
    kind: number(1, 300),
  },
  {
    key: 'freshSeconds',
    flag: '--fresh-seconds <n>',
    variable: 'QUIESCE_FRESH_SECONDS',
    fallback: '15',
    help: 'how old what the page shows may be before git is asked again',
    kind: number(0, 3600),
  },
  {
    key: 'idleSeconds',
    flag: '--idle-seconds <n>',
    variable: 'QUIESCE_IDLE_SECONDS',
    fallback: '600',
    help: 'after so long without a visitor the process that works with git ends',
    kind: number(1, 86_400),
  },
  {
    key: 'perMinute',
    flag: '--per-minute <n>',
    variable: 'QUIESCE_PER_MINUTE',
    fallback: '600',
    help: 'requests that one address may send in a minute; a twentieth of it with links that do not work',
    kind: number(20, 1_000_000),
  },
  {
    key: 'proxies',
    flag: '--proxies <n>',
    variable: 'QUIESCE_PROXIES',
    fallback: '1',
    help: 'trusted proxies in front, each of which adds one address to X-Forwarded-For',
    kind: number(0, 10),
  },
];

export const keepaliveDescription =
  'Serve the page behind the link in warnings: it shows a claim, and one press of its button renews it.';

export const keepaliveExamples: readonly string[] = [
  'quiesce keepalive',
  'quiesce keepalive --url http://127.0.0.1:8080 --git-url . --keys keys --work /tmp/keepalive',
];

export function addKeepaliveOptions(command: Command): Command {
  command.addOption(
    command.createOption('--worker', 'the process that works with git: started by the page').hideHelp(),
  );
  for (const { flag, help, variable, fallback } of keepaliveOptions) {
    const notes = [fallback === undefined ? '' : `default: ${fallback}`, variable ?? ''].filter((note) => note !== '');
    command.option(flag, notes.length === 0 ? help : `${help} (${notes.join('; ')})`);
  }
  return command.addHelpText(
    'after',
    '\nOf each option the first that is given counts: flag, environment variable (in parentheses), default.\n',
  );
}
