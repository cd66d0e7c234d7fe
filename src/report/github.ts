import { counted } from '../plan/change.ts';
import type { Place, Problem } from '../validate/finding.ts';
import { printable } from './escape.ts';
import { problemsSummary } from './problems.ts';

/** GitHub shows this many of each level for a step and drops the others without a word. */
export const mostOfALevel = 10;

/** Below the limits of 64 KiB for a message and 255 characters for a title. */
const longestMessage = 4000;

/**
 * Workflow commands that show problems next to the changed lines. What a file contains cannot start a command of its own:
 * line breaks are escaped and every line begins with ours.
 */
export function githubAnnotations(problems: readonly Problem[]): string {
  const errors = problems.filter((problem) => problem.severity === 'error');
  const warnings = problems.filter((problem) => problem.severity === 'warning');
  const shown = [...errors.slice(0, mostOfALevel), ...warnings.slice(0, mostOfALevel)];
  const lines = [...shown.map(problemAnnotation), ...summary(problems, shown.length, errors.length, warnings.length)];
  return lines.map((line) => `${line}\n`).join('');
}

function problemAnnotation({ severity, code, message, remedy, place, related }: Problem): string {
  const also = related.map(
    (other) => `${other.place === undefined ? '' : `${other.place.file}:${other.place.line}: `}${other.message}`,
  );
  return annotation({ level: severity, title: code, lines: [message, ...also, remedy], ...(place && { place }) });
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly lines: readonly string[];
  readonly place?: Place;
}

/** One workflow command. */
export function annotation({ level, title, lines, place }: Annotation): string {
  const text = lines.map(printable).join('\n');
  const properties = { ...(place && placeProperties(place)), title };
  return `::${level} ${propertyList(properties)}::${escapeData(text.slice(0, longestMessage))}`;
}

/** Columns only within one line: GitHub ignores the place otherwise. Its end column is the last one meant. */
function placeProperties({ file, line, column, endLine, endColumn }: Place): Readonly<Record<string, string | number>> {
  if (endLine > line) return { file, line, endLine };
  return { file, line, endLine, col: column, endColumn: Math.max(column, endColumn - 1) };
}

function summary(problems: readonly Problem[], shown: number, errors: number, warnings: number): string[] {
  if (problems.length === 0) return [];
  const total = problemsSummary(problems);
  if (shown === problems.length) return [`::notice title=Quiesce::${total}`];
  const hidden = [
    ...(errors > mostOfALevel ? [counted(errors - mostOfALevel, 'error')] : []),
    ...(warnings > mostOfALevel ? [counted(warnings - mostOfALevel, 'warning')] : []),
  ];
  return [`::notice title=Quiesce::${total}. GitHub shows ten of each: ${hidden.join(' and ')} more in the log.`];
}

function propertyList(properties: Readonly<Record<string, string | number>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text.replaceAll(/(?![\r\n])\p{C}/gu, printable))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}
