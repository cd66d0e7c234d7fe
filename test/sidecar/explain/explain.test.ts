import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../src/report/style.ts';
import { explain } from '../../../src/sidecar/explain.ts';
import { explanationText } from '../../../src/sidecar/explain-text.ts';
import type { LifeView } from '../../../src/sidecar/status-view.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

function view(status: LifeView['status'], differs: Partial<LifeView> = {}): LifeView {
  return { name: 'ada', state: 'Sleeping', deleting: false, status, ...differs };
}

const ready = (message: string) => ({
  type: 'Ready',
  status: 'False' as const,
  lastTransitionTime: '2026-03-01T11:00:00Z',
  reason: 'x',
  message,
});

const stuck = view({
  phase: 'Sleeping',
  reason: 'RemovingPods',
  since: '2026-03-01T11:57:00Z',
  step: 'remove the pods of the virtual cluster',
  blockers: [
    {
      code: 'finalizer',
      who: 'controller',
      since: '2026-03-01T11:58:00Z',
      message: 'vcluster-ada/web has ended, but its finalizer "example.com/hold" holds it.',
    },
  ],
  conditions: [ready('1 pod of the virtual cluster left.')],
});

describe('quiesce explain', () => {
  it('says why, what is done, what it waits for, what to do and who has to act', () => {
    expect(explanationText(explain('claim', stuck), { now, style: plainStyle })).toBe(
      `Claim ada is Sleeping (RemovingPods), for 3m. Git asks for Sleeping.
  1 pod of the virtual cluster left.
  Now: remove the pods of the virtual cluster.
  It waits for:
    finalizer: vcluster-ada/web has ended, but its finalizer "example.com/hold" holds it.
      for 2m; to act: a controller of the cluster
      → Bring back the controller that releases this finalizer, or remove the finalizer by hand.
  To act: a controller of the cluster.
`,
    );
  });

  it('says the same to programs', () => {
    expect(explain('claim', stuck)).toMatchObject({
      kind: 'claim',
      phase: 'Sleeping',
      why: ['1 pod of the virtual cluster left.'],
      waitingFor: [{ code: 'finalizer', who: 'controller', remedy: expect.stringMatching(/./) }],
      hasToAct: ['a controller of the cluster'],
    });
  });

  it('tells of a sidecar that has not looked', () => {
    expect(explain('claim', view({})).why).toEqual([expect.stringContaining('The sidecar has not looked at it yet')]);
  });

  it('tells of an uninstall that was stopped, of progress, attempts and what is left', () => {
    const stopped = { ...ready('An uninstall was stopped.'), type: 'UninstallStopped' };
    const status = {
      phase: 'Deleted',
      step: 'workloads',
      done: 1,
      total: 4,
      attempt: 2,
      leftovers: [{ apiVersion: 'v1', kind: 'Namespace', name: 'vcluster-ada' }],
      conditions: [ready('Left.'), stopped],
    };
    const text = explanationText(explain('claim', view(status, { deleting: true })), { now, style: plainStyle });
    expect(text).toContain('An uninstall was stopped.');
    expect(text).toContain('our finalizer holds it until its uninstall is over');
    expect(text).toContain('Now: workloads, 1 of 4 steps done, attempt 2.');
    expect(text).toContain('    Namespace vcluster-ada');
  });

  it('names what a component of an installation waits for once, with the component', () => {
    const blocker = { code: 'hook-failed', who: 'workload-owner', message: 'Job stop has failed.' };
    const status = {
      phase: 'DeleteError',
      blockers: [blocker],
      components: [{ name: 'web', phase: 'DeleteError', blockers: [blocker] }],
    };
    expect(explain('installation', view(status)).waitingFor).toMatchObject([{ component: 'web', code: 'hook-failed' }]);
  });
});
