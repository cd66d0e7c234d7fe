import type {
  BlockRehearsal,
  Move,
  NodeRehearsal,
  Nowhere,
  PodName,
  Rehearsal,
  RemovedPod,
  SleepRehearsal,
  UninstallRehearsal,
} from '../rehearsal/rehearsal.ts';
import { type Change, compareText, counted, durationText } from './change.ts';
import { type Danger, danger } from './danger.ts';

/**
 * What a rehearsal shows that a reviewer has to know of, as changes like those that two states tell by themselves: so it
 * gets a place in `state/`, annotations, and approvals by the policy.
 */
export function rehearsedChanges({ cluster, maintenance, uninstalls, sleeps }: Rehearsal): readonly Change[] {
  return [
    ...maintenance.flatMap((block) => blockChanges(block, cluster.name)),
    ...uninstalls.flatMap((uninstall) => uninstallChanges(uninstall, cluster.name)),
    ...sleeps.flatMap((sleep) => sleepChanges(sleep, cluster.name)),
  ];
}

function blockChanges(block: BlockRehearsal, cluster: string): readonly Change[] {
  const { config, nodes } = block;
  const blocked = nodes.filter(isBlocked);
  const open = nodes.filter((node) => !isBlocked(node));
  const findings = [neverDrained(block, blocked), overdue(block, open), stranded(nodes)];
  return findings.flatMap((finding): Change[] => {
    if (finding === undefined) return [];
    const subject = { kind: 'config', name: config, cluster } as const;
    const text = `${finding.text(`${config} on ${cluster}`)}.`;
    return [{ kind: 'rehearsed', subject, text, dangers: finding.dangers, unit: `maintenance/${config}` }];
  });
}

interface Found {
  readonly text: (block: string) => string;
  readonly dangers: readonly Danger[];
}

function isBlocked({ blockers, stuck }: NodeRehearsal): boolean {
  return stuck.length > 0 || blockers.some(({ forEver }) => forEver);
}

function neverDrained(block: BlockRehearsal, nodes: readonly NodeRehearsal[]): Found | undefined {
  if (nodes.length === 0) return undefined;
  const blockers = nodes.flatMap((node) => node.blockers.filter(({ forEver }) => forEver));
  const stuck = nodes.flatMap((node) => node.stuck);
  const reasons = [
    ...some(unique(blockers.map(({ message }) => clause(message)))),
    ...(stuck.length === 0 ? [] : [`${podNames(stuck)} ${stuck.length === 1 ? 'is' : 'are'} still there at the end`]),
    ...deadlineReason(block, nodes),
  ];
  return {
    text: (name) => `Maintenance of ${name} is held up for ever on ${nodeNames(nodes)}`,
    dangers: danger('never-drains', reasons.join('; ')),
  };
}

function deadlineReason({ deadlineSeconds }: BlockRehearsal, nodes: readonly NodeRehearsal[]): readonly string[] {
  const removed = nodes.flatMap((node) => node.removed.filter(({ why }) => why === 'deadline'));
  if (removed.length === 0) return [];
  return [`${removedText(removed)} at the deadline of ${durationText(deadlineSeconds)}`];
}

function removedText(removed: readonly RemovedPod[]): string {
  const past = removed.filter(({ pastBudget }) => pastBudget !== undefined).length;
  return `${counted(removed.length, 'pod')} ${removed.length === 1 ? 'is' : 'are'} removed${past === 0 ? '' : ` (${past} past a budget)`}`;
}

/** Nothing holds it up for ever, but the deadline comes first, however quickly things go. */
function overdue({ deadlineSeconds }: BlockRehearsal, nodes: readonly NodeRehearsal[]): Found | undefined {
  const removed = nodes.flatMap((node) => node.removed.filter(({ why, certain }) => why === 'deadline' && certain));
  if (removed.length === 0) return undefined;
  return {
    text: (name) => `The deadline of ${durationText(deadlineSeconds)} is too short to drain ${name}`,
    dangers: danger('removed-at-deadline', `${removedText(removed)}: ${podNames(removed)}`),
  };
}

type Placeless = (Move | RemovedPod) & { readonly nowhere: Nowhere };

