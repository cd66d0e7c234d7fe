import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, textOf } from '../../src/lifecycle/instants.ts';
import { ticksOf } from '../../src/lifecycle/ticks.ts';
import { cronFault } from '../../src/validate/grammar/cron.ts';
import { runs } from '../support/runs.ts';

const berlin = 'Europe/Berlin';

function following(line: string, zone: string, from: string, count: number): string[] {
  const ticks = ticksOf(line, zone);
  const found: string[] = [];
  for (let instant = at(from); found.length < count; ) {
    instant = ticks.next(instant) ?? Number.NaN;
    found.push(textOf(instant));
  }
  return found;
}

describe('ticks', () => {
  it.each([
    ['on plain days', '0 20 * * 1-5', '2026-01-09T12:00:00Z', ['2026-01-09T19:00:00Z', '2026-01-12T19:00:00Z']],
    [
      'in a skipped hour: right after it',
      '30 2 * * *',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    ],
    [
      'in an hour that comes twice: once',
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'of several fixed hours',
      '30 2,14 * * *',
      '2026-03-28T20:00:00Z',
      ['2026-03-29T01:00:00Z', '2026-03-29T12:30:00Z'],
    ],
    [
      'every half hour: in both of them',
      '*/30 * * * *',
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z'],
    ],
    ['by name, either case', '0 7 * JAN Mon', '2026-01-01T00:00:00Z', ['2026-01-05T06:00:00Z', '2026-01-12T06:00:00Z']],
    [
      'of a day of the month or of the week',
      '0 8 13 * FRI',
      '2026-02-01T00:00:00Z',
      ['2026-02-06T07:00:00Z', '2026-02-13T07:00:00Z'],
    ],
    [
      'with Kubernetes’ question mark',
      '15 ? * * ?',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T00:15:00Z', '2026-01-01T01:15:00Z'],
    ],
    [
      'with a step from a value on',
      '5/25 * * * *',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T00:05:00Z', '2026-01-01T00:30:00Z'],
    ],
    [
      'with a step from a name on',
      '0 8 * jan/6 *',
      '2026-01-31T20:00:00Z',
      ['2026-07-01T06:00:00Z', '2026-07-02T06:00:00Z'],
    ],
    ['with a macro', '@daily', '2026-01-01T00:00:00Z', ['2026-01-01T23:00:00Z', '2026-01-02T23:00:00Z']],
  ])('are due %s', (_, line, from, expected) => {
    expect(cronFault(line)).toBeUndefined();
    expect(following(line, berlin, from, 2)).toEqual(expected);
  });

  it('at an instant itself are the last, not the next', () => {
    const ticks = ticksOf('0 20 * * *', berlin);
    const tick = at('2026-05-01T18:00:00Z');
    expect([ticks.last(tick), ticks.last(tick - 1000), ticks.next(tick), ticks.next(tick - 1000)]).toEqual([
      tick,
      tick - 86_400_000,
      tick + 86_400_000,
      tick,
    ]);
  });

  it('are there only once for a line that is due once in four years', () => {
    expect(following('0 0 29 2 *', 'Etc/UTC', '2025-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00Z',
      '2032-02-29T00:00:00Z',
    ]);
  });

  /** Zones with a change of an hour, of half an hour, and at midnight. */
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Asuncion', 'Etc/UTC'];

  it('do not depend on what was asked before', () => {
    const instants = fc.array(fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2029-01-01T00:00:00Z') }), {
      minLength: 1,
      maxLength: 12,
    });
    let fresh = 0;
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), instants, (zone, hour, asked) => {
        const used = ticksOf(`17 ${hour} * * 1-6`, zone);
        for (const instant of asked) {
          // Another spelling is another memory.
          fresh += 1;
          const other = ticksOf(`${' '.repeat(fresh)}17 ${hour} * * 1-6`, zone);
          expect([used.last(instant), used.next(instant)]).toEqual([other.last(instant), other.next(instant)]);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('are those that a look at every minute finds, where the clock does not change', () => {
    const field = (most: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 0, max: most }).map(String),
        fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
      );
    fc.assert(
      fc.property(field(59), field(23), fc.integer({ min: 0, max: 6 }), (minute, hour, weekday) => {
        const line = `${minute} ${hour} * * ${weekday}`;
        const begin = at('2026-06-01T00:00:00Z');
        const ticks = ticksOf(line, 'Etc/UTC');
        let expected: number | undefined;
        for (let instant = begin; expected === undefined && instant < begin + 8 * 86_400_000; instant += 60_000)
          if (isDue(instant, minute, hour, weekday)) expected = instant;
        expect(ticks.next(begin - 1000)).toBe(expected);
      }),
      { numRuns: runs(40) },
    );
  });
});

function isDue(instant: number, minute: string, hour: string, weekday: number): boolean {
  const date = new Date(instant);
  return fits(minute, date.getUTCMinutes()) && fits(hour, date.getUTCHours()) && date.getUTCDay() === weekday;
}

function fits(field: string, value: number): boolean {
  if (field === '*') return true;
  return field.startsWith('*/') ? value % Number(field.slice(2)) === 0 : value === Number(field);
}
