/** Only where both are plain `x.y.z`: what cannot be compared is not called a downgrade. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [numbers(a), numbers(b)];
  if (left === undefined || right === undefined) return false;
  const difference = left.map((part, index) => part - (right[index] ?? 0)).find((delta) => delta !== 0);
  return difference !== undefined && difference < 0;
}

function numbers(text: string): readonly number[] | undefined {
  return /^v?(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
}
