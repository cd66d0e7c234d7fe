import type { Problem } from '../../validate/finding.ts';
import type { Refused } from '../forms.ts';
import { problemsSummary } from '../problems.ts';
import { refusalText } from '../refusal-words.ts';
import { fittedItems, html, type Markup } from './markup.ts';
import { page } from './page.ts';

/** The page for a state that does not compile. */
export function refusalHtml({ at, problems }: Refused): string {
  const rest = (left: number): Markup => html`<li>… and ${left} more, which <code>quiesce validate</code> lists</li>\n`;
  return page({
    title: `No plan: ${problemsSummary(problems)}`,
    about: html`${refusalText({ at, problems })}`,
    sections: [
      {
        id: 'problems',
        title: 'Problems',
        content: html`<ul class="changes">\n${fittedItems(problems.map(problemItem), room, rest)}</ul>\n`,
      },
    ],
  });
}

const room = 3_000_000;

function problemItem({ severity, code, message, remedy, place }: Problem): Markup {
  const where = place === undefined ? undefined : html`<code class="place">${place.file}:${place.line}</code>`;
  const excerpt =
    place === undefined || place.excerpt.trim() === ''
      ? undefined
      : html`<p><code>${place.excerpt.trim().slice(0, 500)}</code></p>\n`;
  return html`<li class="${severity === 'error' ? 'dangerous' : 'harmless'}"><p><span class="badge ${severity === 'error' ? 'bad' : 'wait'}">${code}</span> ${message}</p>
${excerpt}<p>${remedy}</p>
<p class="foot">${where}</p></li>
`;
}
