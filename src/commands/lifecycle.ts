import { setFlagsFromString } from 'node:v8';
import { type LifecycleConfig, readLifecycleConfig } from '../runner/config.ts';
import { isComplete, runJson, runText, summaryOf } from '../runner/report.ts';
import { type Run, type RunOptions, runLifecycle } from '../runner/run.ts';
import { openLog } from '../sidecar/log.ts';
import { committedSettings } from './committed-settings.ts';
import { type Context, findRoot, type Status, UsageError } from './context.ts';
import { finish } from './outcome.ts';

/** Besides these, every key of the table in runner/options.ts. */
export interface LifecycleOptions extends Readonly<Record<string, unknown>> {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `quiesce lifecycle` */
export async function lifecycle(options: LifecycleOptions, context: Context): Promise<Status> {
  const result = readLifecycleConfig(options, context.environment);
  if (result.kind === 'wrong') throw new UsageError(result.problems.join('\n  '));
  const { config } = result;
  // A run is over soon: room for what is short-lived, at once, takes less time and less memory than tidying up in it.
  setFlagsFromString('--semi-space-growth-factor=16');
  const dryRun = options.dryRun === true;
  // What the run did is the answer, on standard output; its log goes beside it.
  const log = openLog({ level: config.logLevel, fields: { program: 'quiesce-lifecycle' } }, process.stderr);
  const begun = performance.now();
  const run = await runLifecycle({
    ...(await optionsFor(config, context)),
    dryRun,
    onStep: (step) => log.debug({ step }, 'step'),
  });
  const seconds = Math.round((performance.now() - begun) / 10) / 100;
  tell(run, log);
  log.info({ ...summaryOf(run), ok: isComplete(run), dryRun, seconds }, 'run ended');
  if (options.json === true) context.terminal.answer(`${JSON.stringify(runJson(run, dryRun), undefined, 2)}\n`);
  else await answer(run, dryRun, context);
  return isComplete(run) ? 0 : 1;
}

function tell(run: Run, log: ReturnType<typeof openLog>): void {
  for (const { name, observed } of run.clusters) {
    if (observed.kind === 'unknown') log.warn({ cluster: name, why: observed.why }, 'cluster cannot be seen');
  }
  for (const { mail, outcome, reply } of run.reports) {
    const fields = { claim: mail.claim, mail: mail.kind, outcome, ...(reply !== undefined && { reply }) };
    if (outcome === 'accepted') log.info(fields, 'mail was accepted');
    else log.warn(fields, 'mail was not accepted');
  }
  if (run.remembered.length > 0) {
    log.warn(
      { mails: run.remembered.length },
      'mails of earlier runs are not on record: nothing is sent before they are',
    );
  }
  if (run.written?.kind === 'written') {
    const { commit, branch, subject, attempts } = run.written;
    log.info({ commit, branch, subject, attempts }, 'committed');
  }
  for (const failure of run.published.failures) log.warn({ failure }, 'deadlines could not be published');
}

async function answer(run: Run, dryRun: boolean, context: Context): Promise<void> {
  const { failed, problems } = run;
  const outcome = {
    ok: failed.length === 0,
    problems: [...failed, ...problems],
    json: {},
    text: () => (failed.length > 0 ? '' : runText(run, dryRun)),
  };
  await finish(outcome, { format: 'text' }, context);
}

async function optionsFor(config: LifecycleConfig, context: Context): Promise<Omit<RunOptions, 'dryRun'>> {
  const { gitCredentials, smtpCredentials, keys, cluster, kubeconfig, context: kubeContext, kubeconfigs } = config;
  const { environment } = context;
  const now = () => Date.now();
  const given = {
    ...(cluster !== undefined && { home: cluster }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(kubeContext !== undefined && { context: kubeContext }),
    ...(kubeconfigs !== undefined && { kubeconfigs }),
  };
  return {
    git: {
      ...(await repositoryFor(config, context)),
      work: config.work,
      environment,
      ...(gitCredentials !== undefined && { credentials: gitCredentials }),
    },
    clusters: { ...given, environment, limitMs: config.requestSeconds * 1000, now },
    post: {
      ...(smtpCredentials !== undefined && { smtpCredentials }),
      ...(keys !== undefined && { keys }),
      signal: untilSignal(),
      now: () => new Date(now()),
    },
    now,
  };
}

/** Beside a clone, the repository that its settings name. */
async function repositoryFor({ gitUrl, gitBranch }: LifecycleConfig, { directory }: Context) {
  if (gitUrl !== undefined) return { url: gitUrl, branch: gitBranch ?? 'main' };
  const answer = await committedSettings(findRoot(directory));
  if (answer?.kind !== 'ok') throw new UsageError('name the repository with --git-url or QUIESCE_GIT_URL');
  const { url, branch } = answer.settings.git;
  return { url, branch: gitBranch ?? branch };
}

/** No further mail is sent after it; what was accepted is written down, and then the run ends by itself. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => stop.abort());
  }
  return stop.signal;
}
