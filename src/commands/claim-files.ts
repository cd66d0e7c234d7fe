import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type ClaimInText, claimsIn } from '../edit/claim.ts';
import { sourceKind } from '../load/documents.ts';

/** A claim in the file that declares it. */
export interface ClaimAt extends ClaimInText {
  /** Relative to the root, with `/`. */
  readonly file: string;
}

/** What is known of the claims of a work tree after looking for some of them. */
export interface ClaimSearch {
  readonly found: ReadonlyMap<string, readonly ClaimAt[]>;
  /** Texts of the files that hold the found claims. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that mention a name but cannot be read as YAML, by name. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Names of all claims there seem to be, for "did you mean". */
  readonly names: readonly string[];
}

/**
 * Looks for claims by name. Only files that mention a name are parsed: putting one of ten thousand claims to sleep
 * must neither take seconds nor fail because of a mistake in another file.
 */
export function searchClaims(root: string, names: readonly string[]): ClaimSearch {
  const found = new Map<string, ClaimAt[]>();
  const texts = new Map<string, string>();
  const unreadable = new Map<string, string>();
  const seen = new Set<string>();
  for (const file of claimFiles(root, 'state/claims')) {
    const text = readText(join(root, file));
    for (const name of namesIn(text ?? '')) seen.add(name);
    const mentioned = names.filter((name) => text?.includes(name) ?? file.endsWith(`/${name}.yaml`));
    if (mentioned.length === 0) continue;
    const claims = text === undefined ? [] : claimsIn(text);
    for (const claim of claims.filter(({ name }) => mentioned.includes(name))) {
      found.set(claim.name, [...(found.get(claim.name) ?? []), { ...claim, file }]);
      if (text !== undefined) texts.set(file, text);
    }
    if (claims.length === 0) for (const name of mentioned) unreadable.set(name, file);
  }
  return { found, texts, unreadable, names: [...seen] };
}

/** Sorted, so that every message names the same file first. A link is followed only within `state/`. */
function claimFiles(root: string, folder: string): string[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(join(root, folder));
  } catch {
    return []; // no such folder: no claims
  }
  return entries.flatMap((entry): string[] => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return claimFiles(root, path);
    if (sourceKind(path) !== 'claim') return [];
    return entry.isFile() || (entry.isSymbolicLink() && staysInState(root, path)) ? [path] : [];
  });
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function staysInState(root: string, path: string): boolean {
  try {
    return realpathSync(join(root, path)).startsWith(realpathSync(join(root, 'state')) + sep);
  } catch {
    return false;
  }
}

/** With its byte order mark, which an edit must keep; undefined when it is no UTF-8. */
function readText(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** Good enough for suggestions: `name` right below `metadata`, as nearly everybody writes it. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/^metadata:[^\n]*\n(?:\s*#[^\n]*\n)*\s+name:\s*["']?([^\s"'#]+)/gm)].map(
    ([, name]) => name ?? '',
  );
}
