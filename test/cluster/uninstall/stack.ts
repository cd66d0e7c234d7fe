import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { synth } from '../../../src/pipeline.ts';
import type { InstallationStatus } from '../../../src/sidecar/installations/status.ts';
import type { Access } from '../../support/access.ts';
import { apply, id, type KubeObject, read } from '../../support/objects.ts';
import { settings } from '../../support/state.ts';
import { listTree, writeTree } from '../../support/tree.ts';
import { waitFor } from '../../support/wait.ts';

interface InstallationObject extends KubeObject {
  readonly status?: InstallationStatus;
}

interface Component {
  readonly namespace: string;
  readonly [field: string]: unknown;
}

/** As people write it: without a namespace, which the component has. */
interface Manifest {
  readonly metadata: { readonly name: string };
}

export interface StackOptions {
  readonly name: string;
  /** `spec`, without cluster and state. */
  readonly spec: { readonly components: readonly Component[]; readonly [field: string]: unknown };
  /** Of the component of this name, in its folder. */
  readonly manifests: Readonly<Record<string, readonly Manifest[]>>;
}

/** A stack in git, and an applier of it: what is compiled is applied, and nothing is pruned. */
export interface Stack {
  readonly name: string;
  /** Compiles and applies it, with these changes. */
  install(changes?: Partial<StackOptions>): Promise<void>;
  /** Git says Deleted. */
  order(changes?: Partial<StackOptions>): Promise<void>;
  status(): Promise<InstallationStatus | undefined>;
  waitFor(phase: NonNullable<InstallationStatus['phase']>, seconds?: number): Promise<InstallationStatus>;
  /** Until something with this code is in the way. */
  waitForBlocker(code: string, seconds?: number): Promise<string>;
}

export function stackIn(access: Access, options: StackOptions): Stack {
  const { name } = options;
  const root = mkdtempSync(join(tmpdir(), 'quiesce-stack-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  let current = options;
  const compileAs = async (state: 'Installed' | 'Deleted', changes: Partial<StackOptions>) => {
    current = { ...current, ...changes };
    rmSync(root, { recursive: true, force: true });
    writeTree(root, filesOf(current, state));
    for (const object of await compile(root)) await applyPatiently(access, object);
  };
  const status = async () => (await installationOf(access, name))?.status;
  return {
    name,
    install: (changes = {}) => compileAs('Installed', changes),
    order: (changes = {}) => compileAs('Deleted', changes),
    status,
    waitFor: (phase, seconds = 60) =>
      waitFor(`installation ${name} to be ${phase}`, { seconds }, async () => {
        const seen = await status();
        return seen?.phase === phase ? { met: seen } : { seen: JSON.stringify(seen) };
      }),
    waitForBlocker: (code, seconds = 60) =>
      waitFor(`installation ${name} to wait for ${code}`, { seconds }, async () => {
        const seen = await status();
        const found = seen?.blockers?.find((blocker) => blocker.code === code);
        return found === undefined ? { seen: JSON.stringify(seen) } : { met: found.message };
      }),
  };
}

export function installationOf(access: Access, name: string): Promise<InstallationObject | undefined> {
  return read<InstallationObject>(access, id('quiesce.dev/v1alpha1', 'Installation', name));
}

function filesOf({ name, spec, manifests }: StackOptions, state: string): [string, string][] {
  const installation = {
    apiVersion: 'quiesce.dev/v1alpha1',
    kind: 'Installation',
    metadata: { name },
    spec: { cluster: 'main', state, ...spec },
  };
  const folders = Object.entries(manifests).map(([component, objects]): [string, string] => [
    `state/installations/${name}/${component}/objects.yaml`,
    objects.map((object) => JSON.stringify(object)).join('\n---\n'),
  ]);
  return [
    ['state/settings.yaml', settings()],
    [`state/installations/${name}.yaml`, JSON.stringify(installation)],
    ...folders,
  ];
}

/** In the order in which it has to be applied. */
async function compile(root: string): Promise<KubeObject[]> {
  const result = await synth({ root });
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems, undefined, 2));
  const files = [...listTree(join(root, 'out'))].filter(([path]) => path.startsWith('main/installations/'));
  const objects = files.flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject));
  return objects.sort((a, b) => waveOf(a) - waveOf(b));
}

function waveOf({ kind, metadata }: KubeObject): number {
  const wave = Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  return kind === 'Namespace' || kind === 'CustomResourceDefinition' ? wave - 0.5 : wave;
}

/** A kind is served a moment after its definition is there. */
async function applyPatiently(access: Access, object: KubeObject): Promise<void> {
  await waitFor(`${object.kind} ${object.metadata.name} to be applied`, { seconds: 20 }, async () => {
    await apply(access, object);
    return { met: true };
  });
}
