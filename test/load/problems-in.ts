import { type LoadedFile, loadFile } from '../../src/load/documents.ts';
import type { Problem } from '../../src/validate/finding.ts';
import { locate } from '../../src/validate/locate.ts';

export interface LoadedText {
  readonly file: LoadedFile;
  readonly problems: readonly Problem[];
}

/** Loads a text or bytes as the file of that path and looks its problems up in it. */
export function loadText(path: string, content: string | Uint8Array): LoadedText {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const file = loadFile(path, bytes);
  return { file, problems: locate(file.findings, (asked) => (asked === path ? bytes : undefined)) };
}

/** `2:1-2:4 duplicate-key: …` for each problem. */
export function problemsIn(path: string, content: string | Uint8Array): string[] {
  return loadText(path, content).problems.map(({ place, code, message }) => {
    const where = place === undefined ? 'nowhere' : `${place.line}:${place.column}-${place.endLine}:${place.endColumn}`;
    return `${where} ${code}: ${message}`;
  });
}
