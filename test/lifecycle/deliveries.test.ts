import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryReport, Mail } from '../../src/lifecycle/decision.ts';
import { withDeliveries } from '../../src/lifecycle/deliveries.ts';
import { textOf } from '../../src/lifecycle/instants.ts';
import { ada, bob, claimOf, day, recordOf, start } from './sample.ts';

const identity = claimOf().identity;

function mailOf(change: Partial<Mail> = {}): Mail {
  return {
    kind: 'sleepWarning',
    claim: 'ada',
    identity,
    cluster: 'main',
    to: [ada, bob],
    owners: [ada, bob],
    deadline: start + 90 * day,
    deletion: start + 150 * day,
    since: start,
    state: 'Running',
    timeZone: 'Etc/UTC',
    ...change,
  };
}

function report(mail: Mail, change: Partial<DeliveryReport> = {}): DeliveryReport {
  return { mail, to: ada.email, at: start + 83 * day, outcome: 'accepted', ...change };
}

describe('what a mail server took', () => {
  it('is one warning for all its owners, dated by the last of them, and publishes its deadlines', () => {
    const mail = mailOf();
    const reports = [report(mail), report(mail, { to: bob.email, at: start + 83 * day + 60_000 })];
    expect(withDeliveries(recordOf(), reports)).toMatchObject({
      warnings: [
        {
          about: 'Sleep',
          deadline: textOf(start + 90 * day),
          deliveredAt: textOf(start + 83 * day + 60_000),
          to: [ada.email, bob.email],
        },
      ],
      deadlines: { sleep: textOf(start + 90 * day), delete: textOf(start + 150 * day) },
    });
  });

  it('does not move a deadline earlier that was published in the meantime', () => {
    const deadlines = { sleep: textOf(start + 100 * day), delete: textOf(start + 160 * day) };
    expect(withDeliveries(recordOf({ deadlines }), [report(mailOf())]).deadlines).toEqual(deadlines);
  });

  it('is nothing where it refused or put off, but for the address that it refused', () => {
    const mail = mailOf();
    const reports = [
      report(mail, { outcome: 'deferred' }),
      report(mail, { to: bob.email, outcome: 'rejected', reply: '550 no such user' }),
    ];
    expect(withDeliveries(recordOf(), reports)).toEqual(
      recordOf({ rejections: [{ to: bob.email, at: textOf(start + 83 * day), reply: '550 no such user' }] }),
    );
  });

  it('about an earlier claim of this name is left out', () => {
    const record = recordOf();
    expect(withDeliveries(record, [report(mailOf({ identity: 'ffffffffffffffffffff' }))])).toBe(record);
  });

  it('folded in twice is the same as once', () => {
    const reports = fc.array(
      fc.record({
        kind: fc.constantFrom('sleepWarning' as const, 'deletionWarning' as const, 'asleep' as const),
        days: fc.integer({ min: 90, max: 93 }),
        at: fc.integer({ min: 0, max: 5 }),
        to: fc.constantFrom(ada.email, bob.email),
        outcome: fc.constantFrom('accepted' as const, 'rejected' as const, 'deferred' as const),
      }),
      { maxLength: 6 },
    );
    const taken = { kind: 'sleepWarning', days: 90, at: 0, to: ada.email, outcome: 'accepted' } as const;
    const refused = (to: string) => ({ ...taken, to, outcome: 'rejected' }) as const;
    fc.assert(
      fc.property(reports, (list) => {
        const made = list.map(({ kind, days, at, to, outcome }) =>
          report(mailOf({ kind, deadline: start + days * day }), { at: start + at * 1000, to, outcome }),
        );
        const once = withDeliveries(recordOf({ asleep: { at: textOf(start), deadline: textOf(start) } }), made);
        const twice = withDeliveries(once, made);
        expect([twice.rejections, twice.deadlines, twice.notices]).toEqual([
          once.rejections,
          once.deadlines,
          once.notices,
        ]);
      }),
      { examples: [[[taken, refused(ada.email), refused(bob.email)]]] },
    );
  });
});
