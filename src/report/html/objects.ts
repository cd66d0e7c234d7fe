import type { UnitDiff } from '../../plan/plan.ts';
import { objectWords, unitTitle } from '../object-words.ts';
import { fittedItems, html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

/** Bytes of all objects, and of those of one unit. */
const room = 1_200_000;
const unitRoom = 100_000;

export const objectsSection: Section = {
  id: 'objects',
  title: 'Objects, field by field',
  body: ({ objects }) => {
    if (objects === undefined || objects.length === 0) return undefined;
    const open = objects.length <= 3;
    const rest = (left: number): Markup =>
      html`<p>… and ${left} more, which <code>quiesce plan --objects</code> lists</p>\n`;
    return html`${fittedItems(
      objects.map((unit) => unitHtml(unit, open)),
      room,
      rest,
    )}`;
  },
};

function unitHtml(unit: UnitDiff, open: boolean): Markup {
  const rest = (left: number): Markup => html`<p>… and ${left} more objects</p>\n`;
  return html`<details class="unit"${open ? html` open` : undefined}>
<summary>${unitTitle(unit)} <span class="count">${unit.objects.length}</span></summary>
${fittedItems(unit.objects.map(objectHtml), unitRoom, rest)}</details>
`;
}

const actions = { added: 'added', changed: 'changed', removed: 'removed' } as const;
const mostFields = 200;

function objectHtml(diff: UnitDiff['objects'][number]): Markup {
  const { action, title, fields } = objectWords(diff);
  const head = html`<p class="object"><span class="badge ${action}">${actions[action]}</span> ${title}</p>\n`;
  if (fields.length === 0) return head;
  const rows = fields
    .slice(0, mostFields)
    .map(
      ({ path, before, after }) =>
        html`<tr><th scope="row"><code>${path}</code></th><td>${side('del', before)}</td><td>${side('ins', after)}</td></tr>\n`,
    );
  const left = fields.length - rows.length;
  return html`${head}<div class="scroll" role="region" aria-label="Fields of ${title}" tabindex="0"><table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>
${rows}</tbody></table></div>
${left > 0 ? html`<p>… and ${left} more fields</p>\n` : undefined}`;
}

function side(tag: 'del' | 'ins', value: string | undefined): Markup {
  const when = html`<span class="unseen">${tag === 'del' ? 'before: ' : 'after: '}</span>`;
  if (value === undefined) return html`${when}<span class="absent">not there</span>`;
  return tag === 'del' ? html`${when}<del><code>${value}</code></del>` : html`${when}<ins><code>${value}</code></ins>`;
}
