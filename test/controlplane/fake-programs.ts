import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own, gone with the test. Its `go` builds in no time: all that surrounds a build can be tested. */
export interface FakeMachine {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The file names of the programs that were compiled, in order. */
  compiled(): Promise<readonly string[]>;
}

export interface FakeGo {
  readonly version?: string;
  /** What `go build` does instead of building: shell. */
  readonly build?: string;
}

export async function fakeMachine(go: FakeGo | 'none' = {}): Promise<FakeMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'quiesce-assets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const compiled = join(folder, 'compiled');
  await writeFile(compiled, '');
  const module = join(folder, 'module');
  for (const crds of ['manifests/crds', 'config/crd/bases']) {
    await write(join(module, crds, 'thing.yaml'), 'kind: CustomResourceDefinition\n');
    await write(join(module, crds, 'kustomization.yaml'), 'resources: [thing.yaml]\n');
  }
  const bin = join(folder, 'bin');
  await mkdir(bin);
  if (go !== 'none') await script(join(bin, 'go'), goScript(go, compiled, module));
  const path = go === 'none' ? bin : [bin, '/usr/bin', '/bin'].join(delimiter);
  return {
    folder,
    env: { PATH: path, HOME: folder },
    compiled: async () => (await readFile(compiled, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}

function goScript({ version = 'go1.26.8 linux/amd64', build = '' }: FakeGo, compiled: string, module: string): string {
  return `case "$1 $3" in
  "version ") echo "go version ${version}" ;;
  "list -deps") echo example.com/package ;;
  "list -m") echo ${module} ;;
  "build "*)
    ${build}
    while [ "$1" != -o ]; do shift; done
    echo "program of $3" > "$2"
    echo "\${2##*/}" >> ${compiled} ;;
esac`;
}

export async function script(file: string, body: string): Promise<void> {
  await write(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}

export async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
