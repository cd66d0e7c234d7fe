import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So long after a page; those that are asked for meanwhile are collected together. */
const delayMs = 500;

/**
 * To be called after each page. V8 lets garbage of short bursts grow to many times what is kept before it looks at it
 * again, and a page that nobody visits never makes it look: its memory would be that of its busiest minute for ever.
 */
export function collectSoon(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      collect();
    }, delayMs).unref();
  };
}
