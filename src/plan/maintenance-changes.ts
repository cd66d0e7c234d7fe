import { type Change, type ChangeKind, counted, durationText } from './change.ts';
import { type Danger, danger } from './danger.ts';
import type { MaintenanceFacts, ShutdownFacts } from './facts.ts';

type Node = MaintenanceFacts['nodes'][number];

/** Either side may be absent: a config that appears or vanishes takes its nodes along. */
export function maintenanceChanges(
  before: MaintenanceFacts | undefined,
  after: MaintenanceFacts | undefined,
): readonly Change[] {
  const config = after ?? before;
  if (config === undefined) return [];
  return [
    ...configChanges(before, after),
    ...nodeChanges(before, after),
    ...emptiedPools(before, after),
    ...(before !== undefined && after !== undefined ? ruleChanges(before, after) : []),
  ];
}

function configChanges(before: MaintenanceFacts | undefined, after: MaintenanceFacts | undefined): readonly Change[] {
  if (before === undefined && after !== undefined) {
    return [about(after, 'config-added', `Cluster config ${after.name} on ${after.cluster} is watched from now on.`)];
  }
  if (before !== undefined && after === undefined) {
    return [
      about(before, 'config-removed', `Cluster config ${before.name} on ${before.cluster} is no longer watched.`),
    ];
  }
  return [];
}

/** A config that moves to another host cluster takes its nodes out of maintenance on the first. */
function nodeChanges(before: MaintenanceFacts | undefined, after: MaintenanceFacts | undefined): readonly Change[] {
  const moved = before?.cluster !== after?.cluster;
  const was = new Map(before?.nodes.map((node) => [node.address, node]));
  const is = new Map(after?.nodes.map((node) => [node.address, node]));
  const left = before?.nodes.filter((node) => moved || !is.has(node.address)).map((node) => leaves(before, node)) ?? [];
  const entered =
    after?.nodes.filter((node) => moved || !was.has(node.address)).map((node) => enters(after, node)) ?? [];
  const tainted = moved ? [] : (after?.nodes.flatMap((node) => taints(after, was.get(node.address), node)) ?? []);
  return [...left, ...entered, ...tainted];
}

/** Pools of which the last node that was left enters maintenance. */
function emptiedPools(before: MaintenanceFacts | undefined, after: MaintenanceFacts | undefined): readonly Change[] {
  if (after === undefined) return [];
  const inMaintenance = (config: MaintenanceFacts | undefined, pool: string): number =>
    config?.nodes.filter((node) => node.pool === pool).length ?? 0;
  return Object.entries(after.pools ?? {}).flatMap(([pool, size]): Change[] => {
    if (size < 2 || inMaintenance(after, pool) < size || inMaintenance(before, pool) >= size) return [];
    const text = `All ${size} nodes of pool ${pool} of ${after.name} on ${after.cluster} are in maintenance together.`;
    const dangers = [
      ...danger('mass-change', 'mass change: are all of them meant at once?'),
      ...danger('outage', 'what runs only there has nowhere to go'),
    ];
    return [about(after, 'mass-change', text, dangers)];
  });
}

function enters(config: MaintenanceFacts, node: Node): Change {
  const gets = `gets ${counted(node.taints.length, 'taint')} (${node.taints.join(', ')})`;
  if (config.ignorePdb) {
    const text = `${title(node)} enters maintenance: it ${gets} and its pods are removed at once.`;
    return aboutNode(config, node, { kind: 'node-enters', text, dangers: danger('budgets-ignored', ignored) });
  }
  const text = `${title(node)} enters maintenance: it ${gets} and is drained within ${durationText(config.deadlineSeconds)}.`;
  return aboutNode(config, node, { kind: 'node-enters', text });
}

const ignored =
  'PodDisruptionBudgets are ignored and nothing is evicted in order: services can lose all replicas together';

function leaves(config: MaintenanceFacts, node: Node): Change {
  return aboutNode(config, node, {
    kind: 'node-leaves',
    text: `${title(node)} leaves maintenance and takes pods again.`,
  });
}

function taints(config: MaintenanceFacts, before: Node | undefined, node: Node): readonly Change[] {
  const [was, is] = [before?.taints.join(', '), node.taints.join(', ')];
  if (was === undefined || was === is) return [];
  const text = `${title(node)}, in maintenance, is to have the taints ${is} in place of ${was}.`;
  return [aboutNode(config, node, { kind: 'node-taints', text })];
}

function ruleChanges(before: MaintenanceFacts, after: MaintenanceFacts): readonly Change[] {
  const changes: Change[] = [];
  const nodes = after.nodes.length === 0 ? '' : ` It holds for ${counted(after.nodes.length, 'node')} in maintenance.`;
  if (before.deadlineSeconds !== after.deadlineSeconds) {
    const [was, is] = [durationText(before.deadlineSeconds), durationText(after.deadlineSeconds)];
    const text = `Nodes of ${after.name} on ${after.cluster} are drained within ${is} in place of ${was}.${nodes}`;
    const shorter = after.deadlineSeconds < before.deadlineSeconds;
    const why = `pods that a budget still protects after ${is} are removed all the same`;
    changes.push(about(after, 'deadline-changed', text, shorter ? danger('deadline-shortened', why) : []));
  }
  if (before.ignorePdb !== after.ignorePdb) {
    const text = after.ignorePdb
      ? `Maintenance of ${after.name} on ${after.cluster} ignores PodDisruptionBudgets.${nodes}`
      : `Maintenance of ${after.name} on ${after.cluster} respects PodDisruptionBudgets again.`;
    const why = 'pods are removed at once and without order: services can lose all replicas together';
    changes.push(
      after.ignorePdb
        ? about(after, 'budgets-ignored', text, danger('budgets-ignored', why))
        : about(after, 'budgets-respected', text),
    );
  }
  return changes;
}

export function shutdownChanges(
  before: ShutdownFacts | undefined,
  after: ShutdownFacts | undefined,
): readonly Change[] {
  const [was, is] = [before?.action ?? 'None', after?.action ?? 'None'];
  const cluster = after?.cluster ?? before?.cluster;
  if (cluster === undefined || was === is) return [];
  const of = { subject: { kind: 'cluster', name: cluster, cluster }, unit: `shutdown/${cluster}` } as const;
  if (is === 'None') {
    const text = `The ${was.toLowerCase()} of cluster ${cluster} is no longer ordered.`;
    return [{ kind: 'shutdown-withdrawn', ...of, text, dangers: [] }];
  }
  const dangers = danger('outage', 'every workload on it stops, workers first, control plane last');
  return is === 'Shutdown'
    ? [{ kind: 'shutdown-ordered', ...of, text: `Cluster ${cluster} is to be shut down.`, dangers }]
    : [{ kind: 'restart-ordered', ...of, text: `Cluster ${cluster} is to be restarted.`, dangers }];
}

function title(node: Node): string {
  return `Node ${node.address} of pool ${node.pool}`;
}

function about(
  { name, cluster }: MaintenanceFacts,
  kind: ChangeKind,
  text: string,
  dangers: readonly Danger[] = [],
): Change {
  return { kind, subject: { kind: 'config', name, cluster }, text, dangers, unit: `maintenance/${name}` };
}

function aboutNode(
  { name, cluster }: MaintenanceFacts,
  { address }: Node,
  said: Pick<Change, 'kind' | 'text'> & { readonly dangers?: readonly Danger[] },
): Change {
  const subject = { kind: 'node', name: address, cluster } as const;
  return { kind: said.kind, subject, text: said.text, dangers: said.dangers ?? [], unit: `maintenance/${name}` };
}
