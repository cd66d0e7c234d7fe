import { objectInWords } from '../plan/inventory.ts';
import type { Finding, Location } from '../validate/finding.ts';
import { at } from '../validate/finding.ts';
import type { LoadedObject } from './material.ts';
import { objectId } from './objects.ts';
import type { Json } from './yaml.ts';

/** Checks of objects that people or charts bring along: what an applier would only find out on the cluster. */
export function objectFindings(objects: readonly LoadedObject[]): Finding[] {
  const shaped = objects.filter((object) => shapeFindings(object).length === 0);
  return [
    ...objects.flatMap(shapeFindings),
    ...shaped.flatMap(sizeFindings),
    ...shaped.flatMap(metadataFindings),
    ...twice(shaped),
  ];
}

/** Limits of the API server, in bytes: of a request as a whole, and of the data of a ConfigMap or Secret. */
const LARGEST_OBJECT = 1_500_000;
const LARGEST_DATA = 1_048_576;
const LARGEST_ANNOTATIONS = 262_144;

function shapeFindings({ value, origin }: LoadedObject): Finding[] {
  const missing = ['apiVersion', 'kind'].filter((key) => typeof value[key] !== 'string' || value[key] === '');
  if (nameOf(value) === undefined) missing.push('metadata.name');
  if (missing.length === 0) return [];
  return [
    {
      code: 'not-an-object',
      at: at(origin, []),
      message: `This is no Kubernetes object: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      remedy: 'Complete it, or move the file out of the component’s folder.',
    },
  ];
}

function nameOf(value: LoadedObject['value']): string | undefined {
  const { metadata } = value;
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function sizeFindings({ value, origin }: LoadedObject): Finding[] {
  const sizes: readonly (readonly [string, number, number, Location])[] = [
    ['as a whole', bytesOf(value), LARGEST_OBJECT, at(origin, ['metadata', 'name'])],
    [
      'in its data',
      value.kind === 'ConfigMap' || value.kind === 'Secret' ? dataBytes(value) : 0,
      LARGEST_DATA,
      at(origin, ['data'], 'key'),
    ],
    [
      'in its annotations',
      textBytes(field(value.metadata, 'annotations'), 'with keys'),
      LARGEST_ANNOTATIONS,
      at(origin, ['metadata', 'annotations'], 'key'),
    ],
  ];
  return sizes
    .filter(([, size, limit]) => size > limit)
    .map(([where, size, limit, place]) => ({
      code: 'object-too-large',
      at: place,
      message: `${value.kind} ${nameOf(value)} has ${size.toLocaleString('en')} bytes ${where}; the API server takes ${limit.toLocaleString('en')}.`,
      remedy: 'Split the object, or move the data out of it.',
    }));
}

/** As the API server counts: values only, and those in base64 as what they stand for. */
function dataBytes(value: LoadedObject['value']): number {
  const encoded = (map: string): number =>
    Object.values(field(value, map) ?? {}).reduce<number>(
      (sum, text) => sum + Buffer.byteLength(String(text), 'base64'),
      0,
    );
  const data = value.kind === 'Secret' ? encoded('data') : textBytes(field(value, 'data'));
  return data + textBytes(field(value, 'stringData')) + encoded('binaryData');
}

function textBytes(map: { readonly [key: string]: Json } = {}, keys?: 'with keys'): number {
  return Object.entries(map).reduce(
    (sum, [key, text]) => sum + Buffer.byteLength(String(text)) + (keys === undefined ? 0 : Buffer.byteLength(key)),
    0,
  );
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const QUALIFIED_KEY = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Labels and annotations by Kubernetes' grammar: a bad one passes every compile and fails at apply (cdk8s#1338). */
function metadataFindings({ value, origin }: LoadedObject): Finding[] {
  const findings: Finding[] = [];
  for (const map of ['labels', 'annotations'] as const) {
    for (const [key, text] of Object.entries(field(value.metadata, map) ?? {})) {
      const place = at(origin, ['metadata', map, key]);
      if (!QUALIFIED_KEY.test(key))
        findings.push(badLabel(place, `"${key}" is no valid ${map === 'labels' ? 'label' : 'annotation'} key.`));
      if (typeof text !== 'string') findings.push(badLabel(place, `The value of ${map}.${key} must be a string.`));
      else if (map === 'labels' && !LABEL_VALUE.test(text))
        findings.push(badLabel(place, `"${text}" is no valid label value.`));
    }
  }
  return findings;
}

function badLabel(place: Location, message: string): Finding {
  return {
    code: 'object-metadata',
    at: place,
    message,
    remedy:
      'Use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit; quote numbers and booleans.',
  };
}

function twice(objects: readonly LoadedObject[]): Finding[] {
  const seen = new Map<string, LoadedObject>();
  const findings: Finding[] = [];
  for (const object of objects) {
    const id = objectId(object.value as Parameters<typeof objectId>[0]);
    const first = seen.get(id);
    if (first === undefined) seen.set(id, object);
    else
      findings.push({
        code: 'object-twice',
        at: at(object.origin, ['metadata', 'name']),
        message: `${objectInWords(id)} is there twice.`,
        remedy: 'Remove or rename one of the two.',
        related: [{ message: 'the first one', at: at(first.origin, ['metadata', 'name']) }],
      });
  }
  return findings;
}

function field(value: Json | undefined, key: string): { readonly [key: string]: Json } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const inner = (value as { readonly [key: string]: Json })[key];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? (inner as { readonly [key: string]: Json })
    : undefined;
}
