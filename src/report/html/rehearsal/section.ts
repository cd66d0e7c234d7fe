import { counted } from '../../../plan/change.ts';
import type { BlockRehearsal, Limit, Rehearsal, SleepRehearsal } from '../../../rehearsal/rehearsal.ts';
import { blockText, isStale, isUneventful, lengthText, podText, snapshotText } from '../../rehearsal/words.ts';
import { fittedItems, html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { nodeList } from './nodes.ts';
import { blockerItem, obstacles } from './obstacles.ts';
import { timeline } from './timeline.ts';
import { uninstallHtml } from './uninstalls.ts';

/** Bytes of all clusters. */
const room = 1_200_000;

/** What the sidecar's deciders make of the change on a snapshot of each cluster. */
export const rehearsalSection: Section = {
  id: 'rehearsal',
  title: 'Rehearsed on the clusters',
  body: ({ rehearsals = [] }) => {
    if (rehearsals.length === 0) return undefined;
    const share = Math.floor(room / rehearsals.length);
    return html`${rehearsals.map((rehearsal, index) => clusterHtml(rehearsal, `rehearsal-${index + 1}`, share))}`;
  },
};

function clusterHtml(rehearsal: Rehearsal, id: string, share: number): Markup {
  const { cluster, maintenance, uninstalls, sleeps, limits } = rehearsal;
  const stale = isStale(rehearsal) ? html`<span class="badge wait">old</span> ` : undefined;
  const nothing = isUneventful(rehearsal)
    ? html`<p>Nothing of this change moves anything on this cluster.</p>\n`
    : undefined;
  const parts = Math.max(1, maintenance.length + uninstalls.length + (sleeps.length > 0 ? 1 : 0));
  const each = Math.floor((share * 0.9) / parts);
  return html`<h3 id="${id}">${cluster.name}</h3>
<p class="refs">${stale}${snapshotText(rehearsal)}</p>
${nothing}${maintenance.map((block, index) => blockHtml(block, `${id}-${index + 1}`, each))}${uninstalls.map((uninstall) => uninstallHtml(uninstall, each))}${sleepsHtml(sleeps, each)}${limitsHtml(limits, Math.floor(share * 0.1))}`;
}

function blockHtml(block: BlockRehearsal, id: string, share: number): Markup {
  const [picture, small] = [timeline(block, id), Math.floor(share / 8)];
  return html`<h4>Maintenance of ${block.config}</h4>
<p>${blockText(block)}</p>
${picture}${obstacles(block.nodes, small)}${nodeList(block.nodes, share - small * 2)}`;
}

function sleepsHtml(sleeps: readonly SleepRehearsal[], share: number): Markup | undefined {
  if (sleeps.length === 0) return undefined;
  const rest = (left: number): Markup => html`<li>… and ${left} more</li>\n`;
  return html`<h4>Virtual clusters put to sleep</h4>
<ul class="changes">
${fittedItems(sleeps.map(sleepItem), share, rest)}</ul>
`;
}

function sleepItem({ claim, takes, stopped, deleted, blockers }: SleepRehearsal): Markup {
  const pods = [...stopped, ...deleted];
  const named = pods.slice(0, mostPods).map(podText).join(', ');
  const names =
    pods.length === 0
      ? undefined
      : html`<p class="foot">${named}${pods.length > mostPods ? ` … and ${pods.length - mostPods} more` : undefined}</p>\n`;
  const tone = blockers.some(({ forEver }) => forEver) ? 'dangerous' : 'harmless';
  return html`<li class="${tone}"><p><strong>${claim}</strong> is asleep in ${lengthText(takes)}: ${counted(stopped.length, 'pod')} of its control plane and ${counted(deleted.length, 'pod')} of its workloads end.</p>
${names}${blockers.length === 0 ? undefined : html`<ul class="changes">${blockers.map((blocker) => blockerItem(blocker, claim))}</ul>\n`}</li>
`;
}

const mostPods = 20;

function limitsHtml(limits: readonly Limit[], share: number): Markup | undefined {
  if (limits.length === 0) return undefined;
  const rest = (left: number): Markup => html`<li>… and ${left} more</li>\n`;
  return html`<details><summary>What this cannot know <span class="count">${limits.length}</span></summary>
<ul class="plain">
${fittedItems(limits.map(limitItem), share, rest)}</ul>
</details>
`;
}

function limitItem({ message, about = [] }: Limit): Markup {
  const named = about.slice(0, mostPods).join(', ');
  const more = about.length > mostPods ? ` … and ${about.length - mostPods} more` : '';
  return html`<li>${message}${about.length === 0 ? undefined : html` <span class="count">(${named}${more})</span>`}</li>\n`;
}
