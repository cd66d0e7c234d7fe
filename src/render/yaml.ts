/**
 * Writes plain JSON data as YAML that reads back the same under YAML 1.1, YAML 1.2 and Go's rules
 * (sigs.k8s.io/yaml), in Kubernetes' usual layout. The `yaml` library's stringifier is 15 times slower on the same
 * objects and, in 1.1 mode, leaves `0o17`, `0X1F` and the like unquoted, which Go reads as numbers (gitops.md).
 *
 * The rule for strings is a short list of what may stand unquoted; everything else is double-quoted as JSON,
 * or a literal block where it has lines.
 */

/** How a string is written; replaced while a template is made (see `template.ts`). */
export type ScalarWriter = (text: string, indent: string) => string;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export function toYaml(value: Json, scalar: ScalarWriter = writeScalar): string {
  const text = isCollection(value) && !isEmpty(value) ? writeBlock(value, '', scalar) : writeFlat(value, '', scalar);
  return `${text}\n`;
}

/** Starts with a letter or `/`, so no number, date or indicator; ends with no colon; no `: ` or ` #` inside. */
const PLAIN = /^[A-Za-z/](?:[A-Za-z0-9_./@%+=-]|:(?=[A-Za-z0-9_./@%+=-])|[ ](?=[A-Za-z0-9_./]))*$/;
/** What YAML 1.1 or Go read as a boolean, null or (the `yaml` library in 1.1 mode) number though it starts with a letter. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[0-9_]+)$/i;
/** Legal in JSON, but line breaks, byte order marks or not printable in YAML. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** A literal block keeps these bytes exactly: no leading blank, one final line feed or none, nothing unprintable. */
const BLOCK = /^[^\s\p{Cc}](?:[^\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]|[\n\t])*$/u;
/** Blanks at the end of a line are easily lost by editors; more than one final line feed needs another indicator. */
const AWKWARD_END = /[ \t](?:\n|$)|\n\n$/;
/** YAML allows implicit keys of up to 1,024 characters. */
const LONGEST_KEY = 1000;

export function writeScalar(text: string, indent: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  if (text.includes('\n') && BLOCK.test(text) && !AWKWARD_END.test(text)) return writeLiteral(text, indent);
  return JSON.stringify(text).replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function writeLiteral(text: string, indent: string): string {
  const chomp = text.endsWith('\n') ? '' : '-';
  const lines = (chomp === '' ? text.slice(0, -1) : text).split('\n');
  const inner = indent === '' ? '  ' : indent;
  return `|${chomp}\n${lines.map((line) => (line === '' ? '' : inner + line)).join('\n')}`;
}

function writeFlat(value: Json, indent: string, scalar: ScalarWriter): string {
  if (typeof value === 'string') return scalar(value, indent);
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : String(value);
}

/** `1e+21` is a number to YAML 1.2 but a string to 1.1, which wants a dot. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as YAML or JSON`);
  const text = Object.is(value, -0) ? '0' : String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

function writeBlock(value: Json, indent: string, scalar: ScalarWriter): string {
  if (Array.isArray(value)) {
    return value.map((item: Json) => `- ${writeItem(item, `${indent}  `, scalar)}`).join(`\n${indent}`);
  }
  const lines: string[] = [];
  for (const [key, item] of Object.entries(value as { readonly [key: string]: Json | undefined })) {
    if (item !== undefined) lines.push(writeEntry(key, item, indent, scalar));
  }
  return lines.join(`\n${indent}`);
}

function writeEntry(key: string, item: Json, indent: string, scalar: ScalarWriter): string {
  const name = key.includes('\n') ? JSON.stringify(key) : scalar(key, indent);
  const start = key.length > LONGEST_KEY ? `? ${name}\n${indent}:` : `${name}:`;
  if (!isCollection(item) || isEmpty(item)) return `${start} ${writeFlat(item, `${indent}  `, scalar)}`;
  const inner = Array.isArray(item) ? indent : `${indent}  `;
  return `${start}\n${inner}${writeBlock(item, inner, scalar)}`;
}

function writeItem(item: Json, indent: string, scalar: ScalarWriter): string {
  return isCollection(item) && !isEmpty(item) ? writeBlock(item, indent, scalar) : writeFlat(item, indent, scalar);
}

function isCollection(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return Object.values(value as object).every((item) => item === undefined);
}
