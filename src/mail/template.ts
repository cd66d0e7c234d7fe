/** Words to put in, by name; an empty one counts as not there. */
export type TemplateValues = Readonly<Record<string, string>>;

/** What is wrong with a template, in words for whoever wrote it. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';
}

const section = /^[ \t]*\{\{([#^])([a-zA-Z]+)\}\}[ \t]*\r?\n([\s\S]*?)^[ \t]*\{\{\/\2\}\}[ \t]*(?:\r?\n|$)/gm;
const placeholder = /\{\{\{?([^{}]*)\}?\}\}/g;

/**
 * A small part of mustache: `{{name}}`, and lines between `{{#name}}` and `{{/name}}` that stay only where there is such
 * a value (`{{^name}}`: only where there is none). Sections do not nest. Throws TemplateFault.
 */
export function fill(template: string, values: TemplateValues): string {
  return fillNames(chooseSections(template, values), values);
}

/** Only the sections: what is left has the structure of the result, whatever the values hold. */
export function chooseSections(template: string, values: TemplateValues): string {
  return template.replace(section, (_, kind: string, name: string, inner: string) => {
    const isThere = (known(values, name) ?? unknownName(name, values)) !== '';
    return isThere === (kind === '#') ? inner : '';
  });
}

/** Only the names. */
export function fillNames(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string) => known(values, name.trim()) ?? unknownName(name, values));
}

function known(values: TemplateValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function unknownName(name: string, values: TemplateValues): never {
  throw new TemplateFault(`it uses {{${name}}}; there is ${Object.keys(values).join(', ')}`);
}

/**
 * One line, whatever came in: a name with line ends would start new headers in a mail and new properties in a calendar,
 * and marks that turn the direction of writing would make a date read as another.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
