import { html, raw } from 'hono/html';
import type { Instant } from '../instant.ts';
import type { InstantParts, Language } from '../mail/language.ts';
import { plainParts } from './plain-instant.ts';
import type { Dates, Instance } from './press.ts';
import { style } from './style.ts';
import type { View } from './view.ts';
import type { Words } from './words.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';

export interface PageOptions {
  readonly language: Language;
  /** As known for the link; other instants are said in UTC. */
  readonly dates: Dates;
  /** Absent before git could be read for the first time. */
  readonly instance: Instance | undefined;
  /** What the form carries to show that it is ours: for pages with a button. */
  readonly formToken?: string;
}

type Html = ReturnType<typeof html>;

const words: Readonly<Record<Language, Words>> = { en: english, de: german };

/** The whole page as HTML: complete without scripts, and nothing in it is fetched from anywhere. */
export function pageHtml(view: View, options: PageOptions): string {
  const { language, instance } = options;
  const text = words[language];
  const other = language === 'en' ? 'de' : 'en';
  const title = titleOf(view, language);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} · ${instance?.name ?? 'Quiesce'}</title>
<link rel="icon" href="${raw(icon)}">
<style>${raw(style)}</style>
</head>
<body>
<header>
<span class="brand">${instance?.name ?? 'Quiesce'}</span>
<nav aria-label="${text.languages}"><a href="?lang=${other}" hreflang="${other}" lang="${other}">${text.otherLanguage}</a></nav>
</header>
<main>
${markOf(view)}<h1>${title}</h1>
${contentOf(view, options)}
</main>
<footer>${instance?.contact === undefined ? html`<span></span>` : contactOf(text.contact, instance.contact)}</footer>
</body>
</html>
`;
  return String(page);
}

function contactOf(word: string, address: string): Html {
  return html`<span>${word} <a href="mailto:${address}">${address}</a></span>`;
}

function titleOf(view: View, language: Language): string {
  const text = words[language];
  switch (view.kind) {
    case 'ask':
      return view.standing.state === 'Sleeping' ? text.asleepTitle(view.claim) : text.askTitle(view.claim);
    case 'ask-blind':
      return text.askTitle(view.claim);
    case 'done':
      return text.doneTitle(view.claim);
    case 'kept':
      return text.keptTitle(view.claim);
    case 'refused':
      return text.refusals[view.refusal].title;
  }
}

function contentOf(view: View, options: PageOptions): Html {
  switch (view.kind) {
    case 'ask':
      return askContent(view, options);
    case 'ask-blind':
      return blindContent(view, options);
    case 'done':
      return doneContent(view, options);
    case 'kept':
      return keptContent(view, options);
    case 'refused': {
      const { why, next } = words[options.language].refusals[view.refusal];
      const claim = view.claim === undefined ? '' : factsOf([[words[options.language].claim, view.claim]]);
      return html`${claim}<p role="alert">${why}</p><p>${next}</p>`;
    }
  }
}

function askContent(view: View & { readonly kind: 'ask' }, options: PageOptions): Html {
  const text = words[options.language];
  const { standing, claim } = view;
  const since = html`<time datetime="${iso(standing.since)}">${partsOf(standing.since, options).day}</time>`;
  const lead = standing.state === 'Sleeping' ? text.asleep : text.awake;
  const [before, after] = lead('\0').split('\0');
  const stale = view.asOf === undefined ? '' : note(text.asOf(textOf(view.asOf, options)));
  return html`<p>${before}${since}${after}</p>
${stale}${factsOf([
  [text.cluster, standing.cluster],
  [text.state, text.states[standing.state]],
])}
${comparisonOf(view, options)}
${buttonOf(claim, options)}
<p>${text.effect[standing.state]}${view.isReviewed ? ` ${text.effectReviewed}` : ''}</p>
<p class="quiet">${text.notNeeded}</p>`;
}

function blindContent({ claim, deadline }: View & { readonly kind: 'ask-blind' }, options: PageOptions): Html {
  const text = words[options.language];
  return html`<p>${text.blind(textOf(deadline, options))}</p>
