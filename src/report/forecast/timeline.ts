import type { ClaimForecast, ForecastEvent } from '../../lifecycle/forecast.ts';
import { html, type Markup, markup } from '../html/markup.ts';
import { eventText, type ForecastView, forecastTitle, isBySchedule, type Moments, moments } from './words.ts';

/** Pixels of the drawing; it scales to the width that there is. */
const width = 1000;
const names = 210;
const margin = 16;
const row = 24;
const top = 96;
/** A drawing of more rows is for nobody. */
const mostRows = 400;

/** A row for each claim that something happens to, the soonest at the top. It stands alone: fonts and colours are in it. */
export function forecastSvg(view: ForecastView): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawing(view).text}\n`;
}

export function drawing(view: ForecastView): Markup {
  const rows = concerned(view);
  const shown = rows.slice(0, mostRows);
  const height = top + Math.max(shown.length, 1) * row + (rows.length > shown.length ? 2 : 1) * row;
  const place = placesOf(view);
  const moment = moments(view.timeZone);
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="forecast" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="forecast-title">
<title id="forecast-title">${forecastTitle(view)}</title>
<style>${markup(style)}</style>
<rect class="page" width="${width}" height="${height}"/>
<text class="head" x="${margin}" y="28">What will happen to virtual clusters if nobody renews them</text>
${legend()}
${months(view, place, height)}
${shown.map((claim, index) => rowOf(claim, top + index * row, { place, moment, view }))}
${rows.length === 0 ? html`<text class="soft" x="${names}" y="${top + 16}">Nothing happens until then.</text>` : undefined}
${rows.length > shown.length ? html`<text class="soft" x="${margin}" y="${height - 12}">… and ${rows.length - shown.length} more</text>` : undefined}
</svg>`;
}

function concerned({ claims }: ForecastView): ClaimForecast[] {
  const first = ({ events }: ClaimForecast): number => events.find((event) => !isBySchedule(event))?.at ?? 0;
  return claims
    .filter(({ state, events }) => state !== 'Deleted' && events.some((event) => !isBySchedule(event)))
    .sort((a, b) => first(a) - first(b));
}

type Place = (instant: number) => number;

function placesOf({ from, until }: ForecastView): Place {
  const scale = (width - names - margin) / Math.max(until - from, 1);
  return (instant) => Math.round((names + (instant - from) * scale) * 10) / 10;
}

function legend(): Markup {
  const parts = [
    ['running', 'runs'],
    ['sleeping', 'sleeps'],
  ] as const;
  const marks = [
    ['warning', 'owners are warned'],
    ['sleep', 'put to sleep'],
    ['deletion', 'deletion ordered'],
  ] as const;
  return html`<g class="keys">${parts.map(
    ([kind, text], index) =>
      html`<rect class="${kind}" x="${margin + index * 90}" y="42" width="16" height="10" rx="2"/><text x="${margin + index * 90 + 22}" y="51">${text}</text>`,
  )}${marks.map(
    ([kind, text], index) =>
      html`${mark(kind, margin + 200 + index * 160, 47)}<text x="${margin + 212 + index * 160}" y="51">${text}</text>`,
  )}</g>`;
}

/** A line for the first of each month, or of every so many, as labels have room. */
function months({ from, until, timeZone }: ForecastView, place: Place, height: number): Markup[] {
  const firsts = firstsOfMonths(from, until);
  const every = Math.ceil(firsts.length / 13);
  const label = new Intl.DateTimeFormat('en', { month: 'short', year: '2-digit', timeZone });
  return firsts
    .filter((_, index) => index % every === 0)
    .map((instant) => {
      const x = place(instant);
      const text = html`<text class="soft" x="${x + 4}" y="80">${label.format(instant + 43_200_000)}</text>`;
      return html`<line class="grid" x1="${x}" x2="${x}" y1="68" y2="${height - row}"/>${x < width - 50 ? text : undefined}`;
    });
}

function firstsOfMonths(from: number, until: number): number[] {
  const begin = new Date(from);
  const found: number[] = [];
  for (let month = begin.getUTCMonth() + 1; ; month += 1) {
    const instant = Date.UTC(begin.getUTCFullYear(), month, 1);
    if (instant > until) return found;
    found.push(instant);
  }
}

