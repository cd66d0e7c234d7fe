import { duration } from './quantities.ts';

const everySeconds = 15;

/**
 * Runs a step that takes minutes. What it last said is told every quarter of a minute, by a clock and not by its own
 * output: a linker says nothing for half a minute, and that is when a person wonders.
 */
export async function withProgress<T>(
  name: string,
  progress: (line: string) => void,
  step: (say: (text: string) => void) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let last = '';
  const clock = setInterval(() => {
    if (last !== '') progress(`${name}: ${last} (${duration((performance.now() - started) / 1000)})`);
  }, everySeconds * 1000);
  try {
    return await step((text) => {
      last = text;
    });
  } finally {
    clearInterval(clock);
  }
}
