import { existsSync } from 'node:fs';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Assets, buildAssets, findAssets } from './assets.ts';
import { cacheFolder } from './cache.ts';
import { type FakeMachine, fakeMachine, write } from './fake-programs.ts';
import { moduleFolder, partKey } from './key.ts';
import { type Recipe, recipes } from './recipes.ts';
import { oldestGo } from './toolchain.ts';

const remedy = 'npm run controlplane (once; up to 20 minutes), or set QUIESCE_ASSETS to a folder with ready binaries';
const allPrograms = ['argocd', 'helm', 'helm', 'kube', 'kustomize-controller', 'kwok', 'source-controller'];
const [kube, kwok] = recipes as [Recipe, Recipe];

async function built({ env }: FakeMachine, lines: string[] = []): Promise<Assets> {
  const result = await buildAssets(env, { progress: (line) => lines.push(line) });
  if (result.kind === 'missing') throw new Error(result.reason);
  return result.assets;
}

const silent = { progress: () => undefined };

describe('the key of a part', () => {
  async function keyAfter(change: (folder: string) => Promise<void>): Promise<string> {
    const { folder } = await fakeMachine();
    for (const name of ['go.mod', 'go.sum', 'kube/main.go']) await write(join(folder, name), name);
    await change(folder);
    return partKey(kube, 'go1.26.8 linux/amd64', folder);
  }

  it.each(['go.mod', 'go.sum', 'kube/main.go', 'kube/another.go'])('changes when %s changes', async (name) => {
    const before = await keyAfter(async () => undefined);
    expect(await keyAfter((folder) => writeFile(join(folder, name), 'changed'))).not.toBe(before);
  });

  it('changes with nothing else in the folders', async () => {
    const before = await keyAfter(async () => undefined);
    for (const name of ['notes.md', 'kube/notes.md', 'argocd/main.go']) {
      expect(await keyAfter((folder) => write(join(folder, name), 'changed'))).toBe(before);
    }
  });

  it('changes with the Go version, the linker variables and the package', async () => {
    const keys = [
      await partKey(kwok, 'go1.26.8 linux/amd64'),
      await partKey(kwok, 'go1.26.9 linux/amd64'),
      await partKey({ ...kwok, stamps: {} }, 'go1.26.8 linux/amd64'),
      await partKey({ ...kwok, package: 'sigs.k8s.io/kwok/cmd/kwokctl' }, 'go1.26.8 linux/amd64'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('a build', () => {
  it('makes every part once, and a second one makes nothing', async () => {
    const machine = await fakeMachine();
    const first = await built(machine);
    expect((await machine.compiled()).toSorted()).toEqual(allPrograms);
    expect(await built(machine)).toEqual(first);
    expect((await machine.compiled()).toSorted()).toEqual(allPrograms);
    expect(await findAssets(machine.env)).toEqual({ kind: 'ready', assets: first });
  });

  it('takes the CustomResourceDefinitions along, and no kustomization', async () => {
    const assets = await built(await fakeMachine());
    for (const folder of [assets.argocdCrds, ...assets.fluxCrds]) expect(await readdir(folder)).toEqual(['thing.yaml']);
  });

  it('leaves nothing in the cache but finished parts', async () => {
    const machine = await fakeMachine();
    await built(machine);
    const names = await readdir(cacheFolder(machine.env));
    expect(names.map((name) => name.replace(/-[0-9a-f]{16}$/, '')).sort()).toEqual(
      recipes.map(({ part }) => part).sort(),
    );
  });

  it('of two at the same time compiles each part once', async () => {
    const machine = await fakeMachine({ build: 'sleep 0.3' });
    const [one, other] = await Promise.all([built(machine), built(machine)]);
    expect(one).toEqual(other);
    expect((await machine.compiled()).toSorted()).toEqual(allPrograms);
  });

  it('of one part says what else is missing', async () => {
    const machine = await fakeMachine();
    const reason = 'the control plane is not built: kube, argocd, flux-source, flux-kustomize, helm4, helm3';
    expect(await buildAssets(machine.env, { ...silent, only: ['kwok'] })).toEqual({ kind: 'missing', reason, remedy });
    expect(await machine.compiled()).toEqual(['kwok']);
  });

  it('that is interrupted ends at once and leaves nothing', async () => {
    const machine = await fakeMachine({ build: 'sleep 60' });
    const interruption = new AbortController();
    const build = buildAssets(machine.env, { ...silent, signal: interruption.signal });
    setTimeout(() => interruption.abort(), 500);
    expect(await build).toMatchObject({ kind: 'missing', reason: 'the build of kube was interrupted' });
    expect(await readdir(cacheFolder(machine.env))).toEqual([]);
  });
});

describe('a cache entry that is half written', () => {
  const cases: readonly [string, (program: string) => Promise<void>, RegExp][] = [
    ['has no manifest', (program) => rm(join(dirname(program), 'manifest.json')), /no manifest\.json/],
    ['has half a manifest', (program) => truncate(join(dirname(program), 'manifest.json'), 20), /unreadable manifest/],
    ['has no program', (program) => rm(program), /no kwok/],
    ['has half a program', (program) => truncate(program, 5), /kwok has 5 bytes of \d+/],
  ];

  it.each(cases)('%s: it is named, and built again', async (_, damage, why) => {
    const machine = await fakeMachine();
    const [kwok = ''] = (await built(machine)).kwok;
    await damage(kwok);
    const found = await findAssets(machine.env);
    expect(found).toMatchObject({ kind: 'missing', reason: expect.stringMatching(why), remedy });
    const lines: string[] = [];
    await built(machine, lines);
    expect(lines[0]).toMatch(/^kwok: half written in the cache \(.*\), building it again$/);
    expect((await machine.compiled()).toSorted()).toEqual([...allPrograms, 'kwok'].sort());
    expect(await readFile(kwok, 'utf8')).toContain('sigs.k8s.io/kwok');
  });
});

describe('a build that cannot succeed says why in one line', () => {
  const cases: readonly [string, string, string][] = [
    ['link: write kube: no space left on device', 'no space left', 'free 10 GB there'],
    ['link: signal: killed', 'out of memory', 'free 4 GB of memory'],
    ['main.go:9:2: missing go.sum entry for module', 'its go.mod and go.sum do not fit', 'go mod tidy'],
    ['go: a@v1: Get x: dial tcp 10.0.0.1:443: i/o timeout', 'a module could not be fetched', 'go env GOPROXY'],
    ['go: a@v1: reading x.zip: 404 Not Found', 'a module could not be fetched', 'go env GOPROXY'],
    ['./main.go:12:4: undefined: etcd', './main.go:12:4: undefined: etcd', 'kube.log'],
  ];

  it.each(cases)('%s', async (output, what, todo) => {
    const { env } = await fakeMachine({ build: `echo '# quiesce.dev/kube'; echo '${output}' >&2; exit 1` });
    const result = await buildAssets(env, silent);
    expect(result).toMatchObject({ reason: expect.stringContaining(what), remedy: expect.stringContaining(todo) });
    expect(result).toMatchObject({ reason: expect.stringContaining(output) });
    expect(await readdir(cacheFolder(env))).toEqual(['kube.log']);
  });

  it('when the cache cannot be written', async () => {
    const { env, folder } = await fakeMachine();
    await write(join(folder, 'file'), '');
    const result = await buildAssets({ ...env, QUIESCE_CACHE: join(folder, 'file') }, silent);
    expect(result).toMatchObject({
      reason: expect.stringMatching(/^the cache .*controlplane cannot be used: ENOTDIR/),
      remedy: 'set QUIESCE_CACHE to a folder you can write to',
    });
  });

  it.runIf(existsSync('/proc'))('when the cache can never exist', async () => {
    const { env } = await fakeMachine();
    const result = await buildAssets({ ...env, QUIESCE_CACHE: '/proc/quiesce' }, silent);
    expect(result).toMatchObject({ reason: expect.stringMatching(/^the cache .* cannot be used: ENOENT/) });
  });

  it('when Go is missing', async () => {
    const { env } = await fakeMachine('none');
    const result = {
      kind: 'missing',
      reason: 'the control plane is built with Go, and there is no go on the PATH',
      remedy: 'install Go 1.26 or newer, or set QUIESCE_ASSETS to a folder with ready binaries',
    };
    expect(await buildAssets(env, silent)).toEqual(result);
    expect(await findAssets(env)).toEqual(result);
  });

  it('when Go is too old', async () => {
    const { env, folder } = await fakeMachine({ version: 'go1.25.9 linux/amd64' });
    const reason = `${join(folder, 'bin', 'go')} is go1.25.9 linux/amd64, and the control plane needs Go 1.26`;
    expect(await findAssets(env)).toMatchObject({ kind: 'missing', reason });
  });
});

it.each(recipes)('the module of $part asks for the Go version that is checked', async (recipe) => {
  const module = await readFile(join(moduleFolder(recipe), 'go.mod'), 'utf8');
  expect(module).toContain(`\ngo ${oldestGo.major}.${oldestGo.minor}.0\n`);
});
