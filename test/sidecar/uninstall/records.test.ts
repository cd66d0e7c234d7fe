import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newestRelease, type RawRecord } from '../../../src/sidecar/uninstall/helm-record.ts';
import { hookJobObject, seenJob, waitOf } from '../../../src/sidecar/uninstall/hook-job.ts';
import { seenObject } from '../../../src/sidecar/uninstall/project.ts';
import { hook } from './seen.ts';

const manifest = `---
# Source: app/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  annotations:
    helm.sh/resource-policy: " Keep"
---
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: b, namespace: elsewhere}
`;

function record(version: number, release: object | string, isZipped = true): RawRecord {
  const text = Buffer.from(typeof release === 'string' ? release : JSON.stringify(release));
  const inner = (isZipped ? gzipSync(text) : text).toString('base64');
  return {
    metadata: {
      namespace: 'shop',
      name: `sh.helm.release.v1.app.v${version}`,
      creationTimestamp: '2026-03-02T08:00:00Z',
      labels: { owner: 'helm', name: 'app', version: `${version}`, status: 'superseded', modifiedAt: '1772438400' },
    },
    data: { release: Buffer.from(inner).toString('base64') },
  };
}

describe('a record of Helm', () => {
  const release = {
    info: { status: 'deployed' },
    manifest,
    hooks: [
      { name: 'clean', kind: 'Job', events: ['pre-delete'] },
      { name: 'seed', kind: 'Job', events: ['post-install'] },
    ],
  };

  it.each([true, false])('is read; zipped: %s', (isZipped) => {
    expect(newestRelease([record(1, release, isZipped)])).toEqual({
      namespace: 'shop',
      name: 'app',
      revision: 1,
      at: 1_772_438_400_000,
      status: 'deployed',
      objects: [
        { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a', resourcePolicy: ' Keep' },
        { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'elsewhere', name: 'b' },
      ],
      hooks: ['Job clean'],
    });
  });

  it('counts if it is the newest, by number', () => {
    const records = [9, 10, 2].map((version) => record(version, release));
    expect(newestRelease(records)?.revision).toBe(10);
    expect(newestRelease([])).toBeUndefined();
  });

  it.each(['not json', '{"manifest": "a: [}"}'])('that cannot be read is told as such: %s', (text) => {
    expect(newestRelease([record(1, text)])).toMatchObject({ status: 'superseded', unreadable: expect.any(String) });
  });
});

describe("a hook's Job", () => {
  const action = {
    kind: 'startHook',
    component: 'front',
    namespace: 'shop',
    hook: hook('clean', { command: ['sh', '-c', 'true'], serviceAccount: 'cleaner', timeoutSeconds: 90 }),
    attempt: 2,
    job: 'clean-1-2',
    labels: { a: 'b' },
  } as const;

  it('runs one Pod once, with a deadline', () => {
    expect(hookJobObject(action)).toMatchObject({
      metadata: { namespace: 'shop', name: 'clean-1-2', labels: { a: 'b' } },
      spec: {
        backoffLimit: 0,
        activeDeadlineSeconds: 90,
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            restartPolicy: 'Never',
            serviceAccountName: 'cleaner',
            containers: [{ image: action.hook.image, command: ['sh', '-c', 'true'] }],
          },
        },
      },
    });
  });

  const raw = (conditions: readonly object[]) =>
    seenJob({
      metadata: { name: 'j', namespace: 'shop', uid: 'u', creationTimestamp: '2026-03-02T09:00:00Z' },
      status: { conditions: conditions as never },
    });

  it.each([
    [[], 'Running'],
    [[{ type: 'FailureTarget', status: 'True' }], 'Running'],
    [[{ type: 'Failed', status: 'False' }], 'Running'],
    [
      [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True' },
      ],
      'Succeeded',
    ],
    [[{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'too long' }], 'Failed'],
  ])('with the conditions %j is %s', (conditions, state) => {
    expect(raw(conditions).state).toBe(state);
  });

  it('tells what its Pod waits for', () => {
    const job = raw([]);
    const pod = (status: object) => ({ metadata: { ownerReferences: [{ uid: 'u' }] }, status }) as never;
    const waiting = (reason: string) => pod({ containerStatuses: [{ state: { waiting: { reason, message: 'm' } } }] });
    expect(waitOf(job, [waiting('ImagePullBackOff')])).toBe('ImagePullBackOff: m');
    expect(waitOf(job, [waiting('ContainerCreating')])).toBeUndefined();
    expect(
      waitOf(job, [pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: 'no room' }] })]),
    ).toContain('no room');
    expect(waitOf(job, [])).toContain('has no Pod');
  });
});

describe('an object as it is seen', () => {
  const metadata = {
    name: 'a',
    uid: 'u',
    resourceVersion: '5',
    creationTimestamp: '2026-03-02T09:00:00Z',
    annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled', 'helm.sh/resource-policy': 'keep' },
  };

  it('says what it calls, and in how many other ways', () => {
    const clientConfig = { service: { namespace: 'shop', name: 'hook' } };
    const webhooks = [{ clientConfig }, { clientConfig: { url: 'https://example.edu' } }];
    const { details } = seenObject({ apiVersion: 'v1', kind: 'ValidatingWebhookConfiguration' }, {
      metadata,
      webhooks,
    } as never);
    expect(details).toEqual({
      kind: 'called',
      services: [{ namespace: 'shop', name: 'hook', alive: true }],
      others: 1,
    });
    const local = seenObject({ apiVersion: 'v1', kind: 'APIService' }, { metadata, spec: { service: null } } as never);
    expect(local.details).toEqual({ kind: 'called', services: [], others: 1 });
  });

  it('says that it was rendered, and its policy', () => {
    expect(seenObject({ apiVersion: 'v1', kind: 'ConfigMap' }, { metadata })).toMatchObject({
      rendered: true,
      resourcePolicy: 'keep',
    });
  });

  it('has no finalizer for being a Namespace', () => {
    const own = {
      metadata: { ...metadata, finalizers: ['x/y'] },
      spec: { finalizers: ['kubernetes', 'openshift.io/origin'] },
    };
    expect(seenObject({ apiVersion: 'v1', kind: 'Namespace' }, own as never).finalizers).toEqual([
      'x/y',
      'openshift.io/origin',
    ]);
  });
});
