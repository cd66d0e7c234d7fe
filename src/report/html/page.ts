import { html, type Markup, markup } from './markup.ts';
import { stylesheet } from './stylesheet.ts';

export interface Page {
  /** Of quiesce, that made it. Default: plan. */
  readonly command?: string;
  /** At its end: what it was made from. */
  readonly foot?: Markup;
  readonly title: string;
  /** Below the title: what the page is about. */
  readonly about: Markup;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly content: Markup }[];
}

/**
 * One page without scripts, that loads nothing: it can be mailed, printed and kept. The policy in it makes a browser
 * refuse what an injected tag would load or run.
 */
export function page({ command = 'plan', foot = planFoot, title, about, sections }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Quiesce: ${title}</title>
<style>${markup(stylesheet)}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header>
<p class="brand">Quiesce ${command}</p>
<h1>${title}</h1>
<p class="refs">${about}</p>
</header>
<nav aria-label="Contents"><ul>
${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>\n`)}</ul></nav>
<main id="report" tabindex="-1">
${sections.map(sectionHtml)}</main>
<footer><p>${foot}</p></footer>
</body>
</html>
`.text;
}

const planFoot = html`Made by <code>quiesce plan</code> from the two states alone: it says what they ask for, not what a cluster will answer.`;

function sectionHtml({ id, title, content }: Page['sections'][number]): Markup {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;
}
