import type { DeletedObject, KeptObject, UninstallRehearsal } from '../../../rehearsal/rehearsal.ts';
import type { ObjectReference } from '../../../sidecar/maintenance/status.ts';
import { amountText, keptWords, uninstallText, uninstallTitle } from '../../rehearsal/words.ts';
import { fittedItems, html, type Markup } from '../markup.ts';
import { blockerItem } from './obstacles.ts';

/** What an uninstall deletes and keeps, and what would stop it. */
export function uninstallHtml(uninstall: UninstallRehearsal, room: number): Markup {
  const { subject, ends, blockers, deleted, later = [], kept, orphaned, hooks, releases } = uninstall;
  const share = Math.floor(room / 6);
  const badge =
    ends === 'Deleted'
      ? html`<span class="badge good">comes to an end</span>`
      : html`<span class="badge bad">does not come to an end</span>`;
  const inTheWay =
    blockers.length === 0
      ? undefined
      : html`<h5>In the way <span class="count">${blockers.length}</span></h5>
<ul class="changes">
${fittedItems(
  blockers.map((blocker) => blockerItem(blocker, subject.name)),
  share,
  more,
)}</ul>
`;
  return html`<h4>${uninstallTitle(uninstall)}</h4>
<p>${badge} It ${uninstallText(uninstall)}: ${amountText(uninstall)}.</p>
${inTheWay}${fold('Deleted', deleted.map(deletedItem), share)}${fold('Deleted only once finalizers let go', later.map(deletedItem), share)}${fold('Kept', kept.map(keptItem), share)}${fold(
  'Let go of without being known to be gone',
  orphaned.map((object) => html`<li>${objectText(object)}</li>\n`),
  share,
)}${steps(
  'Jobs that are run',
  hooks.map(({ component, name }) => `${component}: ${name}`),
)}${steps(
  'Releases that Helm uninstalls',
  releases.map(({ namespace, name }) => `${namespace}/${name}`),
)}`;
}

function more(left: number): Markup {
  return html`<li>… and ${left} more, which <code>--json</code> lists</li>\n`;
}

function fold(title: string, items: readonly Markup[], share: number): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<details><summary>${title} <span class="count">${items.length}</span></summary>
<ul class="pods">
${fittedItems(items, share, more)}</ul>
</details>
`;
}

function steps(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return html`<p class="stage">${title}: <span class="count">${texts.slice(0, 50).join(', ')}${texts.length > 50 ? ` … and ${texts.length - 50} more` : undefined}</span></p>\n`;
}

const ways = {
  order: '',
  owner: ', with its owner',
  namespace: ', with its namespace',
  helm: ', by Helm',
} as const satisfies Record<DeletedObject['how'], string>;

function deletedItem(object: DeletedObject): Markup {
  const data = object.isData ? html` <span class="badge bad">data</span>` : undefined;
  return html`<li>${objectText(object)}${ways[object.how]}${data}</li>\n`;
}

function keptItem(object: KeptObject): Markup {
  const holds = object.holds === undefined ? '' : `, such as ${object.holds.map(objectText).join(', ')}`;
  return html`<li>${objectText(object)}: ${keptWords[object.why]}${holds}</li>\n`;
}

function objectText({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
