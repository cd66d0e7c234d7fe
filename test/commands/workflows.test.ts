import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { forgejoCommit, forgejoPlan } from '../../src/init/workflow-forgejo.ts';
import { githubCommit, githubPlan } from '../../src/init/workflow-github.ts';
import { gitlabPipeline, gitlabRoot } from '../../src/init/workflow-gitlab.ts';
import { version } from '../../src/version.ts';
import { builtCommand } from './built.ts';
import { claimFile, type Instance, openInstance, settings } from './instance.ts';

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}

const stepsOf = (workflow: string) => Object.values((parse(workflow) as Workflow).jobs).flatMap(({ steps }) => steps);
const gitlabScript = (job: string) =>
  (parse(gitlabPipeline('main')) as Record<string, { script: readonly string[] }>)[job]?.script ?? [];

describe('workflows', () => {
  it('for pull requests plan, compile, ask for approvals, and may not write to the repository', () => {
    for (const workflow of [githubPlan(), forgejoPlan()]) {
      const runs = stepsOf(workflow).flatMap(({ run }) => run ?? []);
      expect(runs[0]).toMatch(/^npx --yes "\$QUIESCE" plan --from HEAD\^1 --to HEAD --objects /);
      expect(runs[0]).toContain('--report plan.html --report plan.md --report status=plan.status');
      expect(runs.slice(-2)).toEqual([
        'npx --yes "$QUIESCE" synth --dry-run',
        'npx --yes "$QUIESCE" validate --policy --from HEAD^1 $SNAPSHOTS',
      ]);
      expect(workflow).toContain(`QUIESCE: quiesce@${version}\n`);
      // Commits of the pull request may approve, and so may labels, whenever they are set.
      expect(workflow).toContain('fetch-depth: 0\n');
      expect(workflow).toContain('types: [opened, synchronize, reopened, labeled, unlabeled]\n');
    }
    expect(gitlabScript('quiesce plan').slice(-2)).toEqual([
      'npx --yes "$QUIESCE" synth --dry-run',
      'npx --yes "$QUIESCE" validate --policy --from "$CI_MERGE_REQUEST_DIFF_BASE_SHA" $SNAPSHOTS',
    ]);
    expect(parse(githubPlan())).toMatchObject({
      permissions: { contents: 'read', 'pull-requests': 'write', statuses: 'write' },
    });
  });

  it('take a snapshot to rehearse on once the step for it is no comment any more', () => {
    const uncommented = (workflow: string) => workflow.replaceAll(/^( +)# (?=- (?:name: Snapshot|\|)$| {2})/gm, '$1');
    for (const workflow of [githubPlan(), forgejoPlan()]) {
      expect(stepsOf(workflow).map(({ name }) => name)).not.toContain('Snapshot');
      const steps = stepsOf(uncommented(workflow));
      const names = steps.map(({ name }) => name);
      expect(names.indexOf('Snapshot')).toBe(names.indexOf('Plan') - 1);
      const run = steps.find(({ name }) => name === 'Snapshot')?.run ?? '';
      expect(run).toContain('npx --yes "$QUIESCE" snapshot --kubeconfig ../kubeconfig ');
      expect(steps.find(({ name }) => name === 'Plan')?.run).toMatch(/ \$SNAPSHOTS\n?$/);
    }
    const script = (parse(uncommented(gitlabPipeline('main'))) as Record<string, { script: readonly string[] }>)[
      'quiesce plan'
    ]?.script;
    expect(script?.[0]).toContain('npx --yes "$QUIESCE" snapshot --kubeconfig "$QUIESCE_SNAPSHOT_KUBECONFIG" ');
    expect(script?.[1]).toContain(' $SNAPSHOTS ||');
  });

  it('set the status of the commit that the merge request is about', () => {
    const script = gitlabScript('quiesce plan').find((line) => line.startsWith('export STATUS=')) ?? '';
    expect(script).toMatch(/\/statuses\/\$\{CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-\$CI_COMMIT_SHA\}"$/);
  });

  it('for the merge commit, on the branch named, one at a time', () => {
    expect(parse(githubCommit('trunk'))).toMatchObject({
      on: { push: { branches: ['trunk'], paths: ['state/**'] } },
      permissions: { contents: 'write' },
      concurrency: { 'cancel-in-progress': false },
    });
    for (const workflow of [githubCommit('main'), forgejoCommit('main')]) {
      expect(stepsOf(workflow).at(-1)?.run).toBe(`npx --yes quiesce@${version} commit`);
    }
    expect(gitlabScript('quiesce commit').at(-1)).toBe(`npx --yes quiesce@${version} commit`);
    expect(parse(gitlabPipeline('trunk'))).toMatchObject({
      'quiesce commit': {
        resource_group: 'quiesce-commit',
        rules: [{ if: expect.stringContaining('$CI_COMMIT_BRANCH == "trunk"') }],
      },
    });
    expect(parse(gitlabRoot)).toEqual({ include: [{ local: '.gitlab/quiesce.yml' }] });
  });

  it('put no expression of a forge into a script: names of branches could be commands', () => {
    for (const workflow of [githubPlan(), githubCommit('main'), forgejoPlan(), forgejoCommit('main')]) {
      for (const { run } of stepsOf(workflow)) expect(run ?? '').not.toContain('${{');
    }
  });
});

describe('the steps', () => {
  let instance: Instance;
  beforeEach(async () => {
    const policy = `${settings}  policy:\n    rules:\n      - { name: data-loss, dangers: [data-lost] }\n`;
    instance = await openInstance({ 'state/settings.yaml': policy, 'state/claims/ada.yaml': claimFile('ada') });
    // In place of the registry: what is asked for there is the command as it is built from here.
    const npx = `#!/bin/sh\ntest "$1 $2" = "--yes quiesce@${version}" || exit 9\nshift 2\nexec "${process.execPath}" "${await builtCommand()}" "$@"\n`;
    instance.write('bin/npx', npx);
    chmodSync(join(instance.dir, 'bin/npx'), 0o755);
  });
  afterEach(() => instance.workshop.close());

  const shell = async (script: string, env: Readonly<Record<string, string>> = {}) => {
    const path = `${join(instance.dir, 'bin')}:${instance.workshop.env.PATH}`;
    const base = {
      QUIESCE: `quiesce@${version}`,
      RUN: 'https://forge.example/run/7',
      CI_JOB_URL: 'https://forge.example/run/7',
    };
    const child = spawn('sh', ['-e', '-c', script], {
      cwd: instance.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...instance.workshop.env, ...base, CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD^1', ...env, PATH: path },
    });
    const ended = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    return { output: (await text(child.stdout)) + (await text(child.stderr)), status: await ended };
  };
  const step = (workflow: string, name: string): string =>
    stepsOf(workflow).find((each) => each.name === name)?.run ?? 'exit 8';
  const plans = {
    github: step(githubPlan(), 'Plan'),
    forgejo: step(forgejoPlan(), 'Plan'),
    gitlab: gitlabScript('quiesce plan')[0] ?? 'exit 8',
  };

  it.each(Object.entries(plans))('of %s make the comment, the page and the status line', async (forge, script) => {
    await instance.commit('Delete', { 'state/claims/ada.yaml': claimFile('ada', '  state: Deleted\n') });
    const { status, output } = await shell(script);
    expect(status).toBe(0);
    expect(output).toContain('Virtual cluster ada on west is ordered to be deleted.');
    expect(instance.read('plan.md')).toContain('[The whole report](https://forge.example/run/7)');
    expect(instance.read('plan.html')).toMatch(/^<!doctype html>/);
    if (forge === 'gitlab') expect(JSON.parse(instance.read('plan.quality.json'))).toHaveLength(1);
    expect(instance.read('plan.status')).toBe('1 change, 1 danger, 1 approval missing: delete 1\n');
    if (forge === 'github') expect(output).toMatch(/^::warning file=state\/claims\/ada.yaml,line=8/m);
  });

  it.each(Object.entries(plans))('of %s say in the comment that the state does not compile', async (forge, script) => {
    await instance.commit('Break', { 'state/claims/ada.yaml': claimFile('ada', '  stat: x\n') });
    const { status } = await shell(script);
    expect(status).toBe(forge === 'gitlab' ? 0 : 1);
    expect(instance.has('plan.failed')).toBe(forge === 'gitlab');
    expect(instance.read('plan.md')).toMatch(/^<!-- quiesce-plan -->\n### Quiesce: no plan, 1 problem: 1 error\n/);
  });

  it('of all of them fail without the approval, and pass with the label', async () => {
    await instance.commit('Delete', { 'state/claims/ada.yaml': claimFile('ada', '  state: Deleted\n') });
    const checks = [
      step(githubPlan(), 'Approvals'),
      step(forgejoPlan(), 'Approvals'),
      gitlabScript('quiesce plan').at(-1) ?? '',
    ];
    for (const script of checks) {
      expect((await shell(script)).status).toBe(1);
      expect((await shell(script, { QUIESCE_LABELS: 'bug,quiesce-approve/data-loss' })).status).toBe(0);
    }
  });
});

describe('the comment', () => {
  let server: Server;
  let folder: string;
  let comments: { id: number; body: string }[];
  let requests: string[];
  let statuses: object[];
  beforeEach(async () => {
    comments = [];
    requests = [];
    statuses = [];
    folder = mkdtempSync(join(tmpdir(), 'quiesce-comment-'));
    writeFileSync(join(folder, 'plan.md'), '<!-- quiesce-plan -->\nnew "plan"');
    writeFileSync(join(folder, 'plan.status'), '1 change: sleep 1\n');
    server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://forge');
      requests.push(
        `${request.method} ${url.pathname}${url.search} ${request.headers.authorization ?? request.headers['private-token']}`,
      );
      const sent = await text(request);
      if (request.method === 'GET') {
        const page = Number(url.searchParams.get('page'));
        response.end(JSON.stringify(comments.slice((page - 1) * 50, page * 50)));
        return;
      }
      if (url.pathname === '/status') {
        statuses.push(JSON.parse(sent) as object);
        response.end('{}');
        return;
      }
      const { body } = JSON.parse(sent) as { body: string };
      const id = Number(url.pathname.split('/').at(-1));
      if (request.method === 'POST') comments.push({ id: 1000, body });
      else comments = comments.map((comment) => (comment.id === id ? { id, body } : comment));
      response.end('{}');
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function runScript(
    script: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ status: number | null; output: string }> {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn('sh', ['-e', '-c', script], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LIST: `${base}/list`, EDIT: `${base}/edit`, BASE: base, ...env },
    });
    const status = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    return { output: (await text(child.stdout)) + (await text(child.stderr)), status: await status };
  }

  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: index, body: `about ${index}, see <!-- quiesce-plan -->` }));
  const forgejo = stepsOf(forgejoPlan()).find(({ name }) => name === 'Comment')?.run ?? '';
  const gitlab = gitlabScript('quiesce plan').find((line) => line.includes('comment.cjs')) ?? '';
  const mine = '<!-- quiesce-plan -->\nnew "plan"';

  it('is made where there is none (Forgejo)', async () => {
    comments = others(3);
    expect(await runScript(forgejo, { METHOD: 'PATCH', AUTH: 'authorization: token abc' })).toEqual({
      status: 0,
      output: '',
    });
    expect(comments).toEqual([...others(3), { id: 1000, body: mine }]);
    expect(requests).toEqual(['GET /list?per_page=50&limit=50&page=1 token abc', 'POST /list token abc']);
  });

  it('is updated in place, on whatever page it is (GitLab)', async () => {
    comments = [...others(70), { id: 70, body: '<!-- quiesce-plan -->\nold' }];
    expect(await runScript(gitlab, { METHOD: 'PUT', AUTH: 'private-token: abc', QUIESCE_TOKEN: 'abc' })).toEqual({
      status: 0,
      output: '',
    });
    expect(comments).toEqual([...others(70), { id: 70, body: mine }]);
    expect(requests.at(-1)).toBe('PUT /edit/70 abc');
  });

  it('comes with the status line of the commit, where the forge has one', async () => {
    const status = 'STATUS="$BASE/status" node comment.cjs';
    const script = forgejo.replace(/^node comment\.cjs$/m, status);
    expect(script).toContain(status);
    const env = { METHOD: 'PATCH', AUTH: 'authorization: token abc', RUN: 'https://forge.example/run/7' };
    expect((await runScript(script, env)).status).toBe(0);
    expect(statuses).toEqual([
      {
        state: 'success',
        context: 'quiesce/plan',
        description: '1 change: sleep 1',
        target_url: 'https://forge.example/run/7',
      },
    ]);
  });

  it('is left out without a token, and a refusal fails the job', async () => {
    expect(await runScript(gitlab, { METHOD: 'PUT', AUTH: 'private-token: ' })).toEqual({
      status: 0,
      output: 'No QUIESCE_TOKEN: the plan is above.\n',
    });
    server.removeAllListeners('request');
    server.on('request', (_, response) => response.writeHead(403).end('{}'));
    const { status, output } = await runScript(forgejo, { METHOD: 'PATCH', AUTH: 'authorization: token abc' });
    expect(status).not.toBe(0);
    expect(output).toMatch(/answered 403/);
  });
});
