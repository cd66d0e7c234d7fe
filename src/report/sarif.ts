import { type ProblemCode, problemCodes } from '../validate/codes.ts';
import type { Place, Problem } from '../validate/finding.ts';
import { version } from '../version.ts';

/** Code scanning refuses a file with more results in a run. */
const mostResults = 25_000;

/** Source lines longer than this tell nobody anything. */
const longestSnippet = 500;

const codes = Object.keys(problemCodes) as ProblemCode[];

/** SARIF 2.1.0 of problems, for code scanning. */
export function sarif(problems: readonly Problem[]): string {
  return sarifLog(codes.map(rule), problems.map(result));
}

export interface SarifRule {
  readonly id: string;
  readonly level: SarifLevel;
  readonly short: string;
  readonly full: string;
  readonly help: { readonly text: string; readonly markdown: string };
}

export interface SarifResult {
  readonly rule: string;
  readonly level: SarifLevel;
  readonly message: string;
  readonly place?: Place;
  readonly related: Problem['related'];
}

type SarifLevel = 'error' | 'warning' | 'note';

/**
 * Places count in UTF-16 units, as ours do; paths are relative to the repository. A result must be somewhere for GitHub to
 * take it, so one without a place is put on the settings.
 */
export function sarifLog(rules: readonly SarifRule[], results: readonly SarifResult[]): string {
  const index = new Map(rules.map(({ id }, position) => [id, position]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Quiesce', semanticVersion: version, rules: rules.map(ruleEntry) } },
        invocations: [invocation(results.length)],
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
        columnKind: 'utf16CodeUnits',
        results: results.slice(0, mostResults).map((each) => resultEntry(each, index)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleEntry({ id, level, short, full, help }: SarifRule): object {
  return {
    id,
    shortDescription: { text: short },
    fullDescription: { text: full },
    help,
    defaultConfiguration: { level },
  };
}

function rule(code: ProblemCode): SarifRule {
  const { severity, title, why, remedy } = problemCodes[code];
  return {
    id: code,
    level: severity,
    short: title,
    full: plain(why),
    help: { text: `${plain(why)}\n\n${plain(remedy)}`, markdown: `${why}\n\n${remedy}` },
  };
}

/** Markdown of the code table as text: it has nothing but code spans. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}

function invocation(count: number): object {
  const more = count - mostResults;
  const text = `${more} more results are left out: a run may have ${mostResults}.`;
  return {
    executionSuccessful: true,
    ...(more > 0 && { toolExecutionNotifications: [{ level: 'warning', message: { text } }] }),
  };
}

function result({ code, severity, message, remedy, place, related }: Problem): SarifResult {
  return { rule: code, level: severity, message: `${message}\n${remedy}`, ...(place && { place }), related };
}

function resultEntry(
  { rule: id, level, message, place, related }: SarifResult,
  index: ReadonlyMap<string, number>,
): object {
  const placed = related.filter((other) => other.place !== undefined);
  return {
    ruleId: id,
    ruleIndex: index.get(id) ?? -1,
    level,
    message: { text: message },
    locations: [{ physicalLocation: place === undefined ? artifact('state/settings.yaml') : location(place) }],
    ...(placed.length > 0 && {
      relatedLocations: placed.map((other, number) => ({
        id: number,
        message: { text: other.message },
        ...(other.place && { physicalLocation: location(other.place) }),
      })),
    }),
  };
}

function location(place: Place): object {
  const { file, line, column, endLine, endColumn, excerpt } = place;
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  if (excerpt === '') return { ...artifact(file), region };
  const snippet = { text: excerpt.slice(0, longestSnippet) };
  return { ...artifact(file), region, contextRegion: { startLine: line, endLine: Math.max(line, endLine), snippet } };
}

function artifact(file: string): object {
  const uri = file.split('/').map(encodeSegment).join('/');
  return { artifactLocation: { uri, uriBaseId: '%SRCROOT%' } };
}

/** Half of a surrogate pair, which a file name can contain, has no encoding. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd'));
}
