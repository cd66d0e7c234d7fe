import { inspect } from 'node:util';
import type { ProgressEvent } from '../pipeline.ts';
import { plainStyle, type Style } from '../report/style.ts';

/** What a command says, and to whom. The answer goes to stdout; everything about getting there to stderr. */
export interface Terminal {
  /** For what goes to stdout. */
  readonly style: Style;
  /** For what goes to stderr. */
  readonly noteStyle: Style;
  /** Columns that lines may have. */
  readonly width: number;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  answer(text: string): void;
  note(text: string): void;
  /** Draws one line in place, on a terminal only, and only when it takes long enough to wonder. */
  progress(text: string): void;
  /** Undefined when the answer does not come (end of input). */
  ask(question: string): Promise<string | undefined>;
}

/** As `process` has them. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** How far a compile is. */
export function progressText({ stage, done, total }: ProgressEvent): string {
  return `${stage} ${done}/${total}`;
}

/** A compile that is over sooner shows nothing. */
const patience = 300;
const redrawEvery = 100;

export function openTerminal(streams: Streams, environment: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = streams;
  const started = Date.now();
  let drawn: number | undefined;
  const clear = (): void => {
    if (drawn !== undefined) stderr.write('\r\u001b[K');
    drawn = undefined;
  };
  return {
    style: styleFor(stdout, environment),
    noteStyle: styleFor(stderr, environment),
    width: (stdout.isTTY === true ? stdout.columns : undefined) ?? 120,
    // Standard input is opened only when it matters.
    get interactive() {
      return streams.stdin.isTTY === true && stderr.isTTY === true;
    },
    answer: (text) => {
      clear();
      stdout.write(text);
    },
    note: (text) => {
      clear();
      stderr.write(text);
    },
    progress: (text) => {
      const now = Date.now();
      if (!movesCursor(stderr, environment) || now - started < patience || now - (drawn ?? 0) < redrawEvery) return;
      drawn = now;
      stderr.write(`\r\u001b[K${text}`);
    },
    ask: async (question) => {
      clear();
      return askLine(streams, question);
    },
  };
}

/** `NO_COLOR` with anything in it means no colour, as no-color.org says. */
function styleFor(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Style {
  const noColor = environment.NO_COLOR ?? '';
  return movesCursor(stream, environment) && noColor === '' ? colours : plainStyle;
}

function movesCursor(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && environment.TERM !== 'dumb';
}

async function askLine({ stdin, stderr }: Streams, question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, output: stderr });
  let answered = false;
  return new Promise((resolve) => {
    lines.on('close', () => {
      if (!answered) stderr.write('\n');
      resolve(undefined);
    });
    // Once readline owns the terminal, Ctrl-C reaches us only through it.
    lines.on('SIGINT', () => {
      stderr.write('\n');
      process.kill(process.pid, 'SIGINT');
    });
    lines.question(question, (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
  });
}

const colours: Style = {
  bold: sgr('bold'),
  dim: sgr('dim'),
  red: sgr('red'),
  yellow: sgr('yellow'),
  green: sgr('green'),
  cyan: sgr('cyan'),
};

/** Node's own table of codes: `styleText` would look at its own idea of the stream, which differs between versions. */
function sgr(name: string): (text: string) => string {
  const [open, close] = inspect.colors[name] ?? [0, 0];
  return (text) => `\u001b[${open}m${text}\u001b[${close}m`;
}
