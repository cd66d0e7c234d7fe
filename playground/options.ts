import { parseArgs } from 'node:util';

export const help = `usage: npm run playground -- [--flux] [--port N] [--once]

A place to try Quiesce: a real control plane, nodes and Pods that only pretend, a git server with the shipped state, and
Argo CD, which applies what is compiled from it. It prints three things to try, and tells what follows from what you push.
Ctrl-C ends it; nothing is left behind.

  --flux     Flux in place of Argo CD
  --port N   port of the git server (default: any that is free)
  --once     end as soon as everything is in place
  --help     this text

The first start builds the control plane, once, which takes up to 20 minutes (as "npm run controlplane" does).
`;

export interface Options {
  readonly help: boolean;
  readonly flux: boolean;
  readonly once: boolean;
  /** 0 is any that is free. */
  readonly port: number;
}

/** Something that the person at the terminal can mend: told in one line, without a stack. */
export class Refusal extends Error {
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 1) {
    super(message);
    this.status = status;
  }
}

export function readOptions(argv: readonly string[]): Options {
  const { port, ...flags } = parse(argv);
  const number = /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN;
  if (!(number <= 65_535)) throw new Refusal(`--port has to be a number up to 65535, and is "${port}"`, 2);
  return { ...flags, port: number };
}

function parse(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    help: { ...flag, short: 'h' },
    flux: flag,
    once: flag,
    port: { type: 'string', default: '0' },
  } as const;
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error} (npm run playground -- --help)`, 2);
  }
}
