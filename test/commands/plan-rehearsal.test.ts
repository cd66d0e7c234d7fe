import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/rehearsal/snapshot.ts';
import { snapshotLines } from '../../src/rehearsal/snapshot-text.ts';
import { budget, controller, node, podsOf, snapshot } from '../rehearsal/sample.ts';
import { type Instance, openInstance, settings } from './instance.ts';

const policy = `  policy:
    rules:
      - name: drains
        dangers: [never-drains]
`;

function metal(blocks: string): string {
  return `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: metal
  namespace: cluster-metal
spec:
  maintenanceBlocks:
    cidrBlocks: ${blocks}
---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata:
  name: general
  namespace: cluster-metal
spec:
  clusterName: metal
  nodes:
    - address: 10.0.0.1
    - address: 10.0.0.2
`;
}

/** Two replicas, both of which have to be there. */
function taken(differs: Partial<Snapshot> = {}): Snapshot {
  const web = controller('ReplicaSet', 'web', 2);
  return snapshot({
    cluster: { name: 'west', uid: 'c0ffee', serverVersion: 'v1.35.4' },
    nodes: [node(1), node(2)],
    pods: podsOf(web, [1, 2]),
    controllers: [web],
    budgets: [
      budget('web', {
        maxUnavailable: 0,
        status: {
          observedGeneration: 1,
          disruptionsAllowed: 0,
          currentHealthy: 2,
          desiredHealthy: 2,
          expectedPods: 2,
        },
      }),
    ],
    ...differs,
  });
}

let instance: Instance;
beforeEach(async () => {
  const hosted = settings.replace(/(- name: west\n)/, '$1      configs: [metal]\n');
  instance = await openInstance({
    'state/settings.yaml': `${hosted}${policy}`,
    'state/clusters/metal.yaml': metal('[]'),
  });
  writeFileSync(join(instance.dir, 'state/clusters/metal.yaml'), metal('[10.0.0.1]'));
});
afterEach(() => instance.workshop.close());

function save(name: string, of: Snapshot): void {
  writeFileSync(join(instance.dir, name), [...snapshotLines(of)].join(''));
}

describe('quiesce plan --snapshot', () => {
  it('says at the line of the block that it never drains, and shows it in every form', async () => {
    save('west.snapshot', taken());
    const { status, stdout } = await instance.quiesce(
      ...['plan', '--snapshot', 'west.snapshot', '--at', '2026-03-01T11:00:00Z', '--json'],
      ...['--report', 'plan.html', '--report', 'plan.md', '--report', 'plan.sarif'],
    );
    expect(status).toBe(0);
    const plan = JSON.parse(stdout);
    expect(plan.rehearsals).toMatchObject([
      { cluster: { name: 'west', ageSeconds: 10_800 }, maintenance: [{ config: 'metal' }] },
    ]);
    const found = plan.changes.find((change: { kind: string }) => change.kind === 'rehearsed');
    expect(found).toMatchObject({
      text: 'Maintenance of metal on west is held up for ever on node n1.',
      dangers: [{ kind: 'never-drains' }],
      needs: [{ rule: 'drains', approved: false }],
      place: { file: 'state/clusters/metal.yaml', line: 8 },
    });
    expect(instance.read('plan.html')).toContain('Rehearsed on the clusters');
    expect(instance.read('plan.md')).toContain('#### Rehearsed on west');
    expect(instance.read('plan.sarif')).toContain('"plan/never-drains"');
  });

  it('asks for the approval of what only the rehearsal shows', async () => {
    save('west.snapshot', taken());
    expect((await instance.quiesce('validate', '--policy')).status).toBe(0);
    const { status, stdout } = await instance.quiesce('validate', '--policy', '--snapshot', 'west.snapshot');
    expect(status).toBe(1);
    expect(stdout).toContain('approval-missing');
    const labelled = await instance.quiesce(
      ...['validate', '--policy', '--snapshot', 'west.snapshot', '--label', 'quiesce-approve/drains'],
    );
    expect(labelled.status).toBe(0);
  });

  it('refuses what is no snapshot, or of a cluster that it does not know, and says so in the comment', async () => {
    save('elsewhere.snapshot', taken({ cluster: { name: 'elsewhere' } }));
    writeFileSync(join(instance.dir, 'half.snapshot'), [...snapshotLines(taken())].slice(0, 3).join(''));
    const cut = await instance.quiesce('plan', '--snapshot', 'half.snapshot', '--report', 'plan.md');
    expect(cut.status).toBe(1);
    expect(cut.stderr).toContain('Snapshot half.snapshot: It is cut short after 3 lines.');
    expect(instance.read('plan.md')).toContain('There is nothing to rehearse the change on.');
    const foreign = await instance.quiesce('plan', '--snapshot', 'elsewhere.snapshot');
    expect(foreign.status).toBe(1);
    expect(foreign.stderr).toContain('It is of a cluster "elsewhere", which the settings do not have.');
    expect((await instance.quiesce('plan', '--snapshot', 'west=elsewhere.snapshot')).status).toBe(0);
    const twice = await instance.quiesce(
      'plan',
      '--snapshot',
      'west=elsewhere.snapshot',
      '--snapshot',
      'west=elsewhere.snapshot',
    );
    expect(twice.stderr).toContain('There is another snapshot of cluster "west".');
  });
});
