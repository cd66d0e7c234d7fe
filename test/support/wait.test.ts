import { describe, expect, it } from 'vitest';
import { Hopeless, nowAndThen, waitFor } from './wait.ts';

const quick = { seconds: 0.3, everyMs: 10 };

describe('a wait', () => {
  it('ends with what was met', async () => {
    let looks = 0;
    const third = () => {
      looks += 1;
      return looks === 3 ? { met: 'the third' } : { seen: `${looks}` };
    };
    expect(await waitFor('the third look', quick, third)).toBe('the third');
  });

  it('tells at its limit what it waited for and what it saw last', async () => {
    let looks = 0;
    const never = () => {
      looks += 1;
      return { seen: looks > 1 ? 'Pending' : 'nobody' };
    };
    await expect(waitFor('Pod a to run', quick, never)).rejects.toThrow(
      'waited 0.3 s for Pod a to run; last seen: Pending',
    );
  });

  it('takes a look that throws for one that has not met it yet', async () => {
    const refused = new Error('connect ECONNREFUSED');
    const wait = waitFor('an answer', quick, () => Promise.reject(refused));
    await expect(wait).rejects.toMatchObject({
      message: 'waited 0.3 s for an answer; last seen: connect ECONNREFUSED',
      cause: refused,
    });
  });

  it('ends at its limit although the look hangs, and still tells what it saw before', async () => {
    let looks = 0;
    const hang = () => {
      looks += 1;
      return looks === 1 ? { seen: 'Pending' } : new Promise<never>(() => undefined);
    };
    await expect(waitFor('Pod a to run', quick, hang)).rejects.toThrow('last seen: Pending');
    await expect(waitFor('an answer', quick, () => new Promise<never>(() => undefined))).rejects.toThrow(
      'last seen: no answer to the last look',
    );
  });

  it('ends at once when it has become hopeless', async () => {
    const begun = performance.now();
    const ended = () => {
      throw new Hopeless('etcd ended with code 1');
    };
    await expect(waitFor('etcd', { seconds: 30 }, ended)).rejects.toThrow('etcd ended with code 1');
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('acts only now and then while it looks, and not at once', async () => {
    const acted: number[] = [];
    let looks = 0;
    const again = nowAndThen(0.1, async () => void acted.push(looks));
    const look = async () => {
      await again();
      looks += 1;
      return { seen: `${looks}` };
    };
    await expect(waitFor('nothing', quick, look)).rejects.toThrow('waited 0.3 s for nothing');
    expect(acted.length).toBeGreaterThanOrEqual(1);
    expect(acted.length).toBeLessThanOrEqual(3);
    expect(acted[0]).toBeGreaterThan(0);
  });
});
