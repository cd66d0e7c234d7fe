import { type Fault, shown } from './fault.ts';
import { qualifiedNameFault } from './names.ts';

const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
/** Of all keys and values of one object's annotations, in bytes (apimachinery `TotalAnnotationSizeLimitB`). */
const annotationLimit = 262_144;

type Entries = Readonly<Record<string, string>>;

export function labelValueFault(text: string): Fault | undefined {
  if (text.length <= 63 && labelValue.test(text)) return undefined;
  const why =
    text.length > 63
      ? `it has ${text.length} characters, 63 are allowed`
      : 'letters, digits, "-", "_" and "." are allowed, starting and ending with a letter or digit';
  return {
    code: 'label-value-invalid',
    message: `${shown(text)} is no valid label value: ${why}.`,
    remedy: 'Shorten or respell it, or make it an annotation.',
  };
}

export function labelsFaults(labels: Entries): Fault[] {
  const faults: Fault[] = [];
  for (const [key, value] of Object.entries(labels)) {
    const ofKey = qualifiedNameFault(key);
    const ofValue = labelValueFault(value);
    if (ofKey !== undefined) faults.push({ ...ofKey, path: [key] });
    if (ofValue !== undefined) faults.push({ ...ofValue, path: [key] });
  }
  return faults;
}

export function annotationsFaults(annotations: Entries): Fault[] {
  const faults: Fault[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += utf8Length(key) + utf8Length(value);
    const fault = qualifiedNameFault(key);
    if (fault !== undefined) faults.push({ ...fault, path: [key] });
  }
  if (size > annotationLimit) faults.push(tooLarge(size));
  return faults;
}

function tooLarge(size: number): Fault {
  return {
    code: 'annotations-too-large',
    message: `The annotations have ${size} bytes together; Kubernetes takes ${annotationLimit}.`,
    remedy: 'Move the large values into a ConfigMap.',
  };
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
