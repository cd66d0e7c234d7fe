/** Suffixes of Kubernetes quantities as powers: 1000 for SI, 1024 for the binary ones. */
const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Negative, zero or positive as `a` is less, the same or more; undefined where one of them is no quantity. */
export function compareQuantities(a: string, b: string): number | undefined {
  const [left, right] = [amountOf(a), amountOf(b)];
  return left === undefined || right === undefined ? undefined : left - right;
}

export function amountOf(quantity: string): number | undefined {
  const [, number, suffix = ''] = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(quantity) ?? [];
  const factor = factors[suffix];
  const value = Number(number);
  return factor === undefined || Number.isNaN(value) ? undefined : value * factor;
}
