import { gitOutput } from './git.ts';

export interface Trailers {
  readonly values: readonly string[];
  /** The clone lacks history: some commits between the two may not have been seen. */
  readonly isShallow: boolean;
}

/** Values of a trailer in the messages of the commits that are in `to` and not in `from`. */
export async function trailersBetween(
  root: string,
  refs: { readonly from: string; readonly to: string },
  key: string,
): Promise<Trailers> {
  const format = `%(trailers:key=${key},valueonly,unfold,separator=%x00)`;
  const [log, shallow] = await Promise.all([
    gitOutput(root, ['log', '-z', `--format=${format}`, '--end-of-options', `${refs.from}..${refs.to}`, '--']),
    gitOutput(root, ['rev-parse', '--is-shallow-repository']),
  ]);
  const values = (log ?? '').split('\0').map((value) => value.trim());
  return { values: values.filter((value) => value !== ''), isShallow: shallow?.trim() === 'true' };
}
