import type { NodeRehearsal, RehearsedBlocker, RehearsedUninstallBlocker } from '../../../rehearsal/rehearsal.ts';
import {
  actText,
  lastsText,
  type NowherePods,
  nowherePods,
  podText,
  type SharedBlocker,
  sharedBlockers,
} from '../../rehearsal/words.ts';
import { fittedItems, html, type Markup } from '../markup.ts';

/** Everything that is in the way, each once, and pods with nowhere to go; each of the two lists within its share. */
export function obstacles(nodes: readonly NodeRehearsal[], share: number): Markup {
  const blockers = sharedBlockers(nodes).map(sharedItem);
  const placeless = nowherePods(nodes).map(nowhereItem);
  return html`${list('In the way', blockers, share)}${list('Pods with nowhere to go', placeless, share)}`;
}

function list(title: string, items: readonly Markup[], share: number): Markup | undefined {
  if (items.length === 0) return undefined;
  const rest = (left: number): Markup => html`<li>… and ${left} more</li>\n`;
  return html`<h5>${title} <span class="count">${items.length}</span></h5>
<ul class="changes">
${fittedItems(items, share, rest)}</ul>
`;
}

const mostNodes = 10;

function sharedItem({ blocker, nodes }: SharedBlocker): Markup {
  const named = nodes.slice(0, mostNodes).join(', ');
  const more = nodes.length > mostNodes ? ` … and ${nodes.length - mostNodes} more` : '';
  return blockerItem(blocker, nodes[0] ?? '', html`<p class="foot">On ${named}${more}.</p>\n`);
}

/** `name`: of the block's node, the claim or the installation, as remedies speak of it. */
export function blockerItem(
  blocker: RehearsedBlocker | RehearsedUninstallBlocker,
  name: string,
  foot?: Markup,
): Markup {
  const { forEver, message } = blocker;
  const tone = forEver ? 'dangerous' : 'harmless';
  return html`<li class="${tone}"><p><span class="badge ${forEver ? 'bad' : 'wait'}">${lastsText(blocker)}</span> ${message}</p>
<p>${actText(blocker, name)}</p>
${foot}</li>
`;
}

function nowhereItem({ owner, nowhere, why, pods }: NowherePods): Markup {
  const named = pods.slice(0, mostNodes).map(podText).join(', ');
  const more = pods.length > mostNodes ? ` … and ${pods.length - mostNodes} more` : '';
  const [tone, badge] = nowhere.certain ? ['dangerous', 'bad'] : ['harmless', 'wait'];
  return html`<li class="${tone}"><p><span class="badge ${badge}">${nowhere.certain ? 'certain' : 'possible'}</span> ${pods.length} of ${owner}: ${why}</p>
<p class="foot">${named}${more}</p></li>
`;
}
