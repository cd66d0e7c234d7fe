import type { $ZodType, $ZodTypes } from 'zod/v4/core';
import type { DataPath } from './finding.ts';

/** What a schema allows somewhere inside of it: zod's issues do not say, but a suggestion has to choose from it. */
export function allowedKeys(schema: $ZodType, path: DataPath, value: unknown): readonly string[] {
  const shapes = schemasAt(schema, path, value).map((candidate) => shapeOf(candidate));
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
}

/** `z.int()` tells a text only that it is no number. */
export function isWholeNumber(schema: $ZodType, path: DataPath, value: unknown): boolean {
  return schemasAt(schema, path, value).some((candidate) => {
    const { def } = candidate._zod;
    if (def.type !== 'number') return false;
    return 'format' in def || (def.checks ?? []).some((check) => check._zod.def.check === 'number_format');
  });
}

function schemasAt(schema: $ZodType, path: DataPath, value: unknown): readonly $ZodTypes[] {
  let candidates = narrowed(concrete(schema, 0), value);
  let inside = value;
  for (const step of path) {
    inside = childOf(inside, step);
    const steps = candidates.flatMap((candidate) => stepInto(candidate, step) ?? []);
    candidates = narrowed(
      steps.flatMap((each) => concrete(each, 0)),
      inside,
    );
  }
  return candidates;
}

function childOf(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[step];
}

export function valueAt(value: unknown, path: DataPath): unknown {
  return path.reduce(childOf, value);
}

/** Without what wraps it (optional, default, pipe, …), and a union as its options. Bounded: lazy schemas may loop. */
function concrete(schema: $ZodType, depth: number): readonly $ZodTypes[] {
  if (depth > 20) return [];
  const known = schema as $ZodTypes;
  const { def } = known._zod;
  if ('innerType' in def) return concrete(def.innerType, depth + 1);
  switch (def.type) {
    case 'pipe':
      return concrete((def.in as $ZodTypes)._zod.def.type === 'transform' ? def.out : def.in, depth + 1);
    case 'lazy':
      return concrete(def.getter(), depth + 1);
    case 'union':
      return def.options.flatMap((option) => concrete(option, depth + 1));
    case 'intersection':
      return [...concrete(def.left, depth + 1), ...concrete(def.right, depth + 1)];
    default:
      return [known];
  }
}

function stepInto(schema: $ZodTypes, step: string | number): $ZodType | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return shapeOf(schema)[step] ?? def.catchall;
    case 'record':
      return def.valueType;
    case 'array':
      return def.element;
    case 'tuple':
      return def.items[Number(step)] ?? def.rest ?? undefined;
    default:
      return undefined;
  }
}

function shapeOf(schema: $ZodTypes): Readonly<Record<string, $ZodType>> {
  const { def } = schema._zod;
  return def.type === 'object' ? def.shape : {};
}

/** Of several mappings, those whose fixed values (`kind: …`) the value does not contradict. */
function narrowed(candidates: readonly $ZodTypes[], value: unknown): readonly $ZodTypes[] {
  const fitting = candidates.filter((candidate) =>
    Object.entries(shapeOf(candidate)).every(([key, field]) => {
      const { def } = (field as $ZodTypes)._zod;
      const given = childOf(value, key);
      return def.type !== 'literal' || given === undefined || (def.values as readonly unknown[]).includes(given);
    }),
  );
  return fitting.length > 0 ? fitting : candidates;
}
