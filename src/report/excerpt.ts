import type { Place } from '../validate/finding.ts';
import { printable } from './escape.ts';

export interface ExcerptLine {
  readonly gutter: string;
  readonly text: string;
  readonly isCaret: boolean;
}

/**
 * The source line and a line of carets under what is meant, both cut to `width` columns around the caret. Columns of a
 * terminal differ from columns of the file: tabs, wide and combining characters, and control characters, which are
 * spelt out since a terminal would obey them.
 */
export function excerptLines(place: Place, width: number): ExcerptLine[] {
  if (place.excerpt.trim() === '') return [];
  const number = String(place.line);
  const { cells, first, last } = cellsAround(place);
  const room = Math.max(width - number.length - 5, 20);
  const shown = cut(cells, first, last, room);
  const gutter = `${' '.repeat(number.length)} | `;
  return [
    { gutter: `${number} | `, text: shown.text, isCaret: false },
    { gutter, text: `${' '.repeat(shown.before)}${'^'.repeat(Math.max(1, shown.under))}`, isCaret: true },
  ];
}

/** One character as it is shown, with the columns that it takes. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

/** Nothing further away than this can be shown next to the caret: a line may have a million characters. */
const reach = 400;

interface Cells {
  readonly cells: readonly Cell[];
  /** Cells from `first` to before `last` are meant. */
  readonly first: number;
  readonly last: number;
}

function cellsAround({ excerpt, column, line, endLine, endColumn }: Place): Cells {
  const start = Math.min(column - 1, excerpt.length);
  const end = endLine > line ? excerpt.length : Math.min(Math.max(endColumn - 1, start), excerpt.length);
  const from = Math.max(start - reach, 0);
  const to = Math.min(end, start + reach);
  const before = cellsOf(excerpt.slice(from, start), from > 0);
  const meant = cellsOf(excerpt.slice(start, to), false);
  const after = cellsOf(excerpt.slice(to, to + reach), false);
  const hidden = to + reach < excerpt.length ? [ellipsis] : [];
  return {
    cells: [...before, ...meant, ...after, ...hidden],
    first: before.length,
    last: before.length + meant.length,
  };
}

const ellipsis: Cell = { text: '…', width: 1 };

function cellsOf(text: string, isCut: boolean): Cell[] {
  const cells = Array.from(text, (character) => {
    const shown = character === '\t' ? '  ' : printable(character);
    return { text: shown, width: shown === character ? widthOf(character) : shown.length };
  });
  return isCut ? [ellipsis, ...cells] : cells;
}

const combining = /^[\p{Mn}\p{Me}]$/u;
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;

function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  return combining.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

interface Cut {
  readonly text: string;
  /** Columns before the first caret, and columns of carets. */
  readonly before: number;
  readonly under: number;
}

/** All of it, or a window of `room` columns with the caret a third of the way in. */
function cut(cells: readonly Cell[], first: number, last: number, room: number): Cut {
  const isWhole = columns(cells) <= room;
  const start = isWhole ? 0 : stepBack(cells, first, Math.floor(room / 3));
  const end = isWhole ? cells.length : stepForward(cells, start, room - 2);
  const head = start > 0 ? [ellipsis] : [];
  const tail = end < cells.length ? [ellipsis] : [];
  return {
    text: [...head, ...cells.slice(start, end), ...tail].map((cell) => cell.text).join(''),
    before: columns(head) + columns(cells.slice(start, first)),
    under: columns(cells.slice(first, Math.min(last, end))),
  };
}

function stepBack(cells: readonly Cell[], from: number, width: number): number {
  let start = from;
  for (let left = width; start > 0 && left > 0; start--) left -= cells[start - 1]?.width ?? 0;
  return start;
}

function stepForward(cells: readonly Cell[], from: number, width: number): number {
  let end = from;
  for (let left = width; end < cells.length; end++) {
    left -= cells[end]?.width ?? 0;
    if (left < 0) break;
  }
  return end;
}

function columns(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
