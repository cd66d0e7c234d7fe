import type { Finding } from '../validate/finding.ts';
import { closest } from '../validate/suggest.ts';
import { layoutNames, templateNames } from './template-names.ts';

/**
 * What is wrong with a file of `state/mail/`. The runner sends our own words in its place, so that a warning goes out
 * whatever is wrong here; whoever writes a template wants to know before.
 */
export function templateFindings(file: string, text: string): Finding[] {
  const name = file.replace(/^state\/mail\//, '');
  if (name === 'layout.html') return new Check(file, text, layoutNames).ofLayout();
  const kind = /^(?:en|de)\/([a-z-]+)\.txt$/.exec(name)?.[1] ?? '';
  if (!kinds.includes(kind)) return [strayTemplate(file, name)];
  return new Check(file, text, templateNames).ofLetter(kind === 'deletion-ordered' ? [] : ['deadline', 'link']);
}

const kinds = ['sleep-warning', 'asleep', 'deletion-warning', 'deletion-ordered'];

function strayTemplate(file: string, name: string): Finding {
  const known = ['layout.html', ...['en', 'de'].flatMap((language) => kinds.map((kind) => `${language}/${kind}.txt`))];
  const meant = closest(name, known);
  return {
    code: 'stray-file',
    at: { kind: 'file', file },
    message: `Nothing reads \`${file}\`.`,
    remedy: meant === undefined ? `There is ${known.join(', ')}.` : `Did you mean \`state/mail/${meant}\`?`,
  };
}

const anything = /\{\{\{?([#^/]?)([^{}]*)\}?\}\}|\{\{/g;
const aloneInLine = /^[ \t]*\{\{[#^/][a-zA-Z]+\}\}[ \t]*$/;

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly sign: string;
  readonly name: string;
}

class Check {
  readonly #findings: Finding[] = [];
  readonly #file: string;
  readonly #text: string;
  readonly #names: readonly string[];
  readonly #tags: readonly Tag[];

  constructor(file: string, text: string, names: readonly string[]) {
    [this.#file, this.#text, this.#names] = [file, text, names];
    this.#tags = [...text.matchAll(anything)].map(({ index, 0: all, 1: sign = '', 2: name }) => ({
      start: index,
      end: index + all.length,
      sign,
      name: name?.trim() ?? '{{',
    }));
  }

  ofLayout(): Finding[] {
    this.#checkNames();
    for (const tag of this.#tags) if (tag.sign !== '') this.#complain(tag, 'A layout has no sections.', 'Remove it.');
    this.#require('body');
    return this.#findings;
  }

  ofLetter(required: readonly string[]): Finding[] {
    this.#checkNames();
    this.#checkSections();
    const head = this.#text.split(/\n[ \t]*\r?\n/, 1)[0] ?? '';
    if (!/^subject: *\S/im.test(head)) {
      const first = { start: 0, end: Math.max(0, head.search(/\r?\n|$/)) };
      this.#complain(first, 'The letter has no subject.', 'Begin the file with a line `Subject: …`.');
    }
    for (const name of required) this.#require(name);
    return this.#findings;
  }

  #checkNames(): void {
    for (const tag of this.#tags) {
      if (tag.name === '{{') {
        this.#complain(tag, '`{{` is not followed by a name and `}}`.', 'Complete it, as in `{{claim}}`.');
      } else if (!this.#names.includes(tag.name)) {
        const meant = closest(tag.name, this.#names);
        const remedy =
          meant === undefined ? `There is ${this.#names.join(', ')}.` : `Did you mean \`{{${tag.sign}${meant}}}\`?`;
        this.#complain(tag, `There is no \`{{${tag.name}}}\` to be filled in.`, remedy);
      }
    }
  }

  /** Each begins and ends on a line of its own, and they do not nest. */
  #checkSections(): void {
    let open: Tag | undefined;
    for (const tag of this.#tags.filter(({ sign }) => sign !== '')) {
      if (!aloneInLine.test(this.#lineOf(tag))) {
        this.#complain(
          tag,
          'A section begins and ends on a line of its own.',
          'Put it on a line that holds nothing else.',
        );
      }
      if (tag.sign !== '/') {
        if (open !== undefined)
          this.#complain(tag, 'Sections do not nest.', `End \`{{${open.sign}${open.name}}}\` first.`);
        open = tag;
      } else if (open?.name === tag.name) open = undefined;
      else this.#complain(tag, `No section \`${tag.name}\` is open here.`, 'Remove it, or begin the section.');
    }
    if (open !== undefined) this.#complain(open, 'This section does not end.', `End it with \`{{/${open.name}}}\`.`);
  }

  #require(name: string): void {
    if (this.#tags.some((tag) => tag.sign === '' && tag.name === name)) return;
    const form = name === 'body' ? '{{{body}}}' : `{{${name}}}`;
    const where = name === 'link' ? ' where there is a keep-alive page' : '';
    this.#complain({ start: 0, end: 0 }, `It does not say \`${form}\`.`, `Add it: else it is not used${where}.`);
  }

  #lineOf({ start, end }: Tag): string {
    const before = this.#text.lastIndexOf('\n', start - 1) + 1;
    const after = this.#text.indexOf('\n', end);
    return this.#text.slice(before, after === -1 ? undefined : after).replace(/\r$/, '');
  }

  #complain(range: Pick<Tag, 'start' | 'end'>, message: string, remedy: string): void {
    const { start, end } = range;
    this.#findings.push({
      code: 'mail-template',
      at: { kind: 'range', file: this.#file, start, end },
      message,
      remedy,
    });
  }
}
