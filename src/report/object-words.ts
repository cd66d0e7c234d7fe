import { objectInWords } from '../plan/inventory.ts';
import type { FieldDiff, ObjectDiff } from '../plan/object-diff.ts';
import type { UnitDiff } from '../plan/plan.ts';
import type { Json } from '../render/yaml.ts';

export type Sign = '+' | '-' | '~';

const signs = { added: '+', changed: '~', removed: '-' } as const;

/** An object and its fields. Names in them are as people wrote them: whoever prints them escapes them. */
export interface ObjectWords {
  readonly sign: Sign;
  readonly action: ObjectDiff['action'];
  readonly title: string;
  readonly fields: readonly FieldWords[];
}

export interface FieldWords {
  readonly sign: Sign;
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

export function objectWords({ id, action, fields }: ObjectDiff): ObjectWords {
  return { sign: signs[action], action, title: objectInWords(id), fields: fields.map(fieldWords) };
}

function fieldWords({ path, before, after }: FieldDiff): FieldWords {
  return {
    sign: before === undefined ? '+' : after === undefined ? '-' : '~',
    path,
    ...(before !== undefined && { before: valueText(before) }),
    ...(after !== undefined && { after: valueText(after) }),
  };
}

/** `claim/ada on west`. */
export function unitTitle({ unit, cluster }: UnitDiff): string {
  return `${unit}${cluster === '' ? '' : ` on ${cluster}`}`;
}

const longestValue = 200;

/** JSON on one line, cut where it gets long: what matters is at the beginning, the rest is in the manifests. */
function valueText(value: Json): string {
  const text = JSON.stringify(value);
  if (text.length <= longestValue) return text;
  // Never half of a pair of surrogates.
  return `${text.slice(0, longestValue).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}
