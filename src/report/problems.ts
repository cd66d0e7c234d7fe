import { counted } from '../plan/change.ts';
import type { Place, Problem } from '../validate/finding.ts';
import { printable } from './escape.ts';
import { excerptLines } from './excerpt.ts';
import type { Style } from './style.ts';

/** Problems for people: each with its place, the source line, a caret, and what to do. Ends with the counts. */
export function problemText(problems: readonly Problem[], style: Style, width = 120): string {
  const blocks = problems.map((problem) => `${problemLines(problem, style, width).join('\n')}\n`);
  return [...blocks, `${problemsSummary(problems)}\n`].join('\n');
}

/** `3 problems: 2 errors, 1 warning`. */
export function problemsSummary(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'no problems';
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const parts = [counted(errors, 'error'), counted(problems.length - errors, 'warning')];
  return `${counted(problems.length, 'problem')}: ${parts.filter((part) => !part.startsWith('0 ')).join(', ')}`;
}

function problemLines(problem: Problem, style: Style, width: number): string[] {
  const { code, severity, message, remedy, place, related } = problem;
  const mark = severity === 'error' ? style.red : style.yellow;
  // More lines are what another program said, such as a server that refused a push. A CI system takes a line that begins
  // with "::" for an order to it, blanks or not: hence the bar.
  const [first = '', ...more] = message.split('\n').map(printable);
  const head = `${mark(`${severity} ${code}`)}  ${style.bold(first)}`;
  return [
    ...(place === undefined ? [head] : [style.cyan(placeText(place)), `  ${head}`]),
    ...more.map((line) => `  | ${line}`),
    ...(place === undefined ? [] : excerptLines(place, width).map((line) => `  ${markCaret(line, mark, style)}`)),
    ...related.map((other) => `  ${style.dim(relatedText(other))}`),
    `  → ${printable(remedy)}`,
  ];
}

/** `state/claims/ada.yaml:7:3`; a place that is a whole file has no line to point at. */
function placeText(place: Place): string {
  const file = printable(place.file);
  return isWholeFile(place) ? file : `${file}:${place.line}:${place.column}`;
}

function isWholeFile({ line, column, endLine, endColumn, excerpt }: Place): boolean {
  return excerpt === '' && line === 1 && column === 1 && endLine === 1 && endColumn === 1;
}

function relatedText({ message, place }: Problem['related'][number]): string {
  return place === undefined ? printable(message) : `${placeText(place)}: ${printable(message)}`;
}

function markCaret(
  { gutter, text, isCaret }: ReturnType<typeof excerptLines>[number],
  mark: Style['red'],
  style: Style,
): string {
  return `${style.dim(gutter)}${isCaret ? mark(text) : text}`;
}
