import { gitOutput } from './git.ts';

/** Values of a trailer in the messages of the commits that are in `to` and not in `from`. */
export async function trailersBetween(
  root: string,
  refs: { readonly from: string; readonly to: string },
  key: string,
): Promise<readonly string[]> {
  const format = `%(trailers:key=${key},valueonly,unfold,separator=%x00)`;
  const log = await gitOutput(root, [
    ...['log', '-z', `--format=${format}`, '--end-of-options', `${refs.from}..${refs.to}`, '--'],
  ]);
  const values = (log ?? '').split('\0').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** Whether it lacks history: then some commits may not have been seen. */
export async function isShallowClone(root: string): Promise<boolean> {
  return (await gitOutput(root, ['rev-parse', '--is-shallow-repository']))?.trim() === 'true';
}
