import type { DataPath } from './finding.ts';
import { shown } from './grammar/fault.ts';

/** A path as people write it: `spec.sleepSchedules[0].sleep`, `metadata.annotations["example.com/x"]`. */
export function pathText(path: DataPath): string {
  const text = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_$][\w$-]{0,79}$/.test(step) ? `.${step}` : `[${shown(step)}]`;
  });
  return text.join('').replace(/^\./, '');
}

/** A value in words that fit "must be text, not …". */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return `the text ${shown(value)}`;
  return typeof value === 'number' ? `the number ${value}` : `\`${String(value)}\``;
}

/** `a`, `a or b`, `a, b or c`. */
export function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
