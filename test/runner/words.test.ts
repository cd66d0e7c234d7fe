import { describe, expect, it } from 'vitest';
import type { Decision, DeliveryReport, LifecycleEvent, Mail } from '../../src/lifecycle/decision.ts';
import { readLifecycleConfig } from '../../src/runner/config.ts';
import { messageFor } from '../../src/runner/message.ts';
import { observedResource } from '../../src/runner/observe.ts';

const at = Date.parse('2026-03-05T11:02:44Z');

function decided(name: string, ...events: readonly LifecycleEvent[]): Decision {
  return { kind: 'claim', name, mails: [], holds: [], events };
}

function accepted(claim: string, kind: Mail['kind'], outcome: DeliveryReport['outcome'] = 'accepted'): DeliveryReport {
  const owner = { name: 'Ada', email: `${claim}@example.edu` };
  const mail: Mail = {
    kind,
    claim,
    identity: '12345678',
    cluster: 'main',
    to: [owner],
    owners: [owner],
    deadline: at,
    since: at,
    state: 'Running',
    timeZone: 'Etc/UTC',
  };
  return { mail, to: owner.email, at, outcome };
}

const ordered: LifecycleEvent = { kind: 'deletionOrdered', by: 'Expiry', deadline: at };
const expired: LifecycleEvent = { kind: 'expired', deadline: at };
const schedule = { at, line: '0 18 * * *', timeZone: 'Europe/Berlin', index: 0, does: 'sleep' } as const;

describe('the message of a commit', () => {
  it.each([
    [
      'gravest first',
      [decided('bob', expired), decided('ada', ordered)],
      [],
      'Order deletion of ada; put to sleep bob',
    ],
    ['many as a number', ['a', 'b', 'c', 'd'].map((name) => decided(name, expired)), [], 'Put to sleep 4 claims'],
    [
      'what goes without saying is not said',
      [decided('ada', { kind: 'firstSeen' }, { kind: 'deadlinesMoved', sleep: at, delete: at })],
      [],
      'Record first sight of ada',
    ],
    ['only mails', [decided('ada')], [accepted('ada', 'sleepWarning')], 'Warn owners of ada'],
    [
      'nothing that was not accepted',
      [decided('ada')],
      [accepted('ada', 'asleep', 'rejected')],
      'Record what was observed',
    ],
    [
      'schedules',
      [
        decided('ada', { kind: 'scheduled', to: 'Sleeping', schedule }),
        decided('bob', { kind: 'scheduled', to: 'Running', schedule }),
      ],
      [],
      'Put to sleep ada; wake bob',
    ],
  ] as const)('says in its subject: %s', (_, decisions, reports, subject) => {
    expect(messageFor([...decisions], [...reports]).subject).toBe(subject);
  });

  it('says in its body why, which schedule, and who was told', () => {
    const decisions = [decided('ada', ordered), decided('bob', { kind: 'scheduled', to: 'Sleeping', schedule })];
    expect(messageFor(decisions, [accepted('eve', 'deletionWarning')]).body).toEqual([
      '- ada: deletion ordered: its owners were warned, and nobody has renewed it by 2026-03-05',
      '- bob: put to sleep by its schedule "0 18 * * *" (Europe/Berlin)',
      '- eve: the warning before deletion was accepted for eve@example.edu',
    ]);
  });

  it('fits into one line however much happens', () => {
    const events: readonly LifecycleEvent[] = [
      ordered,
      expired,
      { kind: 'deletionWithdrawn' },
      { kind: 'recordEnded' },
    ];
    const names = ['a-rather-long-name-of-a-claim', 'another-rather-long-name-of-a-claim'];
    const { subject } = messageFor(
      names.map((name) => decided(name, ...events)),
      [],
    );
    expect(subject).toBe(
      'Order deletion of a-rather-long-name-of-a-claim, another-rather-long-name-of-a-claim; 3 more',
    );
  });
});

describe('what a resource says', () => {
  const resource = (spec: object, status: object, metadata: object = {}) =>
    observedResource({ metadata: { name: 'ada', uid: 'u', generation: 2, ...metadata }, spec, status });
  const since = '2026-03-05T11:02:44Z';
  const deleted = { state: 'Deleted' };

  it('is taken over where it is there', () => {
    expect(resource({}, {})).toEqual({});
    expect(resource({ state: 'Sleeping' }, { phase: 'Asleep', reason: 'AtRest', since })).toEqual({
      phase: 'Asleep',
      reason: 'AtRest',
      since: at,
    });
    expect(resource({}, {}, { deletionTimestamp: since })).toEqual({ deletionAsked: at });
    expect(resource({}, { deadlines: { sleep: since, warnSleep: since } })).toEqual({ deadlines: { sleep: at } });
    expect(resource({}, { deadlines: { sleep: 'soon' }, since: 'lately' })).toEqual({});
  });

  it.each([
    ['nothing left', deleted, { phase: 'Deleted', reason: 'NothingLeft', observedGeneration: 2, since }, 'Deleted'],
    ['kept data', deleted, { phase: 'Deleted', reason: 'DataKept', observedGeneration: 2, since }, 'Kept'],
    ['an earlier generation', deleted, { phase: 'Deleted', observedGeneration: 1, since }, undefined],
    ['another state', { state: 'Running' }, { phase: 'Deleted', observedGeneration: 2, since }, undefined],
    ['no instant', deleted, { phase: 'Deleted', observedGeneration: 2 }, undefined],
    ['another phase', deleted, { phase: 'Deleting', observedGeneration: 2, since }, undefined],
  ])('tells of an uninstall only if it is over, and of this resource: %s', (_, spec, status, data) => {
    expect(resource(spec, status).uninstalled?.data).toBe(data);
  });
});

describe('the options', () => {
  it('are flags, then variables, then defaults', () => {
    const environment = {
      QUIESCE_GIT_URL: 'https://a',
      QUIESCE_GIT_BRANCH: 'live',
      QUIESCE_WORK: '/work',
      KUBECONFIG: '/x:/y',
    };
    expect(readLifecycleConfig({ gitUrl: 'https://b', keys: '' }, environment)).toEqual({
      kind: 'config',
      config: { gitUrl: 'https://b', gitBranch: 'live', work: '/work', requestSeconds: 30, logLevel: 'info' },
    });
  });

  it('that cannot be are all named', () => {
    expect(readLifecycleConfig({ requestSeconds: '0', logLevel: 'loud' }, {})).toEqual({
      kind: 'wrong',
      problems: [
        '--request-seconds has to be a number from 1 to 600: 0',
        '--log-level has to be one of debug, info, warn, error, silent: loud',
      ],
    });
  });
});
