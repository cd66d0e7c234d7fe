import { describe, expect, it } from 'vitest';
import { type ForecastInput, forecast } from '../../src/lifecycle/forecast.ts';
import { textOf } from '../../src/lifecycle/instants.ts';
import { Life } from './life.ts';
import { ada, claimOf, day, recordOf, settings, start } from './sample.ts';

function inputWith(change: Partial<ForecastInput> = {}): ForecastInput {
  return {
    settings,
    isMailConfigured: true,
    claims: [claimOf()],
    records: new Map(),
    unreadable: new Set(),
    ...change,
  };
}

describe('a forecast', () => {
  it('tells at which of its looks the runner will do what', () => {
    const [ada] = forecast(start, start + 200 * day, inputWith());
    expect(ada?.events.map((event) => [textOf(event.at), event.kind === 'mail' ? event.mail : event.kind])).toEqual([
      ['2026-03-24T18:17:00Z', 'sleepWarning'],
      ['2026-04-01T00:17:00Z', 'expires'],
      ['2026-04-01T01:17:00Z', 'asleep'],
      ['2026-05-23T18:17:00Z', 'deletionWarning'],
      ['2026-05-31T00:17:00Z', 'deletionOrdered'],
      ['2026-05-31T01:17:00Z', 'deletionOrdered'],
    ]);
  });

  it.each([
    {},
    { schedules: [{ sleep: '0 20 * * 1-5', wake: '0 7 * * 1-5', timeZone: 'Europe/Berlin' }] },
    { renewedAt: '2024-01-01T00:00:00Z' },
    { state: 'Sleeping' as const },
    { expiry: { after: 8 * 86_400, grace: 8 * 86_400 } },
  ])('comes true: %j', (change) => {
    const until = start + 160 * day;
    const [told] = forecast(start, until, inputWith({ claims: [claimOf(change)] }));
    const life = new Life(change).until(until);
    const mails = life.mails.map(({ at, mail, to }) => [at, mail.kind, mail.deadline, [to]]);
    const acts = ['expired', 'scheduled', 'deletionOrdered'];
    const states = life.decisions.flatMap(({ at, decision }) =>
      decision.events.filter(({ kind }) => acts.includes(kind)).map(() => at),
    );
    const events = told?.events ?? [];
    expect(
      events.flatMap((event) => (event.kind === 'mail' ? [[event.at, event.mail, event.deadline, event.to]] : [])),
    ).toEqual(mails);
    const changes = events.filter(({ kind }) => kind !== 'mail');
    expect(changes.map(({ at }) => at)).toEqual(states);
  });

  it('begins with what the record says, and ends where it is told to', () => {
    const record = recordOf({ firstSeen: '2025-10-15T00:00:00Z' });
    const [told] = forecast(start, start + 3 * day, inputWith({ records: new Map([['ada', record]]) }));
    expect(told).toEqual({
      name: 'ada',
      cluster: 'main',
      owners: [ada.email],
      state: 'Running',
      events: [],
      holds: [],
    });
  });

  it('says what is held back', () => {
    const records = new Map([
      [
        'ada',
        recordOf({
          firstSeen: '2025-10-01T00:00:00Z',
          deadlines: { sleep: '2026-01-02T00:00:00Z', delete: '2026-03-02T00:00:00Z' },
        }),
      ],
    ]);
    const [told] = forecast(start, start + 300 * day, inputWith({ isMailConfigured: false, records }));
    expect([told?.events, told?.holds.map(({ code }) => code)]).toEqual([[], ['mail-not-configured']]);
  });

  it('tells nothing of a claim that cannot be read', () => {
    const [told] = forecast(start, start + 300 * day, inputWith({ unreadable: new Set(['ada']) }));
    expect([told?.events, told?.holds.map(({ code }) => code)]).toEqual([[], ['record-unreadable']]);
  });
});
