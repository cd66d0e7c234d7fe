import type { Document } from 'yaml';
import { parseYaml } from '../load/yaml-syntax.ts';
import type { Place } from './finding.ts';

/** A decoded file in which places are looked up. Its documents are parsed when the first one is asked for. */
export interface OpenFile {
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lines: readonly number[];
  readonly document: (index: number) => Document.Parsed | undefined;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export function openFile(text: string): OpenFile {
  const lines = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  let documents: readonly Document.Parsed[] | undefined;
  const parsed = (): readonly Document.Parsed[] => {
    const syntax = parseYaml(text);
    return syntax.kind === 'documents' ? syntax.documents : [];
  };
  return {
    text,
    lines,
    document: (index) => {
      documents ??= parsed();
      return documents[index];
    },
  };
}

/**
 * Never points outside of the text, whatever the range says, and never at the blanks and line breaks at its end: what is
 * missing at the end of the file is shown behind the last character, not on an empty line.
 */
export function placeOfRange(file: string, open: OpenFile, range: TextRange): Place {
  const isAtEnd = range.start >= open.text.length;
  const start = isAtEnd ? endOfContent(open.text, 0, open.text.length) : Math.max(range.start, 0);
  const end = endOfContent(open.text, start, Math.min(Math.max(range.end, start), open.text.length));
  const from = position(open, start);
  const to = position(open, end);
  const { line, column } = from;
  return { file, line, column, endLine: to.line, endColumn: to.column, excerpt: lineText(open, line) };
}

function endOfContent(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && ' \t\r\n'.includes(text.charAt(last - 1))) last--;
  return last;
}

function position(open: OpenFile, offset: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = open.lines.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((open.lines[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  const line = low + 1;
  return { line, column: Math.min(offset - (open.lines[low] ?? 0), lineText(open, line).length) + 1 };
}

/** Without its line break, which on some files is `\r\n`. */
function lineText(open: OpenFile, line: number): string {
  const text = open.text.slice(open.lines[line - 1], (open.lines[line] ?? open.text.length + 1) - 1);
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
