import { counted } from '../../plan/change.ts';
import type {
  BlockRehearsal,
  NodeRehearsal,
  Rehearsal,
  SleepRehearsal,
  UninstallRehearsal,
} from '../../rehearsal/rehearsal.ts';
import { whoText } from '../../sidecar/remedies.ts';
import { printable } from '../escape.ts';
import type { Style } from '../style.ts';
import {
  amountText,
  blockText,
  courseText,
  isUneventful,
  lastsText,
  lengthText,
  nodeTitle,
  nowherePods,
  podsText,
  podText,
  sharedBlockers,
  snapshotText,
  uninstallText,
  uninstallTitle,
} from './words.ts';

/** One cluster, for a terminal: each node in a line, then what is in the way. Pods by name are in the other forms. */
export function rehearsalText(rehearsal: Rehearsal, style: Style): string {
  const { cluster, maintenance, uninstalls, sleeps, limits } = rehearsal;
  const blocks = [
    [style.bold(printable(`Rehearsed on ${cluster.name}`)), printable(snapshotText(rehearsal))],
    ...(isUneventful(rehearsal) ? [['  Nothing of this change moves anything on this cluster.']] : []),
    ...maintenance.map((block) => blockLines(block, style)),
    ...uninstalls.map((uninstall) => uninstallLines(uninstall, style)),
    ...(sleeps.length === 0 ? [] : [sleeps.flatMap((sleep) => sleepLines(sleep, style))]),
    ...(limits.length === 0
      ? []
      : [['What this cannot know', ...limits.map(({ message }) => `  - ${printable(message)}`)]]),
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n');
}

function blockLines(block: BlockRehearsal, style: Style): string[] {
  return [
    printable(`  Maintenance of ${block.config}: ${blockText(block)}`),
    ...block.nodes.map((node) => nodeLine(node)),
    ...sharedBlockers(block.nodes).flatMap(({ blocker, nodes }) =>
      blockerLines(blocker, style, nodes.length === 1 ? '' : `, on ${nodes.length} nodes`),
    ),
    ...nowherePods(block.nodes).map(({ owner, pods, nowhere, why }) =>
      style[nowhere.certain ? 'red' : 'yellow'](
        `    ${nowhere.certain ? '!' : '?'} ${printable(`${pods.length} of ${owner}: ${why}`)}`,
      ),
    ),
  ];
}

function nodeLine(node: NodeRehearsal): string {
  const pods = podsText(node);
  const stuck = node.stuck.length === 0 ? '' : `; still there at the end: ${node.stuck.map(podText).join(', ')}`;
  return printable(`    ${nodeTitle(node)}: ${courseText(node)}${pods === '' ? '' : `; ${pods}`}${stuck}`);
}

function blockerLines(
  { forEver, lasts, message, who }: Parameters<typeof lastsText>[0] & { message: string; who?: string },
  style: Style,
  where = '',
): string[] {
  const paint = forEver ? style.red : style.yellow;
  const act = `      ${lastsText({ forEver, lasts })}${where}; who has to act: ${whoText(who)}`;
  return [paint(`    ${forEver ? '!' : '-'} ${printable(message)}`), printable(act)];
}

function uninstallLines(uninstall: UninstallRehearsal, style: Style): string[] {
  return [
    printable(`  ${uninstallTitle(uninstall)} ${uninstallText(uninstall)}: ${amountText(uninstall)}.`),
    ...uninstall.blockers.flatMap((blocker) => blockerLines(blocker, style)),
  ];
}

function sleepLines({ claim, takes, deleted, blockers }: SleepRehearsal, style: Style): string[] {
  return [
    printable(
      `  Virtual cluster ${claim} is asleep in ${lengthText(takes)}; ${counted(deleted.length, 'pod')} ${deleted.length === 1 ? 'is' : 'are'} deleted.`,
    ),
    ...blockers.flatMap((blocker) => blockerLines(blocker, style)),
  ];
}