interface Drawn {
  readonly place: Place;
  readonly moment: Moments;
  readonly view: ForecastView;
}

function rowOf(claim: ClaimForecast, y: number, { place, moment, view }: Drawn): Markup {
  const events = claim.events.filter((event) => !isBySchedule(event));
  const marks = events.flatMap((event) => {
    const kind = markOf(event);
    const title = `${moment(event.at)} ${claim.name} ${eventText(event, moment)}`;
    return kind === undefined ? [] : [html`<g>${mark(kind, place(event.at), y + 10)}<title>${title}</title></g>`];
  });
  const stretches = stretchesOf(claim, view).map(
    ({ kind, from, until }) =>
      html`<rect class="${kind}" x="${place(from)}" y="${y + 5}" width="${Math.max(Math.round((place(until) - place(from)) * 10) / 10, 1)}" height="10" rx="2"/>`,
  );
  return html`<text class="name" x="${margin}" y="${y + 15}">${shortened(claim.name)}<title>${claim.name} on ${claim.cluster}, ${claim.owners.join(', ')}</title></text>${stretches}${marks}
`;
}

/** So many letters have room. */
function shortened(name: string): string {
  return name.length <= 26 ? name : `${name.slice(0, 25)}…`;
}

function stretchesOf({ events, state }: ClaimForecast, { from, until }: ForecastView) {
  const sleep = events.find(({ kind }) => kind === 'expires')?.at;
  const end = events.find(({ kind }) => kind === 'deletionOrdered')?.at ?? until;
  if (state === 'Sleeping') return [{ kind: 'sleeping', from, until: end }];
  const awake = { kind: 'running', from, until: Math.min(sleep ?? end, end) };
  return sleep === undefined ? [awake] : [awake, { kind: 'sleeping', from: sleep, until: end }];
}

type Mark = 'warning' | 'sleep' | 'deletion';

function markOf(event: ForecastEvent): Mark | undefined {
  if (event.kind === 'mail') return event.mail.endsWith('Warning') ? 'warning' : undefined;
  if (event.kind === 'expires') return 'sleep';
  return event.kind === 'deletionOrdered' ? 'deletion' : undefined;
}

/** Told apart by their form as well: a diamond, a dot, a cross. */
function mark(kind: Mark, x: number, y: number): Markup {
  if (kind === 'sleep') return html`<circle class="mark-sleep" cx="${x}" cy="${y}" r="5.5"/>`;
  const path = kind === 'warning' ? `M${x} ${y - 7}l7 7l-7 7l-7 -7z` : `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`;
  return html`<path class="mark-${kind}" d="${path}"/>`;
}

const style = `
.forecast { font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; width: 100%; height: auto; }
.forecast .page { fill: #ffffff; } .forecast text { fill: #1c2330; } .forecast .soft, .forecast .keys text { fill: #505a6b; }
.scroll > .forecast { min-width: 44rem; }
.forecast .head { font-size: 16px; font-weight: 600; } .forecast .grid { stroke: #d3d7de; }
.forecast .running { fill: #1f6f43; } .forecast .sleeping { fill: #a9acdf; }
.forecast .mark-warning { fill: #f0a92b; stroke: #7a4a00; } .forecast .mark-sleep { fill: #4a4fb0; stroke: #ffffff; }
.forecast .mark-deletion { stroke: #a11212; stroke-width: 3; fill: none; }
@media (prefers-color-scheme: dark) {
.forecast .page { fill: #14181f; } .forecast text { fill: #e7eaf0; } .forecast .soft, .forecast .keys text { fill: #aab3c2; }
.forecast .grid { stroke: #3b4452; } .forecast .running { fill: #4fae7a; } .forecast .sleeping { fill: #565a94; }
.forecast .mark-warning { fill: #ffcf7d; stroke: #14181f; } .forecast .mark-sleep { fill: #b0b4ff; stroke: #14181f; }
.forecast .mark-deletion { stroke: #ff9c9c; }
}
@media print { .forecast rect, .forecast path, .forecast circle { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
