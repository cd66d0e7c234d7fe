export type Json = string | number | boolean | null | readonly Json[] | Fields;
export type Fields = { readonly [key: string]: Json | undefined };

/** Any mapping at the top of a document. */
export type PlainData = { readonly [key: string]: Json };

/** An object that somebody else rendered, as plain data. */
export type PlainObject = PlainData & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: PlainData & { readonly name: string };
};

/** The fields of a mapping; none of anything else. */
export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
