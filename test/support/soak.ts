import { it } from 'vitest';

/**
 * A test that `npm run soak` has and `npm test` has not: it repeats with other words what one that stays shows already.
 * A soak file imports the test file that it is in.
 */
export const itInSoak: (name: string, test: () => Promise<void>) => void =
  process.env.QUIESCE_SOAK === '1' ? it : () => undefined;
