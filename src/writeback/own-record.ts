import type { PlainValue } from '../edit/plain-value.ts';
import type { LoadedFile } from '../load/documents.ts';
import { newRecordText } from './record-text.ts';

/**
 * A record as nobody but us has written it, read in a tenth of the time that a YAML reader takes: there is one for each
 * claim, and every run of the runner reads them all. What is read is written again, and counts only if that gives the
 * very same text; everything else is for a YAML reader (undefined).
 */
export function readOwnRecord(path: string, bytes: Uint8Array): LoadedFile | undefined {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split('\n');
  const start = lines.indexOf('spec:');
  const name = /^ {2}name: (.+)$/.exec(lines[start - 1] ?? '')?.[1];
  if (start < 1 || name === undefined || lines.at(-1) !== '') return undefined;
  const spec = new Lines(lines.slice(start + 1, -1)).map(2);
  if (spec === undefined || newRecordText(name, spec) !== text) return undefined;
  const value = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'Record', metadata: { name }, spec };
  return { path, kind: 'record', documents: [{ origin: { file: path, document: 0 }, value }], findings: [] };
}

type PlainMap = Record<string, PlainValue>;

/** Our own block style: maps and lists indented by two, strings plain or as in JSON. Undefined for anything else. */
class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  map(indent: number, first?: string): PlainMap | undefined {
    const map: PlainMap = {};
    for (let text = first ?? this.#take(indent); text !== undefined; text = this.#take(indent)) {
      const [, key, scalar] = /^([A-Za-z]+):(?: (.+))?$/.exec(text) ?? [];
      const value = scalar === undefined ? this.#below(indent + 2) : scalarOf(scalar);
      if (key === undefined || value === undefined) return undefined;
      map[key] = value;
    }
    return this.#isAtEndOf(indent) ? map : undefined;
  }

  #below(indent: number): PlainValue | undefined {
    return this.#peek(indent)?.startsWith('- ') === true ? this.#list(indent) : this.map(indent);
  }

  #list(indent: number): PlainValue | undefined {
    const items: PlainValue[] = [];
    for (let text = this.#take(indent); text !== undefined; text = this.#take(indent)) {
      const item = text.slice(2);
      const value = /^[A-Za-z]+:(?: |$)/.test(item) ? this.map(indent + 2, item) : scalarOf(item);
      if (!text.startsWith('- ') || value === undefined) return undefined;
      items.push(value);
    }
    return items;
  }

  /** The next line without its indentation, if that is this one. */
  #peek(indent: number): string | undefined {
    const line = this.#lines[this.#at];
    const isHere = line?.startsWith(' '.repeat(indent)) === true && line.charAt(indent) !== ' ';
    return isHere ? line?.slice(indent) : undefined;
  }

  #take(indent: number): string | undefined {
    const text = this.#peek(indent);
    if (text !== undefined) this.#at += 1;
    return text;
  }

  #isAtEndOf(indent: number): boolean {
    const line = this.#lines[this.#at];
    return line === undefined || !line.startsWith(' '.repeat(indent));
  }
}

function scalarOf(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}
