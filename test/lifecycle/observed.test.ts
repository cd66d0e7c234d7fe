import { describe, expect, it } from 'vitest';
import { decide } from '../../src/lifecycle/decide.ts';
import { at, textOf } from '../../src/lifecycle/instants.ts';
import { Life } from './life.ts';
import { ada, bob, claimOf, clusterOf, day, hour, inputOf, recordOf, start } from './sample.ts';

describe('kubectl delete', () => {
  it('becomes an order in git, without waiting for a warning, and the owners hear of it', () => {
    const life = new Life({ owners: [ada, bob] }).until(start + day);
    life.resource = { ...life.resource, deletionAsked: start + day };
    life.until(start + day + 2 * hour);
    expect([life.claim.state, life.record?.deletion]).toEqual(['Deleted', { at: textOf(start + day), by: 'Kubectl' }]);
    expect(life.mails.map(({ mail, to }) => [mail.kind, mail.by, to])).toEqual([
      ['deletionOrdered', 'Kubectl', ada.email],
      ['deletionOrdered', 'Kubectl', bob.email],
    ]);
  });

  it('of a protected claim is not carried out', () => {
    const life = new Life({ protected: true }).until(start + day);
    life.resource = { deletionAsked: start + day };
    expect(life.run()?.holds.map(({ code }) => code)).toEqual(['claim-protected']);
    expect(life.claim.state).toBe('Running');
  });

  it('that was taken back in git is not ordered again', () => {
    const life = new Life().until(start + day);
    life.resource = { ...life.resource, deletionAsked: start + day };
    life.until(start + day + 3 * hour);
    life.claim = { ...life.claim, state: 'Running' };
    life.until(start + 3 * day);
    expect(life.claim.state).toBe('Running');
  });

  it('of an installation is reported, and ordered by nobody', () => {
    const installation = {
      origin: { file: 'state/installations/logs.yaml', document: 0 },
      name: 'logs',
      cluster: 'main',
      state: 'Installed',
    } as const;
    const main = {
      kind: 'known',
      claims: new Map(),
      installations: new Map([['logs', { deletionAsked: start }]]),
    } as const;
    const { decisions } = decide(
      start,
      inputOf({ claims: [], installations: [installation], clusters: new Map([['main', main]]) }),
    );
    expect(decisions.map(({ kind, holds }) => [kind, holds.map(({ code }) => code)])).toEqual([
      ['installation', ['deletion-asked']],
    ]);
  });
});

describe('an order that a person gave', () => {
  it('is recorded, and the owners hear of it', () => {
    const life = new Life().until(start + day);
    life.claim = { ...life.claim, state: 'Deleted' };
    life.until(start + day + 2 * hour);
    expect(life.record?.deletion).toEqual({ at: textOf(start + day), by: 'Person' });
    expect(life.mails.map(({ mail }) => [mail.kind, mail.by])).toEqual([['deletionOrdered', 'Person']]);
  });
});

describe('a completed uninstall', () => {
  const over = { at: at('2026-01-02T00:00:00Z'), data: 'Deleted' } as const;

  it('goes into the record, in one commit with the end of the claim’s file', () => {
    const life = new Life({ state: 'Deleted' }).until(start + 2 * hour);
    life.resource = { phase: 'Deleted', uninstalled: over };
    const decision = life.run();
    expect(decision?.remove).toEqual({ file: 'state/claims/ada.yaml' });
    expect(life.record).toEqual(
      recordOf({
        deletion: { at: textOf(start), by: 'Person' },
        uninstalled: { at: textOf(over.at), data: 'Deleted' },
      }),
    );
  });

  it('waits for the owners to hear of the order, for a day', () => {
    const life = new Life({ state: 'Deleted' });
    life.server = () => 'deferred';
    life.resource = { uninstalled: over };
    life.until(start + day);
    expect(life.isGone).toBe(false);
    life.until(start + day + 2 * hour);
    expect(life.isGone).toBe(true);
  });

  it('means nothing while the state is another one', () => {
    const life = new Life().until(start + hour);
    life.resource = { ...life.resource, uninstalled: over };
    life.until(start + day);
    expect([life.isGone, life.record?.uninstalled]).toEqual([false, undefined]);
  });

  it('of an installation does the same', () => {
    const installation = {
      origin: { file: 'state/installations/logs.yaml', document: 0 },
      name: 'logs',
      cluster: 'main',
      state: 'Deleted',
    } as const;
    const main = {
      kind: 'known',
      claims: new Map(),
      installations: new Map([['logs', { uninstalled: over }]]),
    } as const;
    const { decisions } = decide(
      start,
      inputOf({ claims: [], installations: [installation], clusters: new Map([['main', main]]) }),
    );
    expect(decisions).toMatchObject([
      {
        kind: 'installation',
        remove: { file: 'state/installations/logs.yaml' },
        record: { kind: 'write', record: { name: 'logs', uninstalled: { data: 'Deleted' } } },
      },
    ]);
  });
});

