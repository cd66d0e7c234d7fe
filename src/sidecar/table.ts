/** Columns of text as wide as their widest cell, two spaces between them; the header is the first line. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [header, ...rows].map((row) =>
    `${indent}${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
