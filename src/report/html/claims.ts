import { compareText } from '../../plan/change.ts';
import type { ClaimCount, Plan } from '../../plan/plan.ts';
import type { ClaimState } from '../../resolve/state.ts';
import { html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

/** How many virtual clusters run, sleep or go, before and after, as bars with the numbers in them. */
export const claimsSection: Section = {
  id: 'claims',
  title: 'Virtual clusters by state',
  body: ({ claims }) => {
    if (claims.length === 0) return undefined;
    const shown = mostFirst(claims);
    const largest = Math.max(...shown.flatMap(({ before, after }) => [total(before), total(after)]));
    const left = claims.length - shown.length;
    return html`${legend()}${shown.map((count) => clusterBars(count, largest))}${left > 0 ? html`<p>… and ${left} more host clusters</p>\n` : undefined}`;
  },
};

const states: readonly ClaimState[] = ['Running', 'Sleeping', 'Deleted'];
const words: Record<ClaimState, string> = { Running: 'running', Sleeping: 'sleeping', Deleted: 'being deleted' };
const mostClusters = 40;

/** Where many are, those that change come first; then by name. */
function mostFirst(claims: Plan['claims']): readonly ClaimCount[] {
  if (claims.length <= mostClusters) return claims;
  const changed = (count: ClaimCount): number => (JSON.stringify(count.before) === JSON.stringify(count.after) ? 1 : 0);
  return [...claims]
    .sort((a, b) => changed(a) - changed(b) || compareText(a.cluster, b.cluster))
    .slice(0, mostClusters);
}

function legend(): Markup {
  return html`<ul class="legend">${states.map((state) => html`<li><span class="key ${state}" aria-hidden="true"></span>${words[state]}</li>`)}</ul>
`;
}

function clusterBars({ cluster, before, after }: ClaimCount, largest: number): Markup {
  return html`<figure class="bars">
<figcaption>${cluster}</figcaption>
${bar('before', before, largest)}${bar('after', after, largest)}</figure>
`;
}

function bar(when: string, counts: ClaimCount['before'], largest: number): Markup {
  const all = total(counts);
  const parts = states.filter((state) => counts[state] > 0);
  const said = all === 0 ? 'none' : parts.map((state) => `${counts[state]} ${words[state]}`).join(', ');
  const width = largest === 0 ? 0 : Math.round((all / largest) * 1000) / 10;
  return html`<div class="row"><span class="when">${when}</span><span class="track"><span class="bar" role="img" aria-label="${when}: ${said}" style="width:${width}%">${parts.map(
    (state) => html`<span class="part ${state}" style="flex-grow:${counts[state]}">${counts[state]}</span>`,
  )}</span></span></div>
`;
}

function total(counts: ClaimCount['before']): number {
  return counts.Running + counts.Sleeping + counts.Deleted;
}
