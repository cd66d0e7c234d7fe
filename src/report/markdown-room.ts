export interface Fitting {
  readonly open: string;
  readonly items: readonly string[];
  readonly close: string;
  /** Said of what did not fit. */
  readonly rest: (left: number) => string;
}

/** As many items as fit, and how many did not. Where there is no room for anything, nothing. */
export function fitted({ open, items, close, rest }: Fitting, room: number): string {
  const note = (left: number): string => (left === 0 ? '' : rest(left));
  const shown: string[] = [];
  let used = bytes(open) + bytes(close);
  for (const [index, line] of items.entries()) {
    const left = items.length - index - 1;
    if (used + bytes(line) + bytes(note(left)) > room) break;
    shown.push(line);
    used += bytes(line);
  }
  const said = note(items.length - shown.length);
  return used + bytes(said) > room ? '' : `${open}${shown.join('')}${said}${close}`;
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}
