import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, runFile } from '../cluster/sidecar/bundle.ts';
import { type LargeCluster, startLargeCluster } from '../sidecar/program/large-cluster.ts';
import { lastStage, layOutImage } from './lay-out.ts';

// Run with nothing but node.

const scratch = mkdtempSync(join(tmpdir(), 'quiesce-image-'));
const image = join(scratch, 'image');
const launcher = join(image, 'usr/local/bin/quiesce');
let cluster: LargeCluster;

beforeAll(async () => {
  await layOutImage({ image, root: image });
  readOnly(image, true);
  cluster = await startLargeCluster({ nodes: 1, pods: 1 });
});

afterAll(async () => {
  await cluster?.stop();
  readOnly(image, false);
  rmSync(scratch, { recursive: true, force: true });
});

function readOnly(folder: string, isSo: boolean): void {
  if (!isSo) chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) readOnly(path, isSo);
    else chmodSync(path, isSo ? 0o444 : 0o644);
  }
  if (isSo) chmodSync(folder, 0o555);
}

/** In an empty folder, with an empty environment: neither node_modules nor a work tree is anywhere above. */
async function quiesce(...args: readonly string[]): Promise<Ran> {
  const cwd = mkdtempSync(join(scratch, 'empty-'));
  const ran = await runFile(launcher, args, { PATH: '/nowhere', TMPDIR: cwd }, cwd);
  expect(readdirSync(cwd)).toEqual([]);
  return ran;
}

const of = (name: string) => lastStage.filter((instruction) => instruction.name === name).map(({ text }) => text);

describe('the image', () => {
  it('runs as a user that is not root, by number, as the Pods ask for it', () =>
    expect(of('USER')).toEqual(['65532:65532']));

  it('starts the command that the Pods start', () => {
    expect(of('ENTRYPOINT')).toEqual(['["quiesce"]']);
    expect(of('CMD')).toEqual(['["--help"]']);
  });

  it('is built from what the stages before have built, with no package manager left', () => {
    for (const text of of('COPY'))
      expect(text).toMatch(/^--from=(build \/source\/|helm \/go\/bin\/helm )|^--chmod=0755 <</);
    expect(of('RUN').join('\n')).toMatch(/rm -rf .*node_modules.*npm/);
  });

  it('says what it can do', async () => {
    const { status, stdout, stderr } = await quiesce('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: quiesce/);
  });

  it.each(['sidecar', 'lifecycle', 'keepalive'])('has quiesce %s', async (program) => {
    const { status, stdout, stderr } = await quiesce(program, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: quiesce ${program}`));
  });

  it('makes a pass over a cluster', async () => {
    const kubeconfig = join(scratch, 'kubeconfig');
    const content = {
      clusters: [{ name: 'c', cluster: { server: cluster.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 'none' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(kubeconfig, JSON.stringify(content));
    const { status, stdout, stderr } = await quiesce('sidecar', '--once', '--kubeconfig', kubeconfig);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'There is nothing to do.\n', stderr: '' });
  });
});
