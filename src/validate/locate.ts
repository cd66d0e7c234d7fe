import { decodeText } from '../load/text.ts';
import { severityOf } from './codes.ts';
import type { Finding, Location, Place, Problem } from './finding.ts';
import { type OpenFile, openFile, placeOfRange } from './open-file.ts';
import { rangeOfValue } from './value-range.ts';

/**
 * Looks up where findings belong, and brings them into the order in which they are shown. Only files that have a finding
 * are opened, and parsed only where a value has to be found in them. `read` gives undefined for a file that is not there.
 */
export function locate(findings: readonly Finding[], read: (file: string) => Uint8Array | undefined): Problem[] {
  const files = new Files(read);
  const problems = new Map<string, Problem>();
  for (const finding of findings) {
    const problem = locateOne(finding, files);
    problems.set(JSON.stringify(problem), problem);
  }
  return [...problems].sort(byPlace).map(([, problem]) => problem);
}

/** Where each of some locations is; undefined for nowhere. Neighbours of one file cost one reading of it. */
export function locatePlaces(
  locations: readonly Location[],
  read: (file: string) => Uint8Array | undefined,
): (Place | undefined)[] {
  const files = new Files(read);
  return locations.map((at) => placed(at, files).place);
}

/** The last few files read: findings of one file come one after the other, and there can be ten thousand files. */
class Files {
  readonly #read: (file: string) => Uint8Array | undefined;
  readonly #open = new Map<string, OpenFile>();

  constructor(read: (file: string) => Uint8Array | undefined) {
    this.#read = read;
  }

  get(file: string): OpenFile {
    const known = this.#open.get(file);
    if (known !== undefined) return known;
    const opened = openFile(decodeText(this.#read(file) ?? new Uint8Array()).text);
    for (const oldest of this.#open.keys()) if (this.#open.size >= 20) this.#open.delete(oldest);
    this.#open.set(file, opened);
    return opened;
  }
}

function locateOne(finding: Finding, files: Files): Problem {
  return {
    code: finding.code,
    severity: severityOf(finding.code),
    message: finding.message,
    remedy: finding.remedy,
    ...placed(finding.at, files),
    related: (finding.related ?? []).map(({ message, at }) => ({ message, ...placed(at, files) })),
  };
}

function placed(at: Location, files: Files): { readonly place?: Place } {
  switch (at.kind) {
    case 'nowhere':
      return {};
    case 'file':
      return { place: { file: at.file, line: 1, column: 1, endLine: 1, endColumn: 1, excerpt: '' } };
    case 'range':
      return { place: placeOfRange(at.file, files.get(at.file), at) };
    case 'value': {
      const open = files.get(at.file);
      const document = open.document(at.document);
      const range = document === undefined ? { start: 0, end: 0 } : rangeOfValue(document, at.path, at.on);
      return { place: placeOfRange(at.file, open, range) };
    }
  }
}

/** Code units and never the locale; the whole problem as text decides last, so that the order is total. */
function byPlace([aText, a]: readonly [string, Problem], [bText, b]: readonly [string, Problem]): number {
  return (
    compare(a.place?.file ?? '', b.place?.file ?? '') ||
    compare(a.place?.line ?? 0, b.place?.line ?? 0) ||
    compare(a.place?.column ?? 0, b.place?.column ?? 0) ||
    compare(a.code, b.code) ||
    compare(a.message, b.message) ||
    compare(aText, bText)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
