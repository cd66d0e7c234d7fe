import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/sidecar/config.ts';
import { parseAddress } from '../../../src/sidecar/option-values.ts';
import { addSidecarOptions, sidecarOptions } from '../../../src/sidecar/options.ts';

const folder = mkdtempSync(join(tmpdir(), 'quiesce-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'sidecar.yaml');
  writeFileSync(path, text);
  return path;
}

const read = (flags: Record<string, unknown> = {}, environment: NodeJS.ProcessEnv = {}) =>
  readConfig({ flags, environment, hostName: 'machine-1' });

it('without anything everything has its default', () => {
  expect(read()).toEqual({
    kind: 'config',
    config: {
      namespace: 'quiesce-system',
      identity: 'machine-1',
      listen: { port: 8080 },
      logLevel: 'info',
      leaseSeconds: 30,
      resyncSeconds: 60,
      requestSeconds: 30,
      parallel: 20,
      pageSize: 500,
      helm: 'helm',
    },
  });
});

it('the Deployment’s environment is understood', () => {
  const environment = {
    QUIESCE_CLUSTER: 'atlas',
    QUIESCE_LISTEN: ':8080',
    POD_NAME: 'quiesce-sidecar-7d',
    POD_NAMESPACE: 'quiesce-system',
    NODE_NAME: 'worker-1',
  };
  expect(read({}, environment)).toMatchObject({ config: { cluster: 'atlas', identity: 'quiesce-sidecar-7d' } });
});

it('a flag counts more than the environment, and that more than the file', () => {
  const config = file('leaseSeconds: 11\nparallel: 12\npageSize: 100\nlisten: "[::1]:9000"\n');
  const result = read({ config, leaseSeconds: '31' }, { QUIESCE_LEASE_SECONDS: '21', QUIESCE_PARALLEL: '22' });
  expect(result).toMatchObject({
    kind: 'config',
    config: { leaseSeconds: 31, parallel: 22, pageSize: 100, listen: { host: '::1', port: 9000 } },
  });
  expect(read({}, { QUIESCE_CONFIG: config })).toMatchObject({ config: { leaseSeconds: 11 } });
});

it('everything that is wrong is said at once, with where it was said', () => {
  const config = file('leaseSeconds: soon\nlease: 3\n');
  expect(read({ config, listen: '8080' }, { QUIESCE_LOG_LEVEL: 'loud', QUIESCE_PARALLEL: '0' })).toEqual({
    kind: 'wrong',
    problems: [
      `${config} has the key lease, which is none of ${sidecarOptions.map(({ key }) => key).join(', ')}`,
      '--listen has to be a port with or without a host, such as :8080, 127.0.0.1:8080 or [::1]:8080, and is "8080"',
      'QUIESCE_LOG_LEVEL has to be one of debug, info, warn, error, silent, and is "loud"',
      'leaseSeconds in the file has to be a whole number from 2 to 3600, and is "soon"',
      'QUIESCE_PARALLEL has to be a whole number from 1 to 500, and is "0"',
    ],
  });
});

it.each([
  ['- a\n', /has to hold keys and values/],
  ['a: [', /cannot be read/],
])('a file that is no configuration is refused: %j', (text, problem) => {
  expect(read({ config: file(text) })).toMatchObject({ problems: [expect.stringMatching(problem)] });
});

it('a file that is not there is refused', () => {
  expect(read({ config: join(folder, 'none') })).toMatchObject({ problems: [expect.stringMatching(/cannot be read/)] });
});

describe('the table of options', () => {
  it('has a flag of the key’s name each, and every flag comes through commander', () => {
    const command = addSidecarOptions(new Command()).exitOverride();
    const args = sidecarOptions.flatMap(({ flag }) => [flag.replace(/ .*/, ''), '7']);
    command.parse(args, { from: 'user' });
    expect(Object.keys(command.opts()).sort()).toEqual(sidecarOptions.map(({ key }) => key).sort());
  });
});

it.each([
  [':8080', { port: 8080 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[fd00::1]:80', { host: 'fd00::1', port: 80 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ['8080', undefined],
  [':65536', undefined],
  ['fd00::1:80', undefined],
  ['host:', undefined],
])('%s is an address or not', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
});
