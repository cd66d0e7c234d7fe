import { changeWords, compareText, isOwnChange } from '../../plan/change.ts';
import { isUnapproved, type Plan, type PlannedChange } from '../../plan/plan.ts';
import { changeGroups } from '../plan.ts';
import { html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

/** Counts, and which kinds of things happen on which cluster. */
export const overviewSection: Section = {
  id: 'overview',
  title: 'At a glance',
  body: (plan) =>
    html`${tiles(plan)}${plan.changes.length === 0 ? html`<p>The two states say the same.</p>\n` : matrix(plan.changes)}`,
};

function tiles({ changes, objects }: Plan): Markup {
  const own = changes.filter(isOwnChange);
  const all: readonly (readonly [number, string, string])[] = [
    [own.length, own.length === 1 ? 'change' : 'changes', ''],
    [changes.filter(({ dangers }) => dangers.length > 0).length, 'marked as dangerous', 'danger'],
    [changes.filter(isUnapproved).length, 'waiting for an approval', 'wait'],
    ...(objects === undefined
      ? []
      : [[objects.reduce((sum, unit) => sum + unit.objects.length, 0), 'objects differ', ''] as const]),
  ];
  return html`<dl class="tiles">
${all.map(([count, what, tone]) => html`<div class="tile ${count > 0 ? tone : ''}"><dt>${what}</dt><dd>${count}</dd></div>\n`)}</dl>
`;
}

/** Clusters beyond these are one column: wider tables are read by nobody. */
const mostClusters = 8;

/** A table of counts, shaded by how many: rows are kinds, gravest first, columns are clusters. */
function matrix(changes: readonly PlannedChange[]): Markup {
  const all = [...new Set(changes.map(({ subject }) => subject.cluster))].sort(compareText);
  const shown = all.slice(0, mostClusters);
  const columns = all.length > shown.length ? [...shown, others] : shown;
  const columnOf = (cluster: string): string => (shown.includes(cluster) ? cluster : others);
  const groups = changeGroups(changes);
  const most = Math.max(...groups.map((group) => group.changes.length));
  return html`<div class="scroll" role="region" aria-label="Changes by kind and cluster" tabindex="0">
<table class="matrix">
<caption>What happens, by cluster</caption>
<thead><tr><th scope="col">What</th>${columns.map((column) => html`<th scope="col">${columnTitle(column)}</th>`)}<th scope="col">All</th></tr></thead>
<tbody>
${groups.map(({ kind, changes: group }) => {
  const cells = columns.map((column) =>
    cell(
      group.filter(({ subject }) => columnOf(subject.cluster) === column),
      most,
    ),
  );
  const mark = group.some(({ dangers }) => dangers.length > 0)
    ? html` <span class="sign" role="img" aria-label="dangerous">▲</span>`
    : undefined;
  return html`<tr><th scope="row"><a href="#kind-${kind}">${changeWords[kind].heading}</a>${mark}</th>${cells}<td class="sum">${group.length}</td></tr>\n`;
})}</tbody>
</table>
</div>
`;
}

const others = '\u0000others';

function columnTitle(column: string): string {
  if (column === others) return 'other clusters';
  return column === '' ? 'no cluster' : column;
}

/** Four steps of shade, by the order of magnitude: one against ten thousand has to show. */
function cell(changes: readonly PlannedChange[], most: number): Markup {
  if (changes.length === 0)
    return html`<td class="none"><span aria-hidden="true">·</span><span class="unseen">0</span></td>`;
  const share = Math.log(changes.length + 1) / Math.log(most + 1);
  return html`<td class="shade-${Math.max(1, Math.ceil(share * 4))}">${changes.length}</td>`;
}