${note(text.noGit)}
${buttonOf(claim, options)}
<p class="quiet">${text.notNeeded}</p>`;
}

function doneContent({ dates, state, isReviewed }: View & { readonly kind: 'done' }, options: PageOptions): Html {
  const text = words[options.language];
  const row = (label: string, at: Instant): Html =>
    html`<tr><th scope="row">${label}</th><td>${momentOf(at, options)}</td></tr>`;
  return html`<p role="status">${isReviewed ? text.doneReviewed : text.done}</p>
<table><caption>${text.comparison}</caption><tbody>
${state === 'Sleeping' ? '' : row(text.sleep, dates.sleep)}
${row(text.deletion, dates.delete)}
</tbody></table>
<p>${state === 'Sleeping' ? `${text.stillAsleep} ` : ''}${isReviewed ? `${text.proposed} ` : ''}${text.close}</p>`;
}

function keptContent({ since }: View & { readonly kind: 'kept' }, options: PageOptions): Html {
  const text = words[options.language];
  return html`<p role="status">${text.kept(textOf(since, options))}</p><p>${text.keptNext}</p>`;
}

function factsOf(facts: readonly (readonly [string, string])[]): Html {
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Roles are said: on narrow screens the style takes the table apart, and browsers then forget that it is one. */
function comparisonOf({ standing, renewed }: View & { readonly kind: 'ask' }, options: PageOptions): Html {
  const text = words[options.language];
  const row = (label: string, now: Html, then: Html): Html => html`<tr role="row">
<th scope="row" role="rowheader">${label}</th>
<td role="cell" data-label="${text.otherwise}"><span>${now}</span></td>
<td role="cell" data-label="${text.renewed}"><span class="better">${then}</span></td>
</tr>`;
  return html`<table class="comparison" role="table">
<caption>${text.comparison}</caption>
<thead role="rowgroup"><tr role="row">
<th scope="col" role="columnheader"><span class="hidden">${text.event}</span></th>
<th scope="col" role="columnheader">${text.otherwise}</th>
<th scope="col" role="columnheader">${text.renewed}</th>
</tr></thead>
<tbody role="rowgroup">
${standing.state === 'Sleeping' ? '' : row(text.sleep, momentOf(standing.sleep, options), momentOf(renewed.sleep, options))}
${row(text.deletion, momentOf(standing.delete, options), momentOf(renewed.delete, options))}
</tbody></table>`;
}

/** The day, and the rest in a smaller line below. */
function momentOf(at: Instant, options: PageOptions): Html {
  const { weekday, day, time } = partsOf(at, options);
  return html`<time datetime="${iso(at)}">${day}<span class="time">${weekday}, ${time}</span></time>`;
}

function buttonOf(claim: string, { language, formToken = '' }: PageOptions): Html {
  return html`<form method="post" action="?lang=${language}">
<input type="hidden" name="form" value="${formToken}">
<button type="submit">${words[language].button(claim)}</button>
</form>`;
}

function note(text: string): Html {
  return html`<p class="note">${text}</p>`;
}

function markOf({ kind }: View): Html | string {
  switch (kind) {
    case 'ask':
    case 'ask-blind':
      return '';
    case 'done':
      return mark('', 'M5 12.5l4.5 4.5L19 7.5');
    case 'kept':
      return mark('wait', 'M12 6.5v6l4 2.5');
    case 'refused':
      return mark('stop', 'M12 6v8M12 17.5v.5');
  }
}

function mark(name: string, path: string): Html {
  return html`<div class="mark ${name}" aria-hidden="true"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg></div>
`;
}

const drawing =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#0b5c8a'/><path d='M20 6a10.5 10.5 0 1 0 6 15A9 9 0 0 1 20 6z' fill='#fff'/></svg>";
const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`;

function iso(at: Instant): string {
  return new Date(at).toISOString();
}

function partsOf(at: Instant, { dates, language }: PageOptions): InstantParts {
  return dates[at]?.[language] ?? plainParts(at, language);
}

function textOf(at: Instant, options: PageOptions): string {
  const { weekday, day, time } = partsOf(at, options);
  return `${weekday}, ${day}, ${time}`;
}
