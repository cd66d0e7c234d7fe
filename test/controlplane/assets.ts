import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type BuiltPart, buildPart } from './build-part.ts';
import { entryFolder, readEntry } from './cache.ts';
import { fetchAhead } from './compile.ts';
import { type Missing, missing } from './missing.ts';
import { kubebuilderCommands, readyAssets } from './ready-binaries.ts';
import { type Part, parts, type Recipe, recipes } from './recipes.ts';
import { findGo, type Go } from './toolchain.ts';

export type { Part } from './recipes.ts';

/** Each command is the beginning of an argv: a program and, where it holds several, the name of the one meant. */
export interface Assets {
  readonly etcd: readonly string[];
  readonly apiserver: readonly string[];
  readonly controllerManager: readonly string[];
  readonly scheduler: readonly string[];
  readonly kubectl: readonly string[];
  readonly kwok: readonly string[];
  readonly argocdApplicationController: readonly string[];
  readonly argocdRepoServer: readonly string[];
  readonly argocdApplicationSetController: readonly string[];
  readonly fluxSource: readonly string[];
  readonly fluxKustomize: readonly string[];
  readonly helm4: readonly string[];
  readonly helm3: readonly string[];
  /** A folder of CustomResourceDefinitions, one file each. */
  readonly argocdCrds: string;
  /** Two such folders: the source controller's and the kustomize controller's. */
  readonly fluxCrds: readonly string[];
}

export type AssetsResult = { readonly kind: 'ready'; readonly assets: Assets } | Missing;

export interface BuildAssetsOptions {
  progress(line: string): void;
  /** Only these parts are built. The result still speaks for all: `missing` names what is not built yet. */
  readonly only?: readonly Part[];
  /** Ends the build within seconds and leaves nothing of it behind. */
  readonly signal?: AbortSignal;
}

const remedy = 'npm run controlplane (once; up to 20 minutes), or set QUIESCE_ASSETS to a folder with ready binaries';

/** What is there already: in QUIESCE_ASSETS where that is set, else in the cache. Never builds. */
export async function findAssets(env: NodeJS.ProcessEnv): Promise<AssetsResult> {
  if (env.QUIESCE_ASSETS) return readyAssets(env.QUIESCE_ASSETS, env);
  const go = await findGo(env);
  if (go.kind === 'missing') return go;
  const found = await Promise.all(recipes.map((recipe) => cached(recipe, go, env)));
  const problems = found.flatMap((part) => (part.problem === undefined ? [] : [part.problem]));
  if (problems.length > 0) return missing(`the control plane is not built: ${problems.join(', ')}`, remedy);
  const folders = Object.fromEntries(found.map(({ part, folder }) => [part, folder])) as Record<Part, string>;
  const assets = assetsIn(folders);
  if (!env.KUBEBUILDER_ASSETS) return { kind: 'ready', assets };
  const given = await kubebuilderCommands(env.KUBEBUILDER_ASSETS, env);
  return given.kind === 'missing' ? given : { kind: 'ready', assets: { ...assets, ...given.commands } };
}

/** The same, after building what the cache does not hold. */
export async function buildAssets(env: NodeJS.ProcessEnv, options: BuildAssetsOptions): Promise<AssetsResult> {
  if (!env.QUIESCE_ASSETS) {
    const built = await buildParts(env, options);
    if (built.kind === 'missing') return built;
  }
  return findAssets(env);
}

export type PartsResult = { readonly kind: 'ready'; readonly parts: readonly BuiltPart[] } | Missing;

/** A linker takes 2 GB; two at once need a machine that has them to spare. */
const bytesForTwoLinkers = 7e9;

/**
 * The first part alone: what it is made of, the others share. Then the modules side by side, each its parts in order,
 * because a linker keeps one processor busy only.
 */
export async function buildParts(env: NodeJS.ProcessEnv, options: BuildAssetsOptions): Promise<PartsResult> {
  const go = await findGo(env);
  if (go.kind === 'missing') return go;
  const { progress, only = parts } = options;
  const wanted = recipes.filter(({ part }) => only.includes(part));
  const absent = (await Promise.all(wanted.map((recipe) => cached(recipe, go, env)))).filter(({ problem }) => problem);
  const [first, ...others] = absent.map(({ recipe }) => recipe);
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const fetched = fetchAhead(others, { env, go, signal });
  const built = new Map<Part, BuiltPart>();
  let failure: Missing | undefined;
  const build = async (lane: readonly Recipe[]): Promise<void> => {
    for (const recipe of lane) {
      const part = await buildPart(recipe, { env, go, progress, signal });
      if (part.kind !== 'missing') built.set(recipe.part, part);
      else failure ??= part;
      if (failure !== undefined) return stop.abort();
    }
  };
  try {
    if (first !== undefined) await build([first]);
    const rest = wanted.filter((recipe) => recipe !== first);
    if (failure === undefined) await Promise.all(lanesOf(rest).map(build));
  } finally {
    stop.abort();
    await fetched;
  }
  if (failure !== undefined) return failure;
  return { kind: 'ready', parts: wanted.flatMap(({ part }) => built.get(part) ?? []) };
}

function lanesOf(wanted: readonly Recipe[]): readonly (readonly Recipe[])[] {
  if (totalmem() < bytesForTwoLinkers) return [wanted];
  const modules = [...new Set(wanted.map(({ module }) => module))];
  return modules.map((name) => wanted.filter(({ module }) => module === name));
}

async function cached(recipe: Recipe, go: Go, env: NodeJS.ProcessEnv) {
  const { part } = recipe;
  const folder = await entryFolder(recipe, go.version, env);
  const entry = await readEntry(folder);
  if (entry.kind === 'complete') return { recipe, part, folder, problem: undefined };
  return { recipe, part, folder, problem: entry.kind === 'absent' ? part : `${part} (half written: ${entry.why})` };
}

function assetsIn(folders: Readonly<Record<Part, string>>): Assets {
  const programs = Object.fromEntries(
    recipes.map(({ part, program }) => [part, join(folders[part], program)]),
  ) as Record<Part, string>;
  const crds = (part: Part) => join(folders[part], 'crds');
  return {
    etcd: [programs.kube, 'etcd'],
    apiserver: [programs.kube, 'kube-apiserver'],
    controllerManager: [programs.kube, 'kube-controller-manager'],
    scheduler: [programs.kube, 'kube-scheduler'],
    kubectl: [programs.kube, 'kubectl'],
    kwok: [programs.kwok],
    argocdApplicationController: [programs.argocd, 'application-controller'],
    argocdRepoServer: [programs.argocd, 'repo-server'],
    argocdApplicationSetController: [programs.argocd, 'applicationset-controller'],
    fluxSource: [programs['flux-source']],
    fluxKustomize: [programs['flux-kustomize']],
    helm4: [programs.helm4],
    helm3: [programs.helm3],
    argocdCrds: crds('argocd'),
    fluxCrds: [crds('flux-source'), crds('flux-kustomize')],
  };
}
