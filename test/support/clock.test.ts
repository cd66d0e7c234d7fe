import { describe, expect, it } from 'vitest';
import { clockAt } from './clock.ts';

describe('a clock of a test', () => {
  it('stands still until it is told', () => {
    const clock = clockAt('2026-03-01T09:00:00Z');
    expect(clock.now().toISOString()).toBe('2026-03-01T09:00:00.000Z');
    clock.advance({ days: 90, hours: 1, minutes: 2, seconds: 3 });
    expect(clock.now().toISOString()).toBe('2026-05-30T10:02:03.000Z');
    clock.advance({ days: -1 });
    expect(clock.now().toISOString()).toBe('2026-05-29T10:02:03.000Z');
    clock.set('2026-03-01T09:00:00+01:00');
    expect(clock.now().toISOString()).toBe('2026-03-01T08:00:00.000Z');
  });

  it('gives out an instant that nobody can move', () => {
    const clock = clockAt('2026-03-01T09:00:00Z');
    clock.now().setFullYear(1999);
    expect(clock.now().toISOString()).toBe('2026-03-01T09:00:00.000Z');
  });

  it.each(['2026-03-01T09:00:00', 'soon', ''])('refuses "%s", which says no instant', (text) => {
    expect(() => clockAt(text)).toThrow(`"${text}" is no instant`);
  });
});
