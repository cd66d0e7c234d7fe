import { Scalar } from 'yaml';
import type { Finding } from '../validate/finding.ts';
import { twoReadings } from './yaml-traps.ts';

/** What must not come out of escapes in double quotes; line breaks and tabs are ordinary there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

const none: readonly Finding[] = [];

/** What is wrong with one scalar, key or value. */
export function scalarFindings(file: string, scalar: Scalar): readonly Finding[] {
  if (scalar.type === Scalar.QUOTE_DOUBLE) return escapedControl(file, scalar);
  if (scalar.type !== Scalar.PLAIN || scalar.source === undefined) return none;
  const source = scalar.source;
  if (typeof scalar.value === 'number' && !isExact(scalar.value, source)) {
    return [
      {
        code: 'number-not-exact',
        at: range(file, scalar),
        message: `The number \`${source.slice(0, 40)}\` cannot be kept exactly.`,
        remedy: 'Quote it if text is meant; else use a number below 9007199254740992.',
      },
    ];
  }
  return scalar.tag === undefined ? trapped(file, scalar, source) : none;
}

function trapped(file: string, scalar: Scalar, source: string): readonly Finding[] {
  const readings = twoReadings(source);
  if (readings === undefined) return none;
  const other = readings.instead === undefined ? '' : `, or write ${readings.instead}`;
  return [
    {
      code: 'yaml-version-trap',
      at: range(file, scalar),
      message: `\`${source}\` is ${readings.yaml12} in YAML 1.2, as it is read here, but ${readings.yaml11} in YAML 1.1.`,
      remedy: `Quote it (\`"${source}"\`)${other}.`,
    },
  ];
}

function escapedControl(file: string, scalar: Scalar): readonly Finding[] {
  const found = typeof scalar.value === 'string' ? control.exec(scalar.value) : null;
  if (found === null) return none;
  return [
    {
      code: 'control-character',
      at: range(file, scalar),
      message: `The text contains the control character ${codePoint(found[0])}.`,
      remedy: 'Remove the escape that stands for it.',
    },
  ];
}

/** Whole numbers in digits must be safe integers; `1e300` is a float and as exact as floats are. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return !Number.isInteger(value) || /[.eE]/.test(source.replace(/^0x.*/, '')) || Number.isSafeInteger(value);
}

export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function range(file: string, scalar: Scalar): Finding['at'] {
  const start = scalar.range?.[0] ?? 0;
  return { kind: 'range', file, start, end: scalar.range?.[1] ?? start };
}