describe('the record of what is gone', () => {
  const ended = (data: 'Deleted' | 'Kept') => recordOf({ uninstalled: { at: '2026-01-02T00:00:00Z', data } });
  const kindsOf = (change: Parameters<typeof inputOf>[0]) =>
    decide(start, inputOf({ claims: [], ...change })).decisions.map(({ name, record }) => [name, record?.kind]);

  it('goes when the output has forgotten the claim, too', () => {
    const records = new Map([['ada', ended('Deleted')]]);
    expect(kindsOf({ records, compiled: new Set() })).toEqual([['ada', 'remove']]);
    expect(kindsOf({ records, compiled: new Set(['ada']) })).toEqual([]);
    expect(kindsOf({ records, compiled: undefined })).toEqual([]);
  });

  it('stays while data of it is there, and while nobody said that it was uninstalled', () => {
    expect(kindsOf({ records: new Map([['ada', ended('Kept')]]), compiled: new Set() })).toEqual([]);
    expect(kindsOf({ records: new Map([['ada', recordOf()]]), compiled: new Set() })).toEqual([]);
  });

  it('stays when it cannot be read', () => {
    const records = new Map([['ada', ended('Deleted')]]);
    expect(kindsOf({ records, compiled: new Set(), unreadable: new Set(['ada']) })).toEqual([]);
  });

  it('makes way for a new claim of the same name', () => {
    const life = new Life({ identity: 'ffffffffffffffffffff' }, ended('Deleted'));
    life.now = start + 30 * day;
    life.run();
    expect(life.record).toEqual(
      recordOf({
        identity: 'ffffffffffffffffffff',
        firstSeen: textOf(start + 30 * day),
        deadlines: { sleep: textOf(start + 120 * day), delete: textOf(start + 180 * day) },
      }),
    );
  });

  it('keeps a new claim of the same name waiting while it tells of data', () => {
    const life = new Life({}, ended('Kept'));
    expect(life.run()?.holds.map(({ code }) => code)).toEqual(['name-blocked-by-data']);
    expect(life.record).toEqual(ended('Kept'));
  });
});

describe('what the cluster says', () => {
  it('is recorded when it lasts, and once', () => {
    const life = new Life().until(start + hour);
    for (const phase of ['Waking', 'Running', 'Running', 'Sleeping', 'Asleep']) {
      life.resource = { ...life.resource, phase, since: life.now };
      life.run();
      life.now += hour;
    }
    expect(life.decisions.flatMap(({ decision }) => decision.events.filter(({ kind }) => kind === 'observed'))).toEqual(
      [
        { kind: 'observed', phase: 'Running' },
        { kind: 'observed', phase: 'Asleep' },
      ],
    );
    expect(life.record?.observed).toEqual({ phase: 'Asleep', since: textOf(start + 5 * hour) });
  });

  it('is recorded and reported when an uninstall failed', () => {
    const life = new Life({ state: 'Deleted' }).until(start + 2 * hour);
    life.resource = { phase: 'DeleteError', reason: 'hook-failed', since: life.now };
    expect(life.run()?.holds).toEqual([{ code: 'uninstall-failed', message: 'Its uninstall failed: hook-failed.' }]);
    expect(life.record?.observed).toEqual({
      phase: 'DeleteError',
      since: textOf(start + 2 * hour),
      reason: 'hook-failed',
    });
  });
});

describe('many claims', () => {
  it('are decided each for itself, in the order of their names', () => {
    const claims = ['carl', 'ada', 'bob'].map((name) => claimOf({ name, protected: name === 'bob' }));
    const clusters = new Map([['main', clusterOf({ ada: { deletionAsked: start }, bob: { deletionAsked: start } })]]);
    const { decisions } = decide(start, inputOf({ claims, clusters }));
    expect(decisions.map(({ name, state }) => [name, state?.to])).toEqual([
      ['ada', 'Deleted'],
      ['bob', undefined],
      ['carl', undefined],
    ]);
  });
});
