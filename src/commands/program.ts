import { Command, InvalidArgumentError, Option } from 'commander';
import { addKeepaliveOptions, keepaliveDescription, keepaliveExamples } from '../keepalive/options.ts';
import { addLifecycleOptions, lifecycleDescription, lifecycleExamples } from '../runner/options.ts';
import { addSidecarOptions, sidecarDescription, sidecarExamples } from '../sidecar/options.ts';
import { version } from '../version.ts';
import type { BillingOptions } from './billing.ts';
import type { ClaimStateOptions } from './claim-state.ts';
import type { CommitOptions } from './commit.ts';
import type { Context, Status } from './context.ts';
import type { DeleteOptions } from './delete.ts';
import type { ExplainOptions } from './explain.ts';
import type { ForecastOptions } from './forecast.ts';
import type { InitOptions } from './init.ts';
import type { KeepaliveCommandOptions } from './keepalive.ts';
import type { LeftoversOptions } from './leftovers.ts';
import type { LifecycleOptions } from './lifecycle.ts';
import type { PlanOptions } from './plan.ts';
import type { RehearseOptions } from './rehearse.ts';
import type { SchemaOptions } from './schema.ts';
import type { SidecarOptions } from './sidecar.ts';
import type { SnapshotOptions } from './snapshot.ts';
import type { StatusOptions } from './status.ts';
import type { SynthOptions } from './synth.ts';
import type { ValidateOptions } from './validate.ts';

/** Does what a command is for; `directory` is what `-C` names. */
export type RunCommand = (
  directory: string | undefined,
  command: (context: Context) => Promise<Status>,
) => Promise<void>;

/**
 * Every command with its options. Nothing but commander is loaded before an action runs: `--help` has to be there at
 * once, and a command loads only what it needs.
 */
export function buildProgram(run: RunCommand): Command {
  const program = new Command('quiesce')
    .description('Compiles the desired state in state/ to manifests in out/, and says what a change of it will do.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      "\nEach command explains itself: quiesce synth --help\nExit status: 0 done, 1 problems, 2 wrong usage, 70 a mistake of Quiesce's own.\n",
    )
    .option(...directoryOption)
    .exitOverride();
  addSetUpCommands(program, run);
  addCompilerCommands(program, run);
  addPlanCommands(program, run);
  addForecast(program, run);
  addRehearsal(program, run);
  addClaimCommands(program, run);
  addClusterCommands(program, run);
  return program;
}

