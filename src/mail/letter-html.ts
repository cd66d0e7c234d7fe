import { fillNames, type TemplateValues } from './template.ts';

/** What stands out of the text: the link, which becomes a button with these words on it. */
export interface Link {
  readonly address: string;
  readonly words: string;
}

/**
 * The letter as HTML, made from the template of its text, so that the two cannot say different things. Paragraphs are
 * separated by blank lines; lines that begin with `- ` are a list; where each line is `Label: {{name}}`, they are a
 * table;
 * `{{link}}` alone in a line is a button. All of that is read before names are filled in: no value makes structure.
 */
export function letterHtml(template: string, values: TemplateValues, link: Link | undefined): string {
  const write: Write = (text) => escapeHtml(fillNames(text, values));
  return template
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => (isButton(lines) && link !== undefined ? buttonHtml(link) : paragraphHtml(lines, write)))
    .join('\n');
}

type Write = (text: string) => string;

const item = /^- +/;
const row = /^([^:{}]{1,40}): +(\{\{[a-zA-Z]+\}\})$/;

function isButton(lines: readonly string[]): boolean {
  return lines.length === 1 && lines[0]?.trim() === '{{link}}';
}

function paragraphHtml(lines: readonly string[], write: Write): string {
  if (lines.every((line) => item.test(line)))
    return `<ul>${lines.map((line) => `<li>${write(line.replace(item, ''))}</li>`).join('')}</ul>`;
  const rows = lines.map((line) => row.exec(line));
  if (rows.every((found) => found !== null))
    return tableHtml(rows.map(([, label = '', value = '']) => [write(label), write(value)]));
  return `<p>${lines.map(write).join('<br>')}</p>`;
}

/** The address stands below it as text: some readers show no links, and careful people want to see it. */
function buttonHtml({ address, words }: Link): string {
  const href = escapeHtml(address);
  return `<p><a class="button" href="${href}">${escapeHtml(words)}</a></p>\n<p class="address">${href}</p>`;
}

/** Of cells that are HTML already. */
function tableHtml(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([label, value]) => `<tr><th scope="row">${label}</th><td>${value}</td></tr>`);
  return `<table>${cells.join('')}</table>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
