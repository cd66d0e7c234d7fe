import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/rehearsal/snapshot.ts';
import { readSnapshot, snapshotLines } from '../../src/rehearsal/snapshot-text.ts';
import { installation } from '../sidecar/installations/installed.ts';
import { seen } from '../sidecar/uninstall/seen.ts';
import { budget, controller, node, podsOf, snapshot } from './sample.ts';

const web = controller('Deployment', 'web', 1);

/** One of each thing. */
function full(): Snapshot {
  return snapshot({
    nodes: [node(1, { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })],
    pods: podsOf(web, [1], {
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      placement: {
        requests: { cpu: 100 },
        nodeAffinity: [{ labels: [{ key: 'zone', operator: 'In', values: ['odd'] }] }],
        podAntiAffinity: [{ topologyKey: 'zone', selector: { matchLabels: { app: 'web' } }, namespaces: '*' }],
        spread: [{ topologyKey: 'zone', maxSkew: 1 }],
      },
    }),
    controllers: [web],
    budgets: [budget('web', { minAvailable: '50%' })],
    volumes: [{ name: 'pv-1', reclaim: 'Delete', claim: { namespace: 'shop', name: 'data' }, reach: [] }],
    kinds: [{ apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, deletable: true }],
    unserved: [{ what: 'metrics.k8s.io/v1', status: 503, why: 'no answer' }],
    objects: [seen('ConfigMap shop/front')],
    releases: [{ namespace: 'shop', name: 'web', revision: 1, at: 0, status: 'deployed' }],
    claims: [
      {
        name: 'ada',
        uid: 'u-ada',
        resourceVersion: '1',
        generation: 1,
        finalizers: [],
        isWithdrawn: false,
        spec: {
          state: 'Running',
          namespace: 'vcluster-ada',
          replicas: 1,
          backingStore: 'x',
          keepData: false,
          objects: [],
        },
        status: { phase: 'Running', blockers: [{ code: 'finalizer', message: 'x', since: '2026-03-01T08:00:00Z' }] },
      },
    ],
    installations: [installation()],
    claimWorkloads: [
      {
        kind: 'StatefulSet',
        namespace: 'vcluster-ada',
        name: 'ada',
        part: 'control-plane',
        generation: 1,
        observedGeneration: 1,
        replicas: 1,
        observed: 1,
        ready: 1,
        isMarkedAsleep: false,
        isPaused: false,
      },
    ],
    unread: [{ what: 'v1/Secret', status: 403, why: 'forbidden' }],
  });
}

type Path = readonly (string | number)[];

/** Of every value that is no map and no list; maps by names that anybody chooses have no fields of their own. */
function* leaves(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) yield path;
  else
    for (const [key, item] of Object.entries(value))
      yield* leaves(item, [...path, Array.isArray(value) ? Number(key) : key]);
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, key === step ? replaced(item, rest, by) : item]),
  );
}

describe('a snapshot that was edited by hand', () => {
  const lines = [...snapshotLines(full())].map((line) => JSON.parse(line) as Record<string, unknown>);
  const cases = lines.slice(0, -1).flatMap((line, index) => [...leaves(line)].map((path) => ({ index, path })));

  it('is whole before', () => {
    expect(readSnapshot(lines.map((line) => JSON.stringify(line)))).toEqual({ kind: 'ok', snapshot: full() });
    expect(new Set(lines.flatMap((line) => Object.keys(line))).size).toBeGreaterThan(18);
    expect(cases.length).toBeGreaterThan(130);
  });

  it.each([[{ no: 'value' }], [null], [[1]]])('is refused with its line and field when one value is %j', (by) => {
    for (const { index, path } of cases) {
      const spoiled = lines.map((line, at) => JSON.stringify(at === index ? replaced(line, path, by) : line));
      const why = `It is damaged in line ${index + 1}: \`${path.join('.')}\` `;
      const isForeign = index === 0 && ['quiesceSnapshot', 'takenAt'].includes(String(path[0]));
      expect(readSnapshot(spoiled), `${path.join('.')} = ${JSON.stringify(by)}`).toMatchObject(
        isForeign
          ? { kind: 'refused' }
          : { kind: 'refused', why: expect.stringContaining(why), remedy: expect.stringContaining('Take it anew') },
      );
    }
  });

  it('is refused when an instant is none that a calendar has', () => {
    const spoiled = lines.map((line) => JSON.stringify(line).replace(/"createdAt":\d+/, '"createdAt":1e300'));
    expect(readSnapshot(spoiled)).toMatchObject({ why: expect.stringContaining('`nodes.createdAt` has a value') });
  });
});
