/** Per unit, in thousandths. Capacity is a whole number or in `m`; the rest is for completeness of the grammar. */
const thousandths: Readonly<Record<string, number>> = {
  '': 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
  k: 1e6,
  M: 1e9,
  G: 1e12,
};

/** A quantity of CPU (`4`, `3920m`, `0.5`) in thousandths of a vCPU, rounded up as Kubernetes does. */
export function milliCpu(quantity: string): number | undefined {
  const [, number, unit = ''] = /^([0-9]+(?:\.[0-9]+)?|\.[0-9]+)([munkMG]?)$/.exec(quantity) ?? [];
  const factor = thousandths[unit];
  if (number === undefined || factor === undefined) return undefined;
  // Decimal text times a power of ten: what is beyond nine digits is the noise of floating point.
  return Math.ceil(Number((Number(number) * factor).toFixed(9)));
}
