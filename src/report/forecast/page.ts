import { html, type Markup } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { drawing } from './timeline.ts';
import { assumptions, dated, eventText, type ForecastView, forecastTitle, moments } from './words.ts';

/** Rows of the table: what comes later is in the picture, and in the other forms. */
const mostRows = 2000;

/** The picture, and the same in words for who cannot see it. */
export function forecastPage(view: ForecastView): string {
  const held = heldBack(view);
  return page({
    command: 'forecast',
    title: forecastTitle(view),
    about: html`Times are in ${view.timeZone}. ${assumptions}`,
    foot: html`Made by <code>quiesce forecast</code> with the decider of <code>quiesce lifecycle</code> itself and a clock that runs ahead.`,
    sections: [
      { id: 'timeline', title: 'Timeline', content: html`<div class="scroll">${drawing(view)}</div>` },
      { id: 'events', title: 'Day by day', content: table(view) },
      ...(held === undefined ? [] : [{ id: 'held', title: 'Held back', content: held }]),
    ],
  });
}

function table(view: ForecastView): Markup {
  const moment = moments(view.timeZone);
  const events = dated(view);
  if (events.length === 0) return html`<p>Nothing happens until then.</p>`;
  const rows = events
    .slice(0, mostRows)
    .map(
      ({ claim, event }) =>
        html`<tr><td><time>${moment(event.at)}</time></td><th scope="row">${claim.name}</th><td>${claim.cluster}</td><td>${eventText(event, moment)}</td></tr>\n`,
    );
  const left = events.length - rows.length;
  return html`<div class="scroll" role="region" aria-label="What happens, day by day" tabindex="0"><table class="events">
<thead><tr><th scope="col">When</th><th scope="col">Virtual cluster</th><th scope="col">On</th><th scope="col">What</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
${left > 0 ? html`<p>… and ${left} later ones</p>` : undefined}`;
}

function heldBack({ claims }: ForecastView): Markup | undefined {
  const lines = claims.flatMap(({ name, holds }) =>
    holds.map(({ code, message }) => html`<li><b>${name}</b>: ${message} <code>${code}</code></li>\n`),
  );
  return lines.length === 0 ? undefined : html`<ul class="plain">${lines}</ul>`;
}
