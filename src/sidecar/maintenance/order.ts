/** Total orders, by code units and never the locale: what is decided must not depend on the order of a list. */

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Named {
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export function compareNamed(a: Named, b: Named): number {
  return (
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.uid ?? '', b.uid ?? '')
  );
}
