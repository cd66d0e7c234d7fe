import { describe, expect, it } from 'vitest';
import type { LifecycleInput } from '../../src/lifecycle/decision.ts';
import { at, textOf } from '../../src/lifecycle/instants.ts';
import { Life } from './life.ts';
import { ada, bob, claimOf, day, hour, recordOf, settings, start } from './sample.ts';

/** What happened to a claim, a line each. */
function story(life: Life): string[] {
  const told = life.mails.map(({ at: when, mail, to }) => ({
    when,
    line: `${textOf(when)} ${mail.kind} ${textOf(mail.deadline)} to ${to}`,
  }));
  const done = life.decisions.flatMap(({ at: when, decision }) =>
    decision.state === undefined ? [] : [{ when, line: `${textOf(when)} ${decision.state.to}` }],
  );
  return [...told, ...done].sort((a, b) => a.when - b.when).map(({ line }) => line);
}

function holdsOf(life: Life): string[] {
  return [...new Set(life.decisions.flatMap(({ decision }) => decision.holds.map(({ code }) => code)))];
}

describe('a claim that nobody renews', () => {
  it('is warned, put to sleep, warned again, and ordered to be deleted, and its owner hears of each', () => {
    const life = new Life().until(start + 151 * day);
    expect(story(life)).toEqual([
      '2026-03-24T18:17:00Z sleepWarning 2026-04-01T00:17:00Z to ada@example.edu',
      '2026-04-01T00:17:00Z Sleeping',
      '2026-04-01T01:17:00Z asleep 2026-05-31T00:17:00Z to ada@example.edu',
      '2026-05-23T18:17:00Z deletionWarning 2026-05-31T00:17:00Z to ada@example.edu',
      '2026-05-31T00:17:00Z Deleted',
      '2026-05-31T01:17:00Z deletionOrdered 2026-05-31T00:17:00Z to ada@example.edu',
    ]);
    expect(life.record?.deletion).toEqual({
      at: '2026-05-31T00:17:00Z',
      by: 'Expiry',
      deadline: '2026-05-31T00:17:00Z',
    });
  });

  it('has its deadlines in the record from the first look on', () => {
    const life = new Life().until(start + hour);
    expect(life.record).toEqual(
      recordOf({ deadlines: { sleep: '2026-04-01T00:17:00Z', delete: '2026-05-31T00:17:00Z' } }),
    );
  });

  it('counts by its own expiry where it has one', () => {
    const life = new Life({ expiry: { after: 20 * 86_400, grace: 10 * 86_400 } }).until(start + 31 * day);
    expect(story(life).filter((line) => /Sleeping|Deleted/.test(line))).toEqual([
      '2026-01-21T00:17:00Z Sleeping',
      '2026-01-31T00:17:00Z Deleted',
    ]);
  });

  it('is counted from the last renewal, also from the one in the annotation of the older system', () => {
    const renewals = [{ at: '2025-11-20T08:00:00Z' }];
    const recorded = new Life({}, recordOf({ firstSeen: '2025-01-01T00:00:00Z', renewals })).until(start + hour);
    expect(recorded.record?.deadlines?.sleep).toBe('2026-02-18T08:00:00Z');
    const annotated = new Life({ renewedAt: '2025-12-01T08:00:00.123Z' }, recordOf({ renewals })).until(start + hour);
    expect(annotated.record?.deadlines?.sleep).toBe('2026-03-01T08:00:00Z');
    const ahead = new Life({ renewedAt: '2030-01-01T00:00:00Z' }).until(start + hour);
    expect(ahead.record?.deadlines?.sleep).toBe('2026-04-01T00:17:00Z');
  });

  it('that expired long before it was first seen has a week and more from its first warning', () => {
    const life = new Life({ renewedAt: '2024-05-01T00:00:00Z' }).until(start + 20 * day);
    expect(story(life)).toEqual([
      '2026-01-02T18:17:00Z sleepWarning 2026-01-10T00:00:00Z to ada@example.edu',
      '2026-01-10T00:17:00Z Sleeping',
      '2026-01-10T01:17:00Z asleep 2026-03-11T00:00:00Z to ada@example.edu',
    ]);
  });
});

