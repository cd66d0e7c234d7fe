import { readFileSync } from 'node:fs';
import type { MailKind } from '../lifecycle/decision.ts';
import type { Language } from './language.ts';

export interface Template {
  /** For messages: where it is from. */
  readonly from: string;
  readonly text: string;
  /** Page around the letter, with `{{{body}}}`. */
  readonly layout: string;
}

/** The user's own templates: text of `<language>/<kind>.txt` or `layout.html`; undefined where there is none. */
export type OwnTemplates = (file: string) => string | undefined;

/** Where people put theirs: the file that is there is used in place of ours, each by itself. */
export const ownTemplatesFolder = 'state/mail';

export function builtInTemplate(language: Language, kind: MailKind): Template {
  const file = fileOf(language, kind);
  return { from: `built-in ${file}`, text: builtIn(file), layout: builtIn('layout.html') };
}

/** Undefined where nothing differs from the built-in one. */
export function ownTemplate(own: OwnTemplates, language: Language, kind: MailKind): Template | undefined {
  const file = fileOf(language, kind);
  const [text, layout] = [own(file), own('layout.html')];
  if (text === undefined && layout === undefined) return undefined;
  const from = text === undefined ? 'layout.html' : file;
  return {
    from: `${ownTemplatesFolder}/${from}`,
    text: text ?? builtIn(file),
    layout: layout ?? builtIn('layout.html'),
  };
}

/** `en/sleep-warning.txt` */
function fileOf(language: Language, kind: MailKind): string {
  return `${language}/${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.txt`;
}

/** The build puts the folder beside every file that may hold this code. */
const folder = new URL('./templates/', import.meta.url);
const read = new Map<string, string>();

function builtIn(file: string): string {
  const known = read.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(file, folder), 'utf8');
  read.set(file, text);
  return text;
}
