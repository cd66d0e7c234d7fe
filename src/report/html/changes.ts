import { dangerWords } from '../../plan/danger.ts';
import type { PlannedChange } from '../../plan/plan.ts';
import { needText } from '../approval-words.ts';
import { changeGroups, whySentence } from '../plan.ts';
import { fittedItems, html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

/** Bytes that a list of changes may take. */
const room = 1_200_000;

export const dangersSection: Section = {
  id: 'dangers',
  title: 'What deserves a second look',
  body: ({ changes }) => {
    if (changes.length === 0) return undefined;
    const dangerous = changes.filter(({ dangers }) => dangers.length > 0);
    if (dangerous.length === 0) return html`<p>Nothing here is marked as dangerous.</p>\n`;
    return html`<ul class="changes">\n${fittedItems(dangerous.map(changeItem), room, more)}</ul>\n`;
  },
};

/** Every change by kind, folded where there are many. */
export const changesSection: Section = {
  id: 'changes',
  title: 'Everything that happens',
  body: ({ changes }) => {
    const groups = changeGroups(changes);
    if (groups.length === 0) return undefined;
    const share = Math.floor(room / groups.length);
    const blocks = groups.map(
      ({
        kind,
        heading,
        changes: group,
      }) => html`<details id="kind-${kind}"${group.length <= openUpTo ? html` open` : undefined}>
<summary>${heading} <span class="count">${group.length}</span></summary>
<ul class="changes">
${fittedItems(group.map(changeItem), share, more)}</ul>
</details>
`,
    );
    return html`${blocks}`;
  },
};

const openUpTo = 10;

function changeItem(change: PlannedChange): Markup {
  const { text, dangers, needs, place } = change;
  const badges = dangers.map(({ kind }) => html`<span class="badge bad">${dangerWords[kind]}</span> `);
  const why = dangers.length === 0 ? undefined : html`<p class="why">${whySentence(change)}</p>\n`;
  const wants = needs.map(
    (need) => html`<span class="badge ${need.approved ? 'good' : 'wait'}">${needText(need)}</span> `,
  );
  const where = place === undefined ? undefined : html`<code class="place">${place.file}:${place.line}</code>`;
  const foot = needs.length === 0 && where === undefined ? undefined : html`<p class="foot">${wants}${where}</p>\n`;
  return html`<li class="${dangers.length > 0 ? 'dangerous' : 'harmless'}"><p>${badges}${text}</p>\n${why}${foot}</li>\n`;
}

function more(left: number): Markup {
  return html`<li>… and ${left} more, which <code>quiesce plan</code> lists</li>\n`;
}
