import type { Finding } from '../validate/finding.ts';
import type { DecodedText } from './text.ts';
import { codePoint } from './yaml-scalar.ts';

/**
 * Control characters, a carriage return that ends no line, and the line breaks that YAML 1.1 knows and 1.2 does not:
 * after one of those a comment would go on for us and be content for others.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]|\r(?!\n)/g;

/** Beyond these the file is binary and the rest says nothing new. */
const shown = 20;

export function textFindings(file: string, text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: character, index } of text.matchAll(forbidden)) {
    if (findings.length === shown) break;
    findings.push({
      code: 'control-character',
      at: { kind: 'range', file, start: index, end: index + 1 },
      message: `The character ${codePoint(character)}${names.get(character) ?? ''} is not allowed in YAML.`,
      remedy: 'Delete it; it cannot be seen in most editors.',
    });
  }
  return findings;
}

const names = new Map([
  ['\0', ' (zero)'],
  ['\r', ' (carriage return without line feed)'],
  ['\x1b', ' (escape)'],
  ['\x85', ' (next line)'],
  ['\u2028', ' (line separator)'],
  ['\u2029', ' (paragraph separator)'],
]);

/** What `git merge` leaves of lines that both sides changed; the ancestor's part is there in its diff3 style only. */
const conflict = /^<{7}(?: .*)?\r?\n(?:.*\n)*?={7}\r?\n(?:.*\n)*?>{7}(?: .*)?$/gm;

/** One for each conflict. To YAML its markers are several mistakes each, none of which says what happened. */
export function conflictFindings(file: string, text: string): Finding[] {
  return [...text.matchAll(conflict)].slice(0, shown).map(({ index }) => ({
    code: 'merge-conflict',
    at: { kind: 'range', file, start: index, end: index + 7 },
    message: 'A merge conflict begins here that nobody has resolved.',
    remedy: 'Keep what is right of both sides, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>.',
  }));
}

export function encodingFinding(file: string, fault: NonNullable<DecodedText['fault']>): Finding {
  if (fault.kind === 'utf-16') {
    const message = 'The file is encoded as UTF-16, not UTF-8.';
    return { code: 'not-utf8', at: { kind: 'file', file }, message, remedy: 'Save it as UTF-8.' };
  }
  return {
    code: 'not-utf8',
    at: { kind: 'range', file, start: fault.offset, end: fault.offset + 1 },
    message: `The byte 0x${fault.byte.toString(16).toUpperCase().padStart(2, '0')} is not UTF-8 here.`,
    remedy: 'Save the file as UTF-8; it is probably Latin-1 or Windows-1252 now.',
  };
}
