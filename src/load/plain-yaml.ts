import { CORE_SCHEMA, loadAll } from 'js-yaml';

/**
 * The short way for what nearly all claims look like. js-yaml reads a claim in a fifth of the time that the `yaml`
 * library takes, but knows no places and gives no advice. So it is asked only for text in which nothing is unusual:
 * no anchors, tags or blocks, no scalar that the versions of YAML read differently, nothing that a finding could be
 * about. Everything else, and whatever it refuses (undefined), is read by `yaml`. A property test compares the two.
 */
export function readPlainYaml(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (!plainText.test(text)) return undefined;
  const bare = text.replace(quoted, 'q');
  if (unusual.some((pattern) => pattern.test(bare)) || !hasPlainBrackets(bare)) return undefined;
  try {
    const documents = loadAll(text, { schema: CORE_SCHEMA });
    return documents.length > 0 && documents.every(isMapping) ? documents : undefined;
  } catch {
    return undefined; // whatever is wrong with it, `yaml` says where
  }
}

/** No tabs, carriage returns, control characters, marks, surrogates, or line breaks that only some readers know. */
const plainText = /^[\n\x20-\x7e\u00a1-\u1fff\u2030-\ud7ff]*$/;

/** Whole values in quotes, without escapes: what is in them is text to every reader. */
const quoted = /(?<=[\s[{,])(?:"[^"\\\n]*"|'[^'\n]*')(?=[ \]},]|$)/gm;

const unusual: readonly RegExp[] = [
  // Anchors, aliases, tags, blocks, explicit keys, directives, reserved characters, merge keys, `...`, text that goes on.
  /(?:^|[\s[{,:-])[&*!|>%@`?](?=\S|\s|$)|<<|^\.\.\.|["'\\]|__proto__/m,
  // Scalars that are no text to every reader, or only look like numbers.
  /(?:^|[\s[{,])(?:y|n|yes|no|on|off|~|=)(?=[\s,\]}:]|$)/im,
  /(?:^|[\s[{,])(?=[-+.]{0,2}[0-9])(?!(?:0|[1-9][0-9]{0,14}|[1-9][0-9]*[A-Za-z]+|[0-9]+(?:\.[0-9]+){2,}(?:-[0-9.]+|\/[0-9]+)?)(?=[\s,\]}]|$))/m,
  /(?:^|[\s[{,])[-+]?\.(?:inf|nan)(?=[\s,\]}]|$)/im,
  // Keys that are no text, or not there.
  /(?:^|[\s[{,])(?:true|false|null|[0-9]+)? *:(?=\s|$)/im,
];

const list = /\[ *(?:[^\s,:{}[\]#]+(?: *, +[^\s,:{}[\]#]+)*)? *\]/g;
const map = /\{ *(?:[A-Za-z][\w./-]*: +[^\s,:{}[\]#]+(?: *, +[A-Za-z][\w./-]*: +[^\s,:{}[\]#]+)*)? *\}/g;

/** Brackets hold words and `key: value` pairs, on one line, to a depth of five: `{a, b: }` has hidden nulls in it. */
function hasPlainBrackets(text: string): boolean {
  let rest = text;
  for (let depth = 0; depth < 5 && /[[{]/.test(rest); depth++) rest = rest.replace(list, 'q').replace(map, 'q');
  return !/[[\]{}]/.test(rest);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
