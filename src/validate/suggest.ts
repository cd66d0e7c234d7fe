/** Words longer than this are no typing slip of a key or a name; it also bounds the work. */
const longest = 64;

/** The candidate that `word` was most likely meant to be, or none that is near enough. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed && distance < candidate.length && (best === undefined || distance < best.distance)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** Damerau-Levenshtein distance in its restricted form: two neighbours swapped count once. */
function editDistance(a: string, b: string): number {
  if (a.length > longest || b.length > longest) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
        swapped ? cell(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = current;
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
