import type { Deadline } from '../../plan/plan.ts';
import { html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

/** A timeline from the first to the last published deadline, a row for each month, and the soonest ones by name. */
export const deadlinesSection: Section = {
  id: 'deadlines',
  title: 'Published deadlines',
  body: ({ deadlines }) => {
    if (deadlines.length === 0) return undefined;
    return html`<p>As the records say: dates on which virtual clusters are put to sleep or deleted, unless somebody renews them.</p>
<ul class="legend"><li><span class="key Sleeping" aria-hidden="true"></span>put to sleep</li><li><span class="key Deleted" aria-hidden="true"></span>deleted</li></ul>
${timeline(deadlines)}${soonest(deadlines)}`;
  },
};

/** Longer ones are told by year. */
const mostMonths = 30;
const mostNamed = 100;

function timeline(deadlines: readonly Deadline[]): Markup {
  const first = deadlines[0]?.at ?? '';
  const last = deadlines.at(-1)?.at ?? '';
  const months = monthsBetween(first, last);
  const periods = months.length <= mostMonths ? months : [...new Set(months.map((month) => month.slice(0, 4)))];
  const counts = periods.map((period) => {
    const of = deadlines.filter(({ at }) => at.startsWith(period));
    const sleep = of.filter(({ what }) => what === 'sleep').length;
    return { period, sleep, delete: of.length - sleep };
  });
  const most = Math.max(...counts.map((count) => count.sleep + count.delete));
  return html`<figure class="bars timeline"><figcaption class="unseen">Deadlines over time</figcaption>
${counts.map((count) => periodBar(count, most))}</figure>
`;
}

function periodBar(
  count: { readonly period: string; readonly sleep: number; readonly delete: number },
  most: number,
): Markup {
  const all = count.sleep + count.delete;
  const parts = [
    ['Sleeping', count.sleep],
    ['Deleted', count.delete],
  ] as const;
  return html`<div class="row"><span class="when"><time datetime="${count.period}">${count.period}</time></span><span class="track"><span class="bar" role="img" aria-label="${count.period}: ${count.sleep} put to sleep, ${count.delete} deleted" style="width:${Math.round((all / most) * 1000) / 10}%">${parts
    .filter(([, number]) => number > 0)
    .map(
      ([state, number]) => html`<span class="part ${state}" style="flex-grow:${number}">${number}</span>`,
    )}</span></span></div>
`;
}

/** `2026-11`, `2026-12`, `2027-01`: each month, those without a deadline as well, since time passes in them too. */
function monthsBetween(first: string, last: string): readonly string[] {
  const number = (at: string): number => Number(at.slice(0, 4)) * 12 + Number(at.slice(5, 7)) - 1;
  const [from, to] = [number(first), number(last)];
  return Array.from({ length: Math.min(Math.max(to - from + 1, 1), 12_000) }, (_, index) => {
    const month = from + index;
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

function soonest(deadlines: readonly Deadline[]): Markup {
  const rows = deadlines
    .slice(0, mostNamed)
    .map(
      ({ at, claim, cluster, what }) =>
        html`<tr><td><time datetime="${at}">${at.replace('T', ' ').replace(/(:\d\d)(?:\.\d+)?Z$/, '$1 UTC')}</time></td><th scope="row">${claim}</th><td>${cluster}</td><td>${what === 'sleep' ? 'put to sleep' : 'deleted'}</td></tr>\n`,
    );
  const left = deadlines.length - rows.length;
  return html`<details><summary>The soonest, by name <span class="count">${rows.length}</span></summary>
<div class="scroll" role="region" aria-label="The soonest deadlines" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">Virtual cluster</th><th scope="col">On</th><th scope="col">What</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
${left > 0 ? html`<p>… and ${left} later ones</p>\n` : undefined}</details>
`;
}