function addSetUpCommands(program: Command, run: RunCommand): void {
  add(program, 'init', 'Write a working skeleton into a repository.', [
    'quiesce init',
    'quiesce -C ../platform init --ci gitlab',
  ])
    .addOption(
      new Option('--ci <forge>', 'workflows for this forge (default: guessed from the repository)').choices([
        'github',
        'gitlab',
        'forgejo',
        'none',
      ]),
    )
    .option('--cdk8s', 'write cdk8s.yaml as well, so that "cdk8s synth" works')
    .option(...dryRunOption)
    .action(async (options: InitOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./init.ts')).init(options, context)),
    );
  add(program, 'schema', 'Write JSON Schemas for editors (draft-07).', [
    'quiesce schema',
    'quiesce schema --out .schemas',
  ])
    .option('--out <dir>', 'folder to write to (default: state/schemas)')
    .option(...dryRunOption)
    .action(async (options: SchemaOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./schema.ts')).schema(options, context)),
    );
}

function addCompilerCommands(program: Command, run: RunCommand): void {
  add(program, 'validate', 'Check state/ and show every problem at once.', [
    'quiesce validate',
    'quiesce validate --format sarif > problems.sarif',
    'quiesce validate --policy --from origin/main',
  ])
    .option('--policy', 'fail where a change lacks the approval that spec.policy in the settings asks for')
    .option('--from <state>', 'with --policy: state before, as for plan (default: HEAD)')
    .addOption(labelOption())
    .addOption(snapshotOption())
    .option(...atOption)
    .addOption(problemFormat())
    .action(async (options: ValidateOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./validate.ts')).validate(options, context)),
    );
  add(program, 'synth', 'Compile state/ and write out/.', [
    'quiesce synth',
    'quiesce synth --check',
    'quiesce synth --dry-run --json',
  ])
    .option('--check', 'write nothing; show how out/ differs, and fail if it does')
    .option('--full', 'render everything again, whatever the inventory says')
    .option('--allow-mass-removal <n>', 'let up to N claims or objects be dropped at once', wholeNumber)
    .option(...dryRunOption)
    .addOption(problemFormat())
    .action(async (options: SynthOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./synth.ts')).synth(options, context)),
    );
}

function addPlanCommands(program: Command, run: RunCommand): void {
  addPlan(program, run);
  add(program, 'commit', 'Compile, then commit and push out/ if it changed.', [
    'quiesce commit',
    'quiesce commit --dry-run',
  ])
    .option('--no-push', 'commit here, push nothing')
    .option('--allow-dirty', 'leave edits of state/ that are not committed out, rather than refuse')
    .option('--any-branch', 'publish the state of any branch, not only that of git.branch in the settings')
    .option('--allow-mass-removal <n>', 'let up to N claims or objects be dropped at once', wholeNumber)
    .option(...dryRunOption)
    .addOption(problemFormat())
    .action(async (options: CommitOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./commit.ts')).commitOutput(options, context)),
    );
}

function addPlan(program: Command, run: RunCommand): void {
  const formats = ['text', 'markdown', 'json', 'html', 'sarif', 'github', 'gitlab', 'status'];
  add(program, 'plan', 'Say in words what a change of state/ will do.', [
    'quiesce plan',
    'quiesce plan --objects',
    'quiesce plan --from origin/main --format markdown > comment.md',
    'quiesce plan --from v1 --to v2 --report plan.html --report plan.md',
    'quiesce plan --from ../before --to .',
    'quiesce plan --snapshot atlas.snapshot.gz',
  ])
    .option('--from <state>', 'state before: a commit, branch or tag, or a folder such as ./before (default: HEAD)')
    .option('--to <state>', 'state after: the same, or "worktree" (default: worktree)')
    .option('--objects', 'compare the rendered objects as well, field by field')
    .addOption(new Option('--format <format>', 'form of the plan; status is one line').choices(formats).default('text'))
    .addOption(
      listOption('--report <file>', 'write it to FILE as well, in the form of its ending or as in gitlab=quality.json'),
    )
    .option('--report-url <url>', 'where the whole report can be seen: linked from the markdown')
    .addOption(snapshotOption())
    .option(...atOption)
    .option('--limit <bytes>', 'size of the markdown (default: 65536, which every forge takes)', wholeNumber)
    .addOption(labelOption())
    .action(async (options: PlanOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./plan.ts')).plan(options, context)),
    );
}

function addForecast(program: Command, run: RunCommand): void {
  add(program, 'forecast', 'Say what will happen to claims if nobody renews them: warnings, sleep, deletion.', [
    'quiesce forecast',
    'quiesce forecast ada bob --until 2027-03-31 --by claim',
    'quiesce forecast --until 90d --html > forecast.html',
  ])
    .argument('[names...]', 'only these claims')
    .option('--until <date>', 'how far to look: a day, an instant, or a duration such as 90d (default: 180d)')
    .option('--from <date>', 'when to begin (default: now)')
    .addOption(new Option('--by <group>', 'how to group the text').choices(['day', 'claim']).default('day'))
    .option('--schedules', 'list every tick of every sleep schedule')
    .option('--ics', 'answer as a calendar file')
    .option('--svg', 'answer as a drawing')
    .option('--html', 'answer as a page with the drawing in it')
    .action(async (names: string[], options: ForecastOptions, command: Command) =>
      run(directoryOf(command), async (context) =>
        (await import('./forecast.ts')).forecastClaims(names, options, context),
      ),
    );
}

function addRehearsal(program: Command, run: RunCommand): void {
  add(program, 'snapshot', 'Take a picture of a cluster to rehearse on. Reads only, and keeps nothing secret.', [
    'quiesce snapshot --context atlas -o atlas.snapshot.gz',
    'quiesce snapshot --rbac | kubectl apply -f -',
  ])
    .option('-o, --output <file>', 'file to write; zipped if it ends in .gz')
    .option('--cluster <name>', 'how the settings call the host cluster (default: as the context is called)')
    .option('--helm', 'look into records of Helm releases, for the names of what Helm would delete')
    .option('--rbac', 'print the ClusterRoles that it takes, and take nothing')
    .option('--kubeconfig <file>', 'where the cluster is (default: KUBECONFIG, or as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (options: SnapshotOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./snapshot.ts')).snapshot(options, context)),
    );
  add(program, 'rehearse', 'Say what a change of state/ will do to a cluster, by running it on a snapshot.', [
    'quiesce rehearse --snapshot atlas.snapshot.gz',
    'quiesce rehearse --snapshot atlas.snapshot.gz --from origin/main --json',
  ])
    .addOption(listOption('--snapshot <file>', 'what "quiesce snapshot" has written; once for each cluster'))
    .option('--from <state>', 'state before, as for plan (default: HEAD)')
    .option('--to <state>', 'state after, as for plan (default: worktree)')
    .option('--cluster <name>', 'host cluster that the snapshot is of, if it calls it otherwise')
    .option('--at <instant>', 'say how old the snapshot is at this instant')
    .action(async (options: RehearseOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./rehearse.ts')).rehearseChange(options, context)),
    );
}

function labelOption(): Option {
  return listOption('--label <name>', 'label of the pull request, as in QUIESCE_LABELS');
}

function snapshotOption(): Option {
  return listOption(
    '--snapshot <file>',
    'rehearse on it as well, once for each cluster; NAME=FILE says which it is of',
  );
}

const atOption = ['--at <instant>', 'say how old the snapshots are at this instant'] as const;

/** May be given more than once. */
function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    text,
  ]);
}

function addClaimCommands(program: Command, run: RunCommand): void {
  add(program, 'sleep', 'Put claims to sleep.', ['quiesce sleep ada', 'quiesce sleep ada bob --dry-run'])
    .argument('<names...>', 'names of claims; all of them are changed, or none')
    .option(...dryRunOption)
    .action(async (names: string[], options: ClaimStateOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./sleep.ts')).sleep(names, options, context)),
    );
  add(program, 'wake', 'Wake claims up.', ['quiesce wake ada', 'quiesce wake ada bob --dry-run'])
    .argument('<names...>', 'names of claims; all of them are changed, or none')
    .option(...dryRunOption)
    .action(async (names: string[], options: ClaimStateOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./wake.ts')).wake(names, options, context)),
    );
  add(program, 'delete', 'Order the deletion of claims and their data.', [
    'quiesce delete ada',
    'quiesce delete ada bob --yes',
    'quiesce delete ada --dry-run',
  ])
    .argument('<names...>', 'names of claims; all of them are changed, or none')
    .option('-y, --yes', 'do not ask for the names again; needed where there is no terminal')
    .option(...dryRunOption)
    .action(async (names: string[], options: DeleteOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./delete.ts')).deleteClaims(names, options, context)),
    );
}

function addClusterCommands(program: Command, run: RunCommand): void {
  add(program, 'status', 'Show what the cluster says of maintenance, claims, installations and shutdowns.', [
    'quiesce status',
    'quiesce status --watch --context atlas',
    'quiesce status atlas-metal --json',
  ])
    .argument('[names...]', 'only these blocks, claims, installations or shutdowns')
    .option('-w, --watch', 'go on showing it until interrupted; with --json one line for each change')
    .option('--kubeconfig <file>', 'where the cluster is (default: KUBECONFIG, or as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (names: string[], options: StatusOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./status.ts')).status(names, options, context)),
    );
  add(program, 'explain', 'Say why a claim or an installation is where it is, what it waits for and who has to act.', [
    'quiesce explain ada',
    'quiesce explain ada --context atlas --json',
  ])
    .argument('<name>', 'name of a claim or an installation')
    .option('--kubeconfig <file>', 'where the cluster is (default: KUBECONFIG, or as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (name: string, options: ExplainOptions, command: Command) =>
      run(directoryOf(command), async (context) =>
        (await import('./explain.ts')).explainByName(name, options, context),
      ),
    );
  add(program, 'leftovers', 'Find what uninstalls, earlier tools and people have left on a cluster. Deletes nothing.', [
    'quiesce leftovers',
    'quiesce leftovers --cluster atlas --json',
  ])
    .option('--cluster <name>', 'host cluster: the context of that name')
    .option('--kubeconfig <file>', 'where the cluster is (default: KUBECONFIG, or as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (options: LeftoversOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./leftovers.ts')).leftovers(options, context)),
    );
  addLifecycleOptions(add(program, 'lifecycle', lifecycleDescription, lifecycleExamples)).action(
    async (options: LifecycleOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./lifecycle.ts')).lifecycle(options, context)),
  );
  addKeepaliveOptions(add(program, 'keepalive', keepaliveDescription, keepaliveExamples)).action(
    async (options: KeepaliveCommandOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./keepalive.ts')).keepalive(options, context)),
  );
  add(program, 'billing', 'Count the vCPU that clusters are billed for, node by node, and say why.', [
    'quiesce billing',
    'quiesce billing --context atlas --context borealis --json',
  ])
    .option('--kubeconfig <file>', 'where the clusters are (default: KUBECONFIG, or as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig; once for each cluster', collect)
    .action(async (options: BillingOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./billing.ts')).billing(options, context)),
    );
  addSidecarOptions(add(program, 'sidecar', sidecarDescription, sidecarExamples)).action(
    async (options: SidecarOptions, command: Command) =>
      run(directoryOf(command), async (context) => (await import('./sidecar.ts')).sidecar(options, context)),
  );
}

const directoryOption = ['-C, --directory <dir>', 'run as if started in DIR'] as const;
const dryRunOption = ['-n, --dry-run', 'say what would be done, write nothing'] as const;

/** A command with what all of them have. */
function add(program: Command, name: string, description: string, examples: readonly string[]): Command {
  return program
    .command(name)
    .description(description)
    .option(...directoryOption)
    .option('--json', 'answer in JSON on stdout')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`);
}

function problemFormat(): Option {
  const formats = ['text', 'json', 'sarif', 'github'];
  return new Option('--format <format>', 'form of problems (default: text; github in a GitHub workflow)').choices(
    formats,
  );
}

/** Given before or after the command's name. */
function directoryOf(command: Command): string | undefined {
  const { directory } = command.optsWithGlobals<{ directory?: string }>();
  return directory;
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
}