describe('a claim that does not expire', () => {
  it.each([{ expiry: 'Never' as const }, { protected: true }])('%j is left alone for ever', (change) => {
    const life = new Life(change).until(start + 400 * day);
    expect(story(life)).toEqual([]);
    expect(life.record).toEqual(recordOf());
  });

  it('is warned anew when it expires again, whatever it was told before', () => {
    const life = new Life().until(start + 145 * day);
    life.claim = { ...life.claim, protected: true };
    life.until(start + 300 * day);
    life.claim = { ...life.claim, protected: false };
    const before = story(life).length;
    life.until(start + 400 * day);
    expect(story(life).slice(before)).toEqual([
      '2026-10-28T00:17:00Z sleepWarning 2026-11-06T00:00:00Z to ada@example.edu',
      '2026-11-06T01:17:00Z asleep 2027-01-05T00:00:00Z to ada@example.edu',
      '2026-12-28T18:17:00Z deletionWarning 2027-01-05T00:00:00Z to ada@example.edu',
      '2027-01-05T00:17:00Z Deleted',
      '2027-01-05T01:17:00Z deletionOrdered 2027-01-05T00:17:00Z to ada@example.edu',
    ]);
  });
});

describe('a warning that could not be delivered', () => {
  it('moves the deadline, so that it names one at least seven days ahead', () => {
    const life = new Life();
    life.server = () => (life.now < start + 100 * day ? 'deferred' : 'accepted');
    life.until(start + 120 * day);
    expect(story(life)).toEqual([
      '2026-04-11T00:17:00Z sleepWarning 2026-04-20T00:00:00Z to ada@example.edu',
      '2026-04-20T00:17:00Z Sleeping',
      '2026-04-20T01:17:00Z asleep 2026-06-19T00:00:00Z to ada@example.edu',
    ]);
    expect(holdsOf(life)).toEqual(['warning-owed']);
  });

  it('stops everything when the address was refused, is tried once a day, and goes on when it is taken', () => {
    const life = new Life();
    let tries = 0;
    life.server = () => {
      tries += 1;
      return life.now < start + 200 * day ? 'rejected' : 'accepted';
    };
    life.until(start + 200 * day);
    expect([life.claim.state, holdsOf(life), tries]).toEqual(['Running', ['mail-rejected'], 118]);
    expect(life.record?.rejections).toEqual([
      { to: 'ada@example.edu', at: '2026-07-19T18:17:00Z', reply: '550 no such user' },
    ]);
    life.until(start + 220 * day);
    expect([life.claim.state, life.record?.rejections]).toEqual(['Sleeping', []]);
  });

  it('is sent to another owner at once when the owner was corrected', () => {
    const life = new Life();
    life.server = (_, to) => (to === ada.email ? 'rejected' : 'accepted');
    life.until(start + 85 * day);
    life.claim = { ...life.claim, owners: [bob] };
    life.run();
    expect(story(life)).toEqual(['2026-03-27T00:17:00Z sleepWarning 2026-04-05T00:00:00Z to bob@example.edu']);
  });

  it('of one owner among several does not have the others warned every hour', () => {
    const life = new Life({ owners: [ada, bob] });
    life.server = (_, to) => (to === bob.email && life.now < start + 120 * day ? 'deferred' : 'accepted');
    life.until(start + 130 * day);
    expect(story(life)).toEqual([
      '2026-03-24T18:17:00Z sleepWarning 2026-04-01T00:17:00Z to ada@example.edu',
      '2026-05-01T00:17:00Z sleepWarning 2026-05-10T00:00:00Z to bob@example.edu',
      '2026-05-02T18:17:00Z sleepWarning 2026-05-10T00:00:00Z to ada@example.edu',
      '2026-05-10T00:17:00Z Sleeping',
      '2026-05-10T01:17:00Z asleep 2026-07-09T00:00:00Z to ada@example.edu',
      '2026-05-10T01:17:00Z asleep 2026-07-09T00:00:00Z to bob@example.edu',
    ]);
  });

  it('to a new owner moves the deadline that only the old one knew', () => {
    const life = new Life().until(start + 145 * day);
    life.claim = { ...life.claim, owners: [bob] };
    life.until(start + 160 * day);
    expect(story(life).slice(-3)).toEqual([
      '2026-05-26T00:17:00Z deletionWarning 2026-06-04T00:00:00Z to bob@example.edu',
      '2026-06-04T00:17:00Z Deleted',
      '2026-06-04T01:17:00Z deletionOrdered 2026-06-04T00:17:00Z to bob@example.edu',
    ]);
  });

  it.each([
    ['mail-not-configured', { mail: { kind: 'notConfigured' } }],
    ['mail-down', { mail: { kind: 'down', why: 'it does not answer' } }],
  ] as const)('for want of a server is held back as %s', (code, world) => {
    const life = new Life();
    life.world = world;
    life.until(start + 200 * day);
    expect([life.claim.state, story(life), holdsOf(life)]).toEqual(['Running', [], [code]]);
  });
});

