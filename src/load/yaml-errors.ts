import { type Document, type ErrorCode, isScalar, Scalar, visit, type YAMLError } from 'yaml';
import type { Finding } from '../validate/finding.ts';

/** One mistake can make hundreds of follow-ups; beyond these nobody reads on. */
const shown = 50;

/** What the library reports of one document, in its order, which is nearly the order of the text. */
export function syntaxFindings(file: string, document: Document.Parsed): Finding[] {
  const { errors } = document;
  const findings = errors.slice(0, shown).map((error) => syntaxFinding(file, error, document));
  const last = findings.at(-1);
  if (last !== undefined && errors.length > shown) {
    findings.push({
      code: 'yaml-syntax',
      at: last.at,
      message: `${errors.length - shown} more mistakes follow; they are probably consequences of the ones before.`,
      remedy: 'Mend the first ones and run again.',
    });
  }
  return findings;
}

function syntaxFinding(file: string, error: YAMLError, document: Document.Parsed): Finding {
  const [start, end] = error.pos;
  const opening = /end with a [}\]]|Missing closing/.test(error.message) ? lastOpened(document, start) : undefined;
  return {
    code: error.code === 'TAB_AS_INDENT' ? 'tab-indentation' : 'yaml-syntax',
    at: { kind: 'range', file, start, end },
    message: sentence(error.message),
    remedy: remedyOf(error),
    ...(opening !== undefined && {
      related: [{ message: 'It is opened here.', at: { kind: 'range', file, start: opening, end: opening + 1 } }],
    }),
  };
}

/**
 * A quote or bracket that is never closed is noticed at the end, far from where it has to be mended. Of those that begin
 * before, it is the one that reaches furthest.
 */
function lastOpened(document: Document.Parsed, before: number): number | undefined {
  let opening: number | undefined;
  let furthest = 0;
  visit(document, {
    Value: (_, node) => {
      const isOpened = isScalar(node)
        ? node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE
        : node.flow;
      const [start, end] = node.range ?? [before, before];
      if (isOpened !== true || start >= before || end <= furthest) return;
      opening = start;
      furthest = end;
    },
  });
  return opening;
}

/** The library ends some messages with the offending token, which can be the rest of the file. */
function sentence(message: string): string {
  const text = message.replace(/^Missing closing (["'])quote$/, 'The closing $1 is missing');
  const cut = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

function remedyOf({ code, message }: YAMLError): string {
  if (/followed by map values/.test(message)) return 'End the key with a colon, or remove the line.';
  if (/end with a [}\]]/.test(message)) return 'Add the closing bracket, and indent every line up to it.';
  return remedies[code] ?? 'Mend the YAML here.';
}

const remedies: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'Remove the tag or anchor in front of the alias.',
  BAD_ALIAS: 'Quote the text if it is not meant as an anchor (`&name`) or an alias (`*name`).',
  BAD_DIRECTIVE: 'Remove the line that begins with `%`.',
  BAD_DQ_ESCAPE: 'Double the backslash, or use single quotes, in which a backslash is an ordinary character.',
  BAD_INDENT: 'Indent the line like its neighbours: keys of one mapping start at the same column.',
  BAD_SCALAR_START: 'Quote the text: it begins with a character that YAML reserves.',
  BLOCK_AS_IMPLICIT_KEY: 'Quote the text if it contains `: `; else begin a new line, indented further, after the key.',
  BLOCK_IN_FLOW: 'Use `{}` and `[]` all the way inside of brackets, or no brackets.',
  KEY_OVER_1024_CHARS: 'Shorten the key; a missing quote or colon makes the text before it the key.',
  MISSING_CHAR: 'Add the missing character; a quote or bracket that was opened must be closed.',
  MULTILINE_IMPLICIT_KEY:
    'Keep each key on one line and end it with a colon; the colon is missing here, or the next line is indented too far.',
  MULTIPLE_ANCHORS: 'Keep one anchor.',
  MULTIPLE_TAGS: 'Keep one tag.',
  TAB_AS_INDENT: 'Replace the tab by spaces.',
  UNEXPECTED_TOKEN: 'Remove it, or quote the text around it.',
};
