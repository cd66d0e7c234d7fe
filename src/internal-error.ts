/**
 * A bug of ours: never the user's mistake (that is a Problem). The command line shows it with its stack and ends
 * with `exitCode`, so that scripts and CI can tell "fix your state" (1) from "report this" (70, `EX_SOFTWARE`).
 */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  readonly exitCode = 70;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
  }
}
