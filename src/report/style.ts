/** How parts of a text are set off for people. Reports take one; who makes it knows whether there is a terminal. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;

/** Sets nothing off: for files, pipes and `NO_COLOR`. */
export const plainStyle: Style = { bold: same, dim: same, red: same, yellow: same, green: same, cyan: same };
