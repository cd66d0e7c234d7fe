import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openInstance, runSources } from './instance.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await openInstance({ 'state/claims/ada.yaml': claimFile('ada') });
});
afterAll(() => instance.workshop.close());

const commands = [
  'init',
  'schema',
  'validate',
  'synth',
  'plan',
  'commit',
  'forecast',
  'snapshot',
  'rehearse',
  'sleep',
  'wake',
  'delete',
  'status',
  'explain',
  'leftovers',
  'lifecycle',
  'keepalive',
  'billing',
  'sidecar',
];

/** They write nothing anyhow. */
const readOnly = [
  'validate',
  'plan',
  'forecast',
  'snapshot',
  'rehearse',
  'status',
  'explain',
  'leftovers',
  'keepalive',
  'billing',
];

describe('help', () => {
  it('lists every command', async () => {
    const { status, stdout, stderr } = await instance.quiesce('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect([...stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name)).toEqual(commands);
  });

  it.each(commands)('of %s has examples, --json and -C', async (command) => {
    const { status, stdout } = await instance.quiesce(command, '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n {2}\\$ quiesce .*${command}`));
    expect(stdout).toMatch(/-C, --directory/);
    expect(stdout).toMatch(/--json/);
    if (!readOnly.includes(command)) expect(stdout).toMatch(/--dry-run/);
  });

  it('is given, with status 2, to who names no command', async () => {
    const { status, stdout, stderr } = await instance.quiesce();
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('Usage: quiesce');
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await instance.quiesce('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('wrong use', () => {
  it.each([
    [['synt'], /unknown command 'synt'\n\(Did you mean synth\?\)/],
    [['synth', '--chek'], /unknown option '--chek'\n\(Did you mean --check\?\)/],
    [['synth', 'ada'], /too many arguments/],
    [['synth', '--allow-mass-removal', '-1'], /It has to be a whole number/],
    [['validate', '--format', 'xml'], /Allowed choices are text, json, sarif, github/],
    [['sleep'], /missing required argument 'names'/],
    [['-C', 'nowhere', 'validate'], /there is no folder nowhere/],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await instance.quiesce(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('what is loaded', () => {
  /** Names of packages, by a hook that sees every import and a look at what was required. */
  async function packagesOf(...args: readonly string[]): Promise<readonly string[]> {
    const folder = mkdtempSync(join(instance.workshop.dir, 'trace-'));
    const log = join(folder, 'log');
    writeFileSync(log, '');
    writeFileSync(
      join(folder, 'hooks.mjs'),
      `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context); }`,
    );
    writeFileSync(
      join(folder, 'trace.mjs'),
      `import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
register(${JSON.stringify(pathToFileURL(join(folder, 'hooks.mjs')).href)});
process.on('exit', () => appendFileSync(${JSON.stringify(log)}, Object.keys(createRequire(import.meta.url).cache).join('\\n')));`,
    );
    const trace = ['--import', pathToFileURL(join(folder, 'trace.mjs')).href];
    const answer = await runSources(instance.dir, args, instance.workshop.env, trace);
    expect(answer.status, answer.stderr).toBe(0);
    const names = [...readFileSync(log, 'utf8').matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(
      ([, name]) => name ?? '',
    );
    return [...new Set(names)].filter((name) => name !== 'tsx' && name !== 'esbuild').sort();
  }

  it('by --help: commander, and nothing else', async () => {
    expect(await packagesOf('--help')).toEqual(['commander']);
    expect(await packagesOf('synth', '--help')).toEqual(['commander']);
  });

  it('by synth with nothing to do: commander, and nothing else', async () => {
    await instance.quiesce('synth');
    await instance.git('add', '.');
    await instance.git('commit', '-qm', 'Output');
    await instance.quiesce('synth');
    expect(await packagesOf('synth')).toEqual(['commander']);
  });
});
