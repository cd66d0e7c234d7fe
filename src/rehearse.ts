import { type CompareOptions, openSides, type Sides } from './compare.ts';
import { compile } from './compile.ts';
import type { Instant } from './instant.ts';
import { sha256 } from './load/blob.ts';
import { type Problems, problemsOf } from './located.ts';
import type { Facts } from './plan/facts.ts';
import { isMap, type JsonObject } from './plan/object-diff.ts';
import type { Unit } from './plan/unit.ts';
import type { Rehearsal } from './rehearsal/rehearsal.ts';
import { type Intent, rehearseCluster } from './rehearsal/rehearse-cluster.ts';
import type { Snapshot } from './rehearsal/snapshot.ts';
import { materialFor } from './render/material.ts';
import { documentsOf, readable } from './render/readable.ts';
import { createRenderer, type Renderer } from './render/renderer.ts';
import type { Json } from './render/yaml.ts';
import { slimClaim } from './sidecar/claims/slim.ts';
import { slimInstallation } from './sidecar/installations/slim.ts';
import { slimResource } from './sidecar/kube/slim.ts';
import type { RawObject } from './sidecar/kube/watch.ts';
import type { BlockSpec } from './sidecar/maintenance/observation.ts';
import type { StateAt } from './state-at.ts';
import { isError } from './validate/codes.ts';
import type { Finding, Problem } from './validate/finding.ts';
import { version } from './version.ts';

export interface RehearseOptions extends Pick<CompareOptions, 'root' | 'from' | 'to' | 'beginnings' | 'onProgress'> {
  readonly snapshot: Snapshot;
  /** Name of the host cluster, if the snapshot calls it otherwise. */
  readonly cluster?: string;
  /** By which the snapshot is dated. */
  readonly at?: Instant;
}

export interface Rehearsed {
  readonly kind: 'ok';
  readonly rehearsal: Rehearsal;
  readonly warnings: readonly Problem[];
  /** There was no state before. */
  readonly isFirst: boolean;
}

/** The settings have no host cluster that the snapshot could be of. */
export interface UnknownCluster {
  readonly kind: 'unknown-cluster';
  readonly cluster: string;
  /** Those that there are. */
  readonly clusters: readonly string[];
}

/** What the step from one state to another will do to a cluster, run on a snapshot of it. Nothing is written. */
export async function rehearse(
  options: RehearseOptions,
): Promise<Rehearsed | UnknownCluster | (Problems & { readonly at: string })> {
  const sides = await openSides(options);
  if (sides.kind === 'problems') return sides;
  return rehearseBetween(sides, options);
}

/** Two states that are open already. */
export async function rehearseBetween(
  { was, after, isFirst }: Pick<Sides, 'was' | 'after' | 'isFirst'>,
  options: Omit<RehearseOptions, 'root' | 'beginnings' | 'onProgress'>,
): Promise<Rehearsed | UnknownCluster | (Problems & { readonly at: string })> {
  const cluster = options.cluster ?? options.snapshot.cluster.name;
  const clusters = after.settings.clusters.map(({ name }) => name);
  if (!clusters.includes(cluster)) return { kind: 'unknown-cluster', cluster, clusters };
  const [intentBefore, intentAfter] = [
    was === undefined ? nothing : await intentOf(was, cluster),
    await intentOf(after, cluster),
  ];
  if (intentAfter.findings.some(isError))
    return { ...(await problemsOf(after.checkout, intentAfter.findings)), at: options.to };
  const rehearsal = rehearseCluster({
    ...options,
    cluster,
    before: intentBefore.intent,
    after: intentAfter.intent,
    unrehearsed: unrehearsed(was, after, cluster),
    hash: sha256,
  });
  return { kind: 'ok', rehearsal, warnings: after.warnings, isFirst };
}

interface Read {
  readonly intent: Intent;
  readonly findings: readonly Finding[];
}

const nothing: Read = { intent: { blocks: [], claims: [], installations: [] }, findings: [] };

/** The resources that the sidecar is told by, as they are rendered: what it will read is what is rehearsed. */
async function intentOf({ checkout, settings, units, reusable }: StateAt, cluster: string): Promise<Read> {
  const wanted = new Set(units.filter(({ facts }) => isOfConcern(facts, cluster)).map(({ id }) => id));
  const sources = new Set(units.filter(({ id }) => wanted.has(id)).map(({ origin }) => origin.file));
  const rest = reusable.filter(({ source }) => !sources.has(source));
  const compiled = await compile({ tree: checkout.tree, reusable: rest, reference: checkout.inventory.reference });
  const renderer = createRenderer({ settings, version });
  const findings: Finding[] = [];
  const resources: JsonObject[] = [];
  for (const { unit } of compiled.units) {
    if (!wanted.has(unit.id)) continue;
    const rendered = await ownResource(unit, renderer, checkout);
    findings.push(...rendered.findings);
    resources.push(...rendered.resources);
  }
  return { intent: sorted(resources), findings };
}

/** Claims that run do nothing. */
function isOfConcern(facts: Facts, cluster: string): boolean {
  switch (facts.kind) {
    case 'maintenance':
    case 'installation':
      return facts.cluster === cluster;
    case 'claim':
      return facts.cluster === cluster && facts.state !== 'Running';
    default:
      return false;
  }
}

async function ownResource(
  { content }: Unit,
  renderer: Renderer,
  { tree, root }: StateAt['checkout'],
): Promise<{ readonly resources: readonly JsonObject[]; readonly findings: readonly Finding[] }> {
  if (content === undefined) return { resources: [], findings: [] };
  const material = await materialFor(content, tree, root);
  if (material.findings.some(isError)) return { resources: [], findings: material.findings };
  const { text, objects } = renderer.render(content, material);
  const documents = [...documentsOf(text, objects)].filter(([id]) => id.startsWith('quiesce.dev/'));
  return { resources: documents.map(([id, document]) => readable(id, document).value), findings: [] };
}

function sorted(resources: readonly JsonObject[]): Intent {
  const of = (kind: string) => resources.filter((resource) => resource.kind === kind).map(asRead);
  return {
    blocks: of('MaintenanceBlock').map(blockIn),
    claims: of('VClusterClaim')
      .map(slimClaim)
      .map(({ name, spec }) => ({ name, spec })),
    installations: of('Installation')
      .map(slimInstallation)
      .map(({ name, spec }) => ({ name, spec })),
  };
}

/** A list that is empty is not there at all. */
function blockIn(object: RawObject): Intent['blocks'][number] {
  const { name, spec } = slimResource<Partial<BlockSpec> & Omit<BlockSpec, 'nodes'>, never>(object);
  return { name, spec: { ...spec, nodes: spec.nodes ?? [] } };
}

/** What is rendered has no UID and no version yet. */
function asRead({ metadata, spec }: JsonObject): RawObject & { readonly spec?: Json } {
  return {
    ...(spec !== undefined && { spec }),
    metadata: { ...(isMap(metadata) && metadata), uid: '', resourceVersion: '0' },
  };
}

/** The order of a shutdown is another decider's. */
function unrehearsed(was: StateAt | undefined, after: StateAt, cluster: string): string[] {
  const actionIn = (state: StateAt | undefined) => {
    const facts = state?.units
      .map((unit) => unit.facts)
      .find((each) => each.kind === 'shutdown' && each.cluster === cluster);
    return facts?.kind === 'shutdown' ? facts.action : 'None';
  };
  const action = actionIn(after);
  if (action === 'None' || action === actionIn(was)) return [];
  return [`The ${action.toLowerCase()} of cluster ${cluster} is ordered, and is not rehearsed.`];
}
