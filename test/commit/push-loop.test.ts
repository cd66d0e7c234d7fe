import { describe, expect, it } from 'vitest';
import type { PushAnswer, RemoteFailure } from '../../src/commit/push-answer.ts';
import { defaultRetry, type PushSteps, pushLoop } from '../../src/commit/push-loop.ts';

const raced: RemoteFailure = { kind: 'raced', said: 'fetch first' };
const unclear: RemoteFailure = { kind: 'unclear', said: 'hung up' };
const pushed: PushAnswer = { kind: 'pushed', said: '' };

/** Answers one after the other; the log says what was done. */
function steps(pushes: readonly PushAnswer[], arrived: readonly string[] = [], fetches: readonly RemoteFailure[] = []) {
  const log: string[] = [];
  let asked = 0;
  let fetched = 0;
  const result: PushSteps<number, { readonly commit: string }, string> = {
    fetch: async () => {
      const failure = fetches[fetched];
      fetched += 1;
      log.push(`fetch ${fetched}`);
      return failure ?? { kind: 'tip', tip: fetched };
    },
    build: async (tip) => {
      log.push(`build on ${tip}`);
      return { kind: 'commit', built: { commit: `c${tip}` } };
    },
    push: async ({ commit }) => {
      log.push(`push ${commit}`);
      asked += 1;
      return pushes[asked - 1] ?? pushed;
    },
    contains: async (_, commit) => arrived.includes(commit),
    wait: async (milliseconds) => {
      log.push(`wait ${milliseconds}`);
    },
  };
  return { result, log };
}
const retry = { attempts: 3, delay: (attempt: number) => attempt * 10 };

describe('pushLoop', () => {
  it('decides again on the new tip when somebody else was faster', async () => {
    const { result, log } = steps([raced]);
    expect(await pushLoop(result, retry)).toEqual({ kind: 'pushed', built: { commit: 'c2' }, said: '', attempts: 2 });
    expect(log).toEqual(['fetch 1', 'build on 1', 'push c1', 'wait 10', 'fetch 2', 'build on 2', 'push c2']);
  });

  it('gives up after the last attempt', async () => {
    const { result, log } = steps([raced, raced, raced]);
    expect(await pushLoop(result, retry)).toEqual({ kind: 'failed', failure: raced, attempts: 3 });
    expect(log.filter((entry) => entry.startsWith('wait'))).toEqual(['wait 10', 'wait 20']);
  });

  it.each(['refused', 'hook', 'credentials', 'missing', 'unreachable', 'name-taken', 'unknown'] as const)(
    'does not try again what is %s',
    async (kind) => {
      const { result } = steps([{ kind, said: '' }]);
      expect(await pushLoop(result, retry)).toMatchObject({ kind: 'failed', attempts: 1 });
    },
  );

  it('does not push twice what arrived although the connection broke', async () => {
    const { result, log } = steps([unclear], ['c1']);
    expect(await pushLoop(result, retry)).toEqual({ kind: 'pushed', built: { commit: 'c1' }, said: '', attempts: 2 });
    expect(log).toEqual(['fetch 1', 'build on 1', 'push c1', 'wait 10', 'fetch 2']);
  });

  it('remembers an unanswered push over a failed fetch', async () => {
    const { result } = steps([unclear], ['c1'], [undefined as unknown as RemoteFailure, unclear]);
    expect(await pushLoop(result, retry)).toMatchObject({ kind: 'pushed', built: { commit: 'c1' }, attempts: 3 });
  });

  it('recognises its own commit in what was faster', async () => {
    const { result } = steps([raced], ['c1']);
    expect(await pushLoop(result, retry)).toMatchObject({ kind: 'pushed', built: { commit: 'c1' } });
  });

  it('recognises an earlier push that arrived late', async () => {
    const { result } = steps([unclear, raced]);
    const seen = { ...result, contains: async (tip: number, commit: string) => tip === 3 && commit === 'c1' };
    expect(await pushLoop(seen, retry)).toMatchObject({ kind: 'pushed', built: { commit: 'c1' }, attempts: 3 });
  });

  it('looks once more after the last attempt', async () => {
    const { result, log } = steps([raced, raced, unclear], ['c3']);
    expect(await pushLoop(result, retry)).toMatchObject({ kind: 'pushed', built: { commit: 'c3' }, attempts: 3 });
    expect(log.at(-1)).toBe('fetch 4');
  });

  it('decides again when the unanswered push did not arrive', async () => {
    const { result } = steps([unclear]);
    expect(await pushLoop(result, retry)).toMatchObject({ kind: 'pushed', built: { commit: 'c2' } });
  });

  it('retries a fetch that broke', async () => {
    const { result } = steps([], [], [unclear]);
    expect(await pushLoop(result, retry)).toMatchObject({ kind: 'pushed', attempts: 2 });
  });

  it('ends when there is nothing to push', async () => {
    const { result } = steps([]);
    expect(await pushLoop({ ...result, build: async () => ({ kind: 'nothing', because: 'same' }) }, retry)).toEqual({
      kind: 'nothing',
      because: 'same',
      attempts: 1,
    });
  });

  it('waits longer each time, up to a limit', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(defaultRetry.delay)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
  });
});
