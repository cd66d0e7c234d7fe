import { printable } from '../escape.ts';
import { bytes } from '../markdown-room.ts';

/** HTML that is safe to put into a page. Made by the tag below only, so that text cannot get in without being escaped. */
export interface Markup {
  readonly text: string;
  /** Tells it from data of the same shape, such as the value of a manifest. */
  readonly [isMarkup]: true;
}
const isMarkup: unique symbol = Symbol('markup');

type Value = string | number | Markup | undefined | readonly Value[];

/** A template: text is escaped, for content and for quoted attributes alike; markup and lists of it stay as they are. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return markup(literals.map((literal, index) => `${literal}${written(values[index])}`).join(''));
}

/** Takes text of ours as it is. Never for anything that comes from outside. */
export function markup(text: string): Markup {
  return { text, [isMarkup]: true };
}

function written(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return isList(value) ? value.map(written).join('') : value.text;
}

function isList(value: Markup | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}

/** What could hide or reorder text is spelt out, as on a terminal. */
function escaped(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** As many items as fit into `room` bytes, and a last one that says how many did not. */
export function fittedItems(items: readonly Markup[], room: number, rest: (left: number) => Markup): readonly Markup[] {
  let used = 0;
  const count = items.findIndex((item) => {
    used += bytes(item.text);
    return used > room;
  });
  return count < 0 ? items : [...items.slice(0, count), rest(items.length - count)];
}
