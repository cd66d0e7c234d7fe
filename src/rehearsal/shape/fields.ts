import * as z from 'zod';

// What the shapes of a snapshot's lines are made of. A field that a later version adds is passed over.

/** Absent, or a value: JSON has nothing between. */
export const maybe = z.exactOptional;
export const text = z.string();
export const number = z.number();
/** Epoch milliseconds, as far as there are dates. */
export const instant = number.min(-8.64e15).max(8.64e15);
export const flag = z.boolean();
export const texts = z.array(text);
export const textByName = z.record(text, text);
export const amounts = z.record(text, number);

/** One of a list of words that may grow: whoever reads it has an answer for what it does not know. */
export function word<T extends string>(): z.ZodType<T> {
  return z.custom<T>((value) => typeof value === 'string');
}

export const controllingOwner = z.object({ apiVersion: text, kind: text, name: text, uid: text });

export const objectReference = z.object({ apiVersion: text, kind: text, namespace: maybe(text), name: text });

/** What an object is in every list of the API server. */
export const namedObject = z.object({ namespace: text, name: text, uid: text });

const expression = z.object({ key: text, operator: text, values: maybe(texts) });

export const labelSelector = z.object({
  matchLabels: maybe(textByName),
  matchExpressions: maybe(z.array(expression)),
});

export const nodeTerm = z.object({ labels: maybe(z.array(expression)), names: maybe(z.array(expression)) });
