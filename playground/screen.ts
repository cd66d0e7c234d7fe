import { openTerminal } from '../src/commands/terminal.ts';
import type { Line } from './line.ts';

/** Shows how far it is; on a terminal only. */
export type Progress = (text: string) => void;

/** What the person at the terminal sees. */
export interface Screen {
  print(text: string): void;
  /** One part of the start, beside others: its name while it lasts, then what came of it and how long it took. */
  step<T>(name: string, work: (progress: Progress) => Promise<T>, detail: (value: T) => string): Promise<T>;
  tell(line: Line): void;
  bold(text: string): string;
  dim(text: string): string;
}

const nameWidth = 16;
const detailWidth = 50;
const whoWidth = 8;

export function openScreen(): Screen {
  const { answer, progress, style } = openTerminal(process, process.env);
  const print = (text: string) => answer(`${text}\n`);
  const underWay = new Map<string, string>();
  const draw = () => {
    if (underWay.size > 0) progress(`  ${[...underWay.values()].join(', ')} …`);
  };
  return {
    print,
    step: async (name, work, detail) => {
      const begun = performance.now();
      underWay.set(name, name);
      const drawing = setInterval(draw, 200);
      try {
        const value = await work((text) => underWay.set(name, `${name} (${text})`));
        const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
        print(
          `  ${style.bold(name.padEnd(nameWidth))}${detail(value).padEnd(detailWidth)} ${style.dim(seconds.padStart(7))}`,
        );
        return value;
      } finally {
        underWay.delete(name);
        clearInterval(drawing);
      }
    },
    tell: ({ who, text, tone }) => {
      const mark = tone === undefined ? (same: string) => same : tone === 'good' ? style.green : style.red;
      const time = new Date().toTimeString().slice(0, 8);
      print(`${style.dim(time)}  ${style.cyan(who.padEnd(whoWidth))}  ${mark(text)}`);
    },
    bold: style.bold,
    dim: style.dim,
  };
}
