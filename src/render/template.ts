import { type Json, toYaml, writeScalar } from './yaml.ts';

/**
 * Rendering by example. Thousands of claims differ only in their names; building constructs for each costs half a
 * millisecond and quoting their strings as much again. So objects are built and written once per *shape*, with
 * placeholders where a claim's own strings go, and that text is filled in for each claim.
 *
 * It is correct as long as whoever builds the objects only places those strings (alone or inside a template literal)
 * and never measures, cuts, hashes or compares them: `constructs/claim-props.ts` makes every derived string
 * beforehand, and a property test compares filled templates with direct rendering.
 */
export interface Template {
  /** Literal text and, in between, scalars to be made from the claim's strings. */
  readonly parts: readonly (string | Hole)[];
  /** Object ids, each made of literal text and fields. */
  readonly objects: readonly Composite[];
}

interface Hole {
  readonly text: Composite;
  readonly indent: string;
}

/** Literal, field, literal, field, …, literal. */
type Composite = readonly string[];

export interface Filled {
  readonly text: string;
  readonly objects: readonly string[];
}

// Private-use characters: never part of a valid name; state that contains them is rendered without a template.
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = '\ue002';
const PLACEHOLDER = /\ue000([A-Za-z0-9]+)\ue001/;

export function mentionsPlaceholders(text: string): boolean {
  return text.includes(OPEN) || text.includes(CLOSE) || text.includes(MARK);
}

/** The same fields, each holding its own placeholder. */
export function placeholders<Text extends Readonly<Record<string, string>>>(text: Text): Text {
  return Object.fromEntries(Object.keys(text).map((field) => [field, `${OPEN}${field}${CLOSE}`])) as Text;
}

export function makeTemplate(documents: readonly Json[], objects: readonly string[]): Template {
  const holes: Hole[] = [];
  const scalar = (text: string, indent: string): string => {
    if (!text.includes(OPEN)) return writeScalar(text, indent);
    holes.push({ text: text.split(PLACEHOLDER), indent });
    return MARK;
  };
  const text = documents.map((document) => toYaml(document, scalar)).join('---\n');
  const parts: (string | Hole)[] = [];
  text.split(MARK).forEach((literal, index) => {
    const hole = holes[index];
    parts.push(literal);
    if (hole !== undefined) parts.push(hole);
  });
  return { parts, objects: objects.map((id) => id.split(PLACEHOLDER)) };
}

export function fillTemplate(template: Template, text: Readonly<Record<string, string>>): Filled {
  let out = '';
  for (const part of template.parts) {
    out += typeof part === 'string' ? part : writeScalar(compose(part.text, text), part.indent);
  }
  return { text: out, objects: template.objects.map((id) => compose(id, text)) };
}

function compose(composite: Composite, text: Readonly<Record<string, string>>): string {
  return composite.map((part, index) => (index % 2 === 0 ? part : (text[part] ?? ''))).join('');
}