function stranded(nodes: readonly NodeRehearsal[]): Found | undefined {
  const pods = nodes
    .flatMap(({ moves, removed }) => [...moves, ...removed])
    .filter((pod): pod is Placeless => pod.nowhere !== undefined);
  if (pods.length === 0) return undefined;
  const sure = pods.filter(({ nowhere }) => nowhere.certain).length;
  const verb = sure < pods.length ? 'may find' : pods.length === 1 ? 'finds' : 'find';
  const certain = sure > 0 && sure < pods.length ? `, ${sure} of them whatever happens` : '';
  const reasons = [...byOwner(pods)].map(([owner, of]) => `of ${owner}: ${nowhereText(of[0])}`);
  return {
    text: (name) => `${counted(pods.length, 'pod')} of ${name} ${verb} no other node${certain}`,
    dangers: danger('nowhere-to-go', some(reasons).join('; ')),
  };
}

function byOwner(pods: readonly Placeless[]): ReadonlyMap<string, readonly Placeless[]> {
  const groups = new Map<string, Placeless[]>();
  for (const pod of pods) {
    const key = `${pod.namespace}/${pod.owner?.name ?? pod.name}`;
    groups.set(key, [...(groups.get(key) ?? []), pod]);
  }
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}

function nowhereText(pod: Placeless | undefined): string {
  return (pod?.nowhere.reasons ?? []).map(misfitText).join(', ') || 'no node takes it';
}

/** `too little cpu on 3 nodes`. */
export function misfitText({ reason, nodes, detail }: Nowhere['reasons'][number]): string {
  const words = {
    'not-ready': 'not ready',
    cordoned: 'cordoned',
    taints: detail === undefined ? 'tainted' : `tainted ${detail}`,
    affinity: 'not asked for by its selector or affinity',
    volume: 'out of reach of its volume',
    ports: 'its host port is taken',
    capacity: `too little ${detail ?? 'room'}`,
    pods: 'affinity or spread of pods forbids it',
  }[reason];
  return `${counted(nodes, 'node')} ${words}`;
}

function uninstallChanges(uninstall: UninstallRehearsal, cluster: string): readonly Change[] {
  const { subject, ends, blockers } = uninstall;
  const lasting = blockers.filter(({ forEver }) => forEver);
  if (ends === 'Deleted' && lasting.length === 0) return [];
  const [kind, title] =
    subject.kind === 'Installation'
      ? (['installation', `installation ${subject.name}`] as const)
      : (['claim', `virtual cluster ${subject.name}`] as const);
  const reasons = some(unique((lasting.length > 0 ? lasting : blockers).map(({ message }) => clause(message))));
  const why = reasons.length === 0 ? `it stays ${ends}` : reasons.join('; ');
  return [
    {
      kind: 'rehearsed',
      subject: { kind, name: subject.name, cluster },
      text: `The uninstall of ${title} on ${cluster} does not come to an end.`,
      dangers: danger('never-ends', why),
      unit: `${kind}/${subject.name}`,
    },
  ];
}

function sleepChanges({ claim, blockers }: SleepRehearsal, cluster: string): readonly Change[] {
  const lasting = blockers.filter(({ forEver }) => forEver);
  if (lasting.length === 0) return [];
  return [
    {
      kind: 'rehearsed',
      subject: { kind: 'claim', name: claim, cluster },
      text: `Virtual cluster ${claim} on ${cluster} does not come to sleep.`,
      dangers: danger('never-ends', some(unique(lasting.map(({ message }) => clause(message)))).join('; ')),
      unit: `claim/${claim}`,
    },
  ];
}

const mostNamed = 3;

/** The first ones, and how many more there are. */
function some(texts: readonly string[]): readonly string[] {
  if (texts.length <= mostNamed) return texts;
  return [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`];
}

function podNames(pods: readonly PodName[]): string {
  return some(pods.map(({ namespace, name }) => `${namespace}/${name}`)).join(', ');
}

function nodeNames(nodes: readonly NodeRehearsal[]): string {
  const names = nodes.map(({ node, address }) => node ?? address);
  return `${names.length === 1 ? 'node' : `${names.length} nodes:`} ${some(names).join(', ')}`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** A sentence as a part of one. */
function clause(message: string): string {
  return message.replace(/\.$/, '');
}
