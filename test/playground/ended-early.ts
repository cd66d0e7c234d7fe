import { expect } from 'vitest';
import { waitFor } from '../support/wait.ts';
import { startSession } from './terminal-session.ts';

/** Ends a playground while its control plane starts; `argv` is how it was started. */
export async function leavesNothingBehind(signal: NodeJS.Signals, argv?: readonly string[]): Promise<void> {
  const session = startSession(['--flux'], { argv });
  try {
    await session.see('control plane', 120);
    expect(session.left()).not.toEqual([]);
    session.process.kill(signal);
    await waitFor('nothing to be left', { seconds: 30 }, () => {
      const left = session.left();
      return left.length === 0 ? { met: true } : { seen: left.join(', ') };
    });
  } finally {
    session.close();
  }
}
