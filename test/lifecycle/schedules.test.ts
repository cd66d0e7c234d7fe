import { describe, expect, it } from 'vitest';
import { at, textOf } from '../../src/lifecycle/instants.ts';
import { Life } from './life.ts';
import { day, hour, recordOf } from './sample.ts';

const nights = [{ sleep: '0 20 * * *', wake: '0 7 * * 1-5', timeZone: 'Europe/Berlin' }];
/** A Monday, in winter: an hour ahead of UTC. */
const monday = at('2026-01-05T12:17:00Z');

function scheduled(change: ConstructorParameters<typeof Life>[0] = {}): Life {
  const life = new Life({ schedules: nights, ...change }, recordOf());
  life.now = monday;
  return life;
}

function changes(life: Life): string[] {
  return life.decisions.flatMap(({ at: when, decision }) =>
    decision.state === undefined ? [] : [`${textOf(when)} ${decision.state.to}`],
  );
}

describe('a sleep schedule', () => {
  it('puts to sleep and wakes, at the first look after its time', () => {
    const life = scheduled().until(monday + 2 * day);
    expect(changes(life)).toEqual([
      '2026-01-05T19:17:00Z Sleeping',
      '2026-01-06T06:17:00Z Running',
      '2026-01-06T19:17:00Z Sleeping',
      '2026-01-07T06:17:00Z Running',
    ]);
    expect(life.record?.schedule).toEqual({ tick: '2026-01-07T06:00:00Z', does: 'Wake' });
  });

  it('tells which line acted', () => {
    const life = scheduled().until(monday + 8 * hour);
    expect(life.decisions.at(-1)?.decision.events).toEqual([
      {
        kind: 'scheduled',
        to: 'Sleeping',
        schedule: {
          at: at('2026-01-05T19:00:00Z'),
          line: '0 20 * * *',
          timeZone: 'Europe/Berlin',
          index: 0,
          does: 'sleep',
        },
      },
    ]);
  });

  it('keeps to the time of its zone over a change of the clock', () => {
    const life = scheduled();
    life.now = at('2026-03-27T12:17:00Z');
    life.until(at('2026-03-31T12:00:00Z'));
    expect(changes(life)).toEqual([
      '2026-03-27T19:17:00Z Sleeping',
      '2026-03-30T05:17:00Z Running',
      '2026-03-30T18:17:00Z Sleeping',
      '2026-03-31T05:17:00Z Running',
    ]);
  });

  it('leaves what people change until its next time', () => {
    const life = scheduled().until(monday + 8 * hour);
    life.claim = { ...life.claim, state: 'Running' };
    life.until(monday + 18 * hour);
    expect([life.claim.state, changes(life)]).toEqual(['Running', ['2026-01-05T19:17:00Z Sleeping']]);
    life.until(monday + 32 * hour);
    expect(changes(life)).toEqual(['2026-01-05T19:17:00Z Sleeping', '2026-01-06T19:17:00Z Sleeping']);
  });

  it('leaves what people change right after a time that found nothing to do', () => {
    const life = scheduled({ state: 'Sleeping' }).until(monday + 8 * hour);
    expect(life.record?.schedule).toEqual({ tick: '2026-01-05T19:00:00Z', does: 'Sleep' });
    life.claim = { ...life.claim, state: 'Running' };
    life.until(monday + 10 * hour);
    expect(changes(life)).toEqual([]);
  });

  it('heeds after a downtime the newest time only, and only within two hours', () => {
    const late = scheduled({ state: 'Sleeping' });
    late.now = at('2026-01-09T07:59:00Z');
    late.run();
    expect(changes(late)).toEqual(['2026-01-09T07:59:00Z Running']);
    const tooLate = scheduled({ state: 'Sleeping' });
    tooLate.now = at('2026-01-09T08:01:00Z');
    expect(tooLate.run()).toMatchObject({ events: [{ kind: 'deadlinesMoved' }] });
  });

  it('does nothing for what was due before the claim was first seen', () => {
    const life = new Life({ schedules: nights });
    life.now = at('2026-01-05T19:30:00Z');
    life.until(at('2026-01-05T22:00:00Z'));
    expect(changes(life)).toEqual([]);
  });

  it('goes on after a clock that was years ahead', () => {
    const life = new Life(
      { schedules: nights },
      recordOf({ schedule: { tick: '2031-01-05T19:00:00Z', does: 'Sleep' } }),
    );
    life.now = at('2026-01-05T19:17:00Z');
    life.until(monday + day);
    expect(changes(life)).toEqual([]);
    life.until(monday + 2 * day);
    expect(changes(life)).toEqual(['2026-01-06T19:17:00Z Sleeping', '2026-01-07T06:17:00Z Running']);
  });

  it('acts without another machine’s word on the time, but not by a clock that another one contradicts', () => {
    const alone = scheduled();
    alone.world = { clocks: [] };
    expect(changes(alone.until(monday + 8 * hour))).toEqual(['2026-01-05T19:17:00Z Sleeping']);
    const contradicted = scheduled();
    contradicted.world = { clocks: [{ from: 'main', ahead: -day }] };
    expect(changes(contradicted.until(monday + 8 * hour))).toEqual([]);
  });

  it('wakes when two lines are due at once', () => {
    const both = [
      { sleep: '0 20 * * *', timeZone: 'Europe/Berlin' },
      { wake: '0 19 * * *', timeZone: 'Etc/UTC' },
    ];
    const life = scheduled({ schedules: both, state: 'Sleeping' }).until(monday + 8 * hour);
    expect(changes(life)).toEqual(['2026-01-05T19:17:00Z Running']);
  });

  it('neither renews nor moves a deadline, and does not wake what expiry has put to sleep', () => {
    const life = new Life({ schedules: nights }).until(at('2026-05-30T00:00:00Z'));
    expect(life.record?.deadlines).toEqual({ sleep: '2026-04-01T00:17:00Z', delete: '2026-05-31T00:17:00Z' });
    expect(changes(life).at(-1)).toBe('2026-03-31T18:17:00Z Sleeping');
  });

  it('puts to sleep what somebody woke in the grace, and leaves it asleep', () => {
    const life = new Life({ schedules: nights }).until(at('2026-04-07T12:00:00Z'));
    life.claim = { ...life.claim, state: 'Running' };
    life.until(at('2026-04-20T00:00:00Z'));
    expect(changes(life).slice(-1)).toEqual(['2026-04-07T18:17:00Z Sleeping']);
  });
});
