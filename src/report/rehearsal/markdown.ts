import { counted } from '../../plan/change.ts';
import type { BlockRehearsal, NodeRehearsal, Rehearsal, UninstallRehearsal } from '../../rehearsal/rehearsal.ts';
import { whoText } from '../../sidecar/remedies.ts';
import { markdownText } from '../escape.ts';
import { bytes, fitted } from '../markdown-room.ts';
import {
  amountText,
  blockText,
  courseText,
  isStale,
  isUneventful,
  keptWords,
  lastsText,
  lengthText,
  nodeTitle,
  nowherePods,
  podsText,
  sharedBlockers,
  snapshotText,
  uninstallText,
  uninstallTitle,
} from './words.ts';

/** Each cluster with an equal share of the room that is left; what one does not need goes to those after it. */
export function rehearsalsMarkdown(rehearsals: readonly Rehearsal[], room: number): string {
  let text = '';
  for (const [index, rehearsal] of rehearsals.entries()) {
    text += clusterMarkdown(rehearsal, Math.floor((room - bytes(text)) / (rehearsals.length - index)));
  }
  return text;
}

/** The times and what is in the way stand open; nodes, objects and limits are folded. */
function clusterMarkdown(rehearsal: Rehearsal, room: number): string {
  const { cluster, maintenance, uninstalls, sleeps, limits } = rehearsal;
  const old = isStale(rehearsal) ? '⏳ ' : '';
  const head = `\n#### Rehearsed on ${markdownText(cluster.name)}\n\n${old}${markdownText(snapshotText(rehearsal))}\n`;
  const said = isUneventful(rehearsal) ? '\nNothing of this change moves anything on this cluster.\n' : '';
  const parts = [
    (left: number) => fitted({ open: '\n', items: summaryItems(rehearsal), close: '', rest: more }, left),
    ...maintenance.map((block) => (left: number) => nodesTable(block, left)),
    ...uninstalls.map((uninstall) => (left: number) => objectsList(uninstall, left)),
    (left: number) =>
      folded(
        'Put to sleep',
        sleeps.map((sleep) => `- ${markdownText(`${sleep.claim}: asleep in ${lengthText(sleep.takes)}`)}\n`),
        left,
      ),
    (left: number) =>
      folded(
        'What this cannot know',
        limits.map(({ message }) => `- ${markdownText(message)}\n`),
        left,
      ),
  ];
  let text = `${head}${said}`;
  if (bytes(text) > room) return '';
  parts.forEach((part, index) => {
    // What comes first is read first: it may take half of what is left.
    const share = (room - bytes(text)) / Math.min(2, parts.length - index);
    text += part(Math.floor(share));
  });
  return text;
}

function more(left: number): string {
  return `- … and ${left} more: the whole report has them\n`;
}

function folded(title: string, items: readonly string[], room: number): string {
  if (items.length === 0) return '';
  const open = `\n<details><summary>${title} (${items.length})</summary>\n\n`;
  return fitted({ open, items, close: '\n</details>\n', rest: more }, room);
}

function summaryItems({ maintenance, uninstalls }: Rehearsal): readonly string[] {
  return [
    ...maintenance.flatMap((block) => [
      `- **Maintenance of ${markdownText(block.config)}**: ${markdownText(blockText(block))}\n`,
      ...sharedBlockers(block.nodes).map(({ blocker, nodes }) => blockerItem(blocker, counted(nodes.length, 'node'))),
      ...nowherePods(block.nodes).map(
        ({ owner, pods, nowhere, why }) =>
          `  - ${nowhere.certain ? '⛔' : '⚠️'} ${markdownText(`${pods.length} of ${owner}: ${why}`)}\n`,
      ),
    ]),
    ...uninstalls.flatMap((uninstall) => [
      `- **${markdownText(uninstallTitle(uninstall))}** ${markdownText(`${uninstallText(uninstall)}: ${amountText(uninstall)}.`)}\n`,
      ...uninstall.blockers.map((blocker) => blockerItem(blocker)),
    ]),
  ];
}

function blockerItem(
  blocker: Parameters<typeof lastsText>[0] & { readonly message: string; readonly who?: string },
  where?: string,
): string {
  const { forEver, message, who } = blocker;
  const lasts = `${lastsText(blocker)}${where === undefined ? '' : `, ${where}`}`;
  return `  - ${forEver ? '⛔' : '⏱️'} ${markdownText(message)} (${markdownText(lasts)}; who has to act: ${markdownText(whoText(who))})\n`;
}

function nodesTable({ config, nodes }: BlockRehearsal, room: number): string {
  const open = `\n<details><summary>Nodes of ${markdownText(config)} (${nodes.length})</summary>\n\n| node | what happens | pods |\n| --- | --- | --- |\n`;
  const rest = (left: number): string => `| … and ${left} more | | |\n`;
  return fitted({ open, items: nodes.map(nodeRow), close: '\n</details>\n', rest }, room);
}

function nodeRow(node: NodeRehearsal): string {
  return `| ${markdownText(nodeTitle(node))} | ${markdownText(courseText(node))} | ${markdownText(podsText(node))} |\n`;
}

function objectsList(uninstall: UninstallRehearsal, room: number): string {
  const { deleted, later = [], kept, orphaned } = uninstall;
  const items = [
    ...[...deleted]
      .sort((a, b) => Number(b.isData) - Number(a.isData))
      .map((each) => objectItem(each.isData ? '🗑️ data:' : '🗑️', each)),
    ...later.map((each) => objectItem('⛔ held up:', each)),
    ...kept.map((each) => objectItem(`📌 kept, ${keptWords[each.why]}:`, each)),
    ...orphaned.map((each) => objectItem('❓ let go of unseen:', each)),
  ];
  return folded(`Objects of ${markdownText(uninstallTitle(uninstall))}`, items, room);
}

function objectItem(
  sign: string,
  { kind, namespace, name }: { readonly kind: string; readonly namespace?: string; readonly name: string },
): string {
  return `- ${sign} ${markdownText(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`)}\n`;
}