describe('deadlines', () => {
  it('stay where they were published when settings or claim ask for less', () => {
    const life = new Life().until(start + 10 * day);
    life.claim = { ...life.claim, expiry: { after: 14 * 86_400, grace: 14 * 86_400 } };
    life.until(start + 11 * day);
    expect(life.record?.deadlines).toEqual({ sleep: '2026-04-01T00:17:00Z', delete: '2026-05-31T00:17:00Z' });
  });

  it('move later when settings or claim ask for more, and are warned of again', () => {
    const life = new Life().until(start + 85 * day);
    life.claim = { ...life.claim, expiry: { after: 100 * 86_400, grace: 60 * 86_400 } };
    life.until(start + 101 * day);
    expect(story(life)).toEqual([
      '2026-03-24T18:17:00Z sleepWarning 2026-04-01T00:17:00Z to ada@example.edu',
      '2026-04-03T18:17:00Z sleepWarning 2026-04-11T00:17:00Z to ada@example.edu',
      '2026-04-11T00:17:00Z Sleeping',
      '2026-04-11T01:17:00Z asleep 2026-06-10T00:17:00Z to ada@example.edu',
    ]);
  });

  it('are those that the resource shows when a backup of the repository knows earlier ones', () => {
    const life = new Life().until(start + 145 * day);
    const backup = life.record;
    life.record = { ...recordOf(), renewals: [{ at: textOf(life.now) }] };
    life.until(start + 146 * day);
    life.record = backup;
    life.until(start + 170 * day);
    expect([life.claim.state, life.record?.deadlines?.delete]).toEqual(['Sleeping', '2026-10-23T00:17:00Z']);
  });

  it('wait for the resource to show them before anything is deleted', () => {
    const life = new Life().until(start + 149 * day);
    life.resource = {};
    life.now = start + 150 * day;
    expect(life.run()?.holds.map(({ code, blocks }) => [code, blocks])).toEqual([['deadline-unpublished', 'deletion']]);
    life.now += hour;
    expect(life.run()?.state?.to).toBe('Deleted');
  });

  it('are extended once, up to what the settings allow', () => {
    const extended = new Life({ extendedUntil: '2026-07-01T00:00:00Z' }).until(start + hour);
    expect([extended.record?.deadlines?.sleep, holdsOf(extended)]).toEqual(['2026-07-01T00:00:00Z', []]);
    const capped = new Life({ extendedUntil: '2030-01-01T00:00:00Z' }).until(start + hour);
    const most = at('2026-04-01T00:17:00Z') + settings.expiry.maxExtension * 1000;
    expect([capped.record?.deadlines?.sleep, holdsOf(capped)]).toEqual([textOf(most), ['extension-capped']]);
  });

  it('leave a whole grace after a sleep that came weeks late', () => {
    const life = new Life().until(start + 85 * day);
    life.now = start + 120 * day;
    life.until(start + 121 * day);
    expect(life.record?.deadlines).toEqual({ sleep: '2026-05-01T00:17:00Z', delete: '2026-06-30T00:17:00Z' });
  });
});

describe('a claim that was woken in its grace', () => {
  it('runs on, and its deletion date stands', () => {
    const life = new Life().until(start + 95 * day);
    life.claim = { ...life.claim, state: 'Running' };
    life.until(start + 151 * day);
    expect(story(life).filter((line) => /Sleeping|Deleted/.test(line))).toEqual([
      '2026-04-01T00:17:00Z Sleeping',
      '2026-05-31T00:17:00Z Deleted',
    ]);
  });
});

