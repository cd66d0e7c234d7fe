import { controlPlaneWorkloads } from '../../constructs/chart-claim.ts';
import { loadFile, readDocuments } from '../load/documents.ts';
import type { Tree } from '../load/tree.ts';
import type { Content } from '../plan/unit.ts';
import type { Claim, Component, HelmSource, Installation } from '../resolve/state.ts';
import { isError } from '../validate/codes.ts';
import { at, type Finding, type Origin } from '../validate/finding.ts';
import { helmTemplate } from './helm.ts';
import { objectFindings } from './object-checks.ts';
import type { Json } from './yaml.ts';

/** Objects that come from elsewhere: a folder of manifests, or a chart. */
export interface Material {
  readonly objects: readonly LoadedObject[];
  /** Of an installation: what each of its components brings along, by the component's name. */
  readonly components: ReadonlyMap<string, readonly LoadedObject[]>;
  readonly findings: readonly Finding[];
}

export interface LoadedObject {
  readonly value: { readonly [key: string]: Json };
  /** Where it was written; for a chart, the state file that names it. */
  readonly origin: Origin;
}

type Loaded = Omit<Material, 'components'>;

const none: Material = { objects: [], components: new Map(), findings: [] };

export async function materialFor(content: Content, tree: Tree, root: string): Promise<Material> {
  switch (content.kind) {
    case 'component':
      return { ...none, ...(await componentMaterial(content.installation, content.component, tree, root)) };
    case 'installation':
      return installationMaterial(content.installation, tree, root);
    case 'claim':
      return content.claim.chart === undefined ? none : { ...none, ...(await claimMaterial(content.claim, root)) };
    default:
      return none;
  }
}

/**
 * An installation lists what is rendered for its components, also when it is to be deleted and they no longer are.
 * What is wrong with their objects is said once, with the components; here only when those are not rendered.
 */
async function installationMaterial(installation: Installation, tree: Tree, root: string): Promise<Material> {
  const components = new Map<string, readonly LoadedObject[]>();
  const findings: Finding[] = [];
  for (const component of installation.components) {
    const loaded = await componentMaterial(installation, component, tree, root);
    components.set(component.name, loaded.findings.some(isError) ? [] : loaded.objects);
    findings.push(...loaded.findings);
  }
  return { objects: [], components, findings: installation.state === 'Deleted' ? findings : [] };
}

async function componentMaterial(
  installation: Installation,
  component: Component,
  tree: Tree,
  root: string,
): Promise<Loaded> {
  const { source, name, namespace } = component;
  const loaded =
    source.kind === 'manifests'
      ? await readManifests(source.dir, tree)
      : await fromChart(source, { name, namespace }, installation.origin, root);
  const findings = [...loaded.findings, ...objectFindings(loaded.objects)];
  if (loaded.objects.length > 0 || findings.length > 0) return { ...loaded, findings };
  const what =
    source.kind === 'manifests' ? `${source.dir} holds no manifests` : `the chart ${source.chart} renders nothing`;
  return {
    ...loaded,
    findings: [
      {
        code: 'component-empty',
        at: at(installation.origin, ['spec', 'components', installation.components.indexOf(component), 'name']),
        message: `The component "${name}" has no objects: ${what}.`,
        remedy: 'Add its manifests (files that end in .yaml), or remove the component.',
      },
    ],
  };
}

async function claimMaterial(claim: Claim, root: string): Promise<Loaded> {
  if (claim.chart === undefined) return none;
  const loaded = await fromChart(claim.chart, { name: claim.name, namespace: claim.namespace }, claim.origin, root);
  const findings = [...loaded.findings, ...objectFindings(loaded.objects)];
  const workloads = controlPlaneWorkloads(
    loaded.objects.map(({ value }) => value),
    claim.name,
  );
  if (workloads.length > 0 || findings.length > 0) return { ...loaded, findings };
  return {
    ...loaded,
    findings: [
      {
        code: 'chart-without-control-plane',
        at: at(claim.origin, ['spec', 'chart']),
        message: `The chart ${claim.chart.chart} renders no control plane: no StatefulSet or Deployment has the labels app=vcluster and release=${claim.name}.`,
        remedy: 'Name a chart that runs a virtual cluster; one without a control plane could not be put to sleep.',
      },
    ],
  };
}

/** Every document of every YAML file below `dir`, in path order. */
async function readManifests(dir: string, tree: Tree): Promise<Loaded> {
  const paths = tree.sources
    .filter((source) => source.path.startsWith(`${dir}/`) && /\.ya?ml$/.test(source.path))
    .map((source) => source.path);
  await tree.prefetch(paths);
  const files = paths.map((path) => loadFile(path, tree.read(path)));
  return {
    objects: files.flatMap((file) =>
      file.documents.map(({ value, origin }) => ({ value: value as LoadedObject['value'], origin })),
    ),
    findings: files.flatMap((file) => file.findings),
  };
}

async function fromChart(
  source: HelmSource,
  release: { readonly name: string; readonly namespace: string },
  origin: Origin,
  root: string,
): Promise<Loaded> {
  const answer = await helmTemplate(source, release, root);
  if (answer.kind === 'failed')
    return { objects: [], findings: [{ ...answer.finding, at: { kind: 'file', file: origin.file } }] };
  const { documents, findings } = readDocuments(origin.file, new TextEncoder().encode(answer.text), 'asset');
  return {
    objects: documents.map(({ value }) => ({ value: value as LoadedObject['value'], origin })),
    // Places in what Helm printed are no places in a file.
    findings: findings.map((finding) => ({ ...finding, at: { kind: 'file', file: origin.file } })),
  };
}
