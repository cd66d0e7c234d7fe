import { type Fault, shown } from './fault.ts';
import { labelValueFault } from './labels.ts';
import { qualifiedNameFault } from './names.ts';

/** Splits at commas that are not between brackets. */
const comma = /,(?![^(]*\))/;
const forms = [
  /^(?<key>[^\s!=,()]+)\s*(?:==|=|!=)\s*(?<values>[^\s!=,()]*)$/,
  /^(?<key>[^\s!=,()]+)\s+(?:in|notin)\s+\((?<values>[^()]+)\)$/,
  /^!?\s*(?<key>[^\s!=,()]+)$/,
];

/** A label selector as `kubectl -l` takes it. An empty one selects everything and is refused. */
export function selectorFault(text: string): Fault | undefined {
  if (text.trim() === '') {
    return {
      code: 'selector-selects-all',
      message: 'An empty selector selects every object of these kinds.',
      remedy: 'Select by a label that only this component carries, for example "app.kubernetes.io/part-of=shop".',
    };
  }
  for (const term of text.split(comma)) {
    const why = termFault(term.trim());
    if (why !== undefined) return invalid(text, why);
  }
  return undefined;
}

function termFault(term: string): string | undefined {
  const groups = forms.map((form) => form.exec(term)?.groups).find((found) => found !== undefined);
  if (groups?.key === undefined) return `${shown(term)} cannot be read`;
  if (qualifiedNameFault(groups.key) !== undefined) return `${shown(groups.key)} is no label key`;
  const values = (groups.values ?? '').split(',').map((value) => value.trim());
  const bad = values.find((value) => labelValueFault(value) !== undefined);
  return bad === undefined ? undefined : `${shown(bad)} is no label value`;
}

function invalid(text: string, why: string): Fault {
  return {
    code: 'selector-invalid',
    message: `${shown(text)} is no label selector: ${why}.`,
    remedy: 'Write for example "app=shop,tier in (web, worker)".',
  };
}