describe('what is not known', () => {
  const unseen: Partial<LifecycleInput> = {
    clusters: new Map([['main', { kind: 'unknown', why: 'it does not answer' }]]),
  };

  it.each<[string, Partial<LifecycleInput>]>([
    ['cluster-unknown', unseen],
    ['cluster-unknown', { clusters: new Map() }],
    ['record-unreadable', { unreadable: new Set(['ada']) }],
    ['mail-not-configured', { mail: { kind: 'notConfigured' } }],
  ])('is no reason to delete: %s', (code, world) => {
    const life = new Life().until(start + 149 * day);
    life.world = world;
    life.until(start + 160 * day);
    expect([life.claim.state, holdsOf(life).slice(-1)]).toEqual(['Sleeping', [code]]);
  });

  it('is no reason to delete: a resource that is not there', () => {
    const life = new Life().until(start + 149 * day);
    life.world = { clusters: new Map([['main', { kind: 'known', claims: new Map(), installations: new Map() }]]) };
    life.until(start + 160 * day);
    expect([life.claim.state, holdsOf(life).slice(-1)]).toEqual(['Sleeping', ['resource-missing']]);
  });

  it.each([
    ['a clock that nobody confirms', []],
    ['a clock that is years ahead', [{ from: 'main', ahead: -800 * day }]],
    ['a clock that is behind', [{ from: 'main', ahead: 3 * hour }]],
    [
      'one of two witnesses that differs',
      [
        { from: 'main', ahead: 0 },
        { from: 'annex', ahead: -hour },
      ],
    ],
  ])('is no reason to do anything by time: %s', (_, clocks) => {
    const life = new Life({}, recordOf()).until(start + hour);
    const known = life.record;
    life.world = { clocks };
    life.now = start + 800 * day;
    expect([life.run(), life.record]).toEqual([undefined, known]);
    const unseen = new Life();
    unseen.world = { clocks };
    expect([unseen.run(), unseen.record]).toEqual([undefined, undefined]);
  });

  it('a deadline has passed when it has passed by every clock', () => {
    const life = new Life().until(start + 90 * day);
    life.world = { clocks: [{ from: 'main', ahead: -5 * 60_000 }] };
    expect(life.run()).toBeUndefined();
    life.now += 5 * 60_000;
    expect(life.run()?.state?.to).toBe('Sleeping');
  });
});

describe('an order to delete that was taken back', () => {
  it('is not given again before new warnings, a sleep and a whole grace', () => {
    const life = new Life().until(start + 151 * day);
    life.claim = { ...life.claim, state: 'Running' };
    const before = story(life).length;
    life.until(start + 400 * day);
    expect(story(life).slice(before)).toEqual([
      '2026-06-01T01:17:00Z sleepWarning 2026-06-10T00:00:00Z to ada@example.edu',
      '2026-06-10T00:17:00Z Sleeping',
      '2026-06-10T01:17:00Z asleep 2026-08-09T00:00:00Z to ada@example.edu',
      '2026-08-01T18:17:00Z deletionWarning 2026-08-09T00:00:00Z to ada@example.edu',
      '2026-08-09T00:17:00Z Deleted',
      '2026-08-09T01:17:00Z deletionOrdered 2026-08-09T00:17:00Z to ada@example.edu',
    ]);
  });
});

describe('mails', () => {
  it('carry what a letter and a link need', () => {
    const life = new Life({ owners: [ada, bob], state: 'Sleeping' }).until(start + 83 * day);
    expect(life.mails[0]?.mail).toEqual({
      kind: 'sleepWarning',
      claim: 'ada',
      identity: claimOf().identity,
      cluster: 'main',
      to: [ada, bob],
      owners: [ada, bob],
      deadline: at('2026-04-01T00:17:00Z'),
      deletion: at('2026-05-31T00:17:00Z'),
      since: start,
      state: 'Sleeping',
      timeZone: 'Europe/Berlin',
    });
  });

  it('keep the identity of the record through edits of the claim', () => {
    const life = new Life().until(start + day);
    life.claim = { ...life.claim, identity: 'ffffffffffffffffffff' };
    life.until(start + 83 * day);
    expect(life.mails[0]?.mail.identity).toBe(claimOf().identity);
  });
});
