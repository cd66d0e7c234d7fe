import { afterEach, describe, expect, it } from 'vitest';
import { openState, type StateFolder } from '../support/repo.ts';

const stores = [
  ['a StatefulSet with three replicas', 'embeddedEtcd', 3, ['StatefulSet ada 3']],
  ['a Deployment in front of an external database', 'externalDatabase', 2, ['Deployment ada 2']],
  ['a Deployment and an etcd of its own', 'deployedEtcd', 3, ['Deployment ada 3', 'StatefulSet ada-etcd 3']],
  ['a single replica', 'embeddedDatabase', 1, ['StatefulSet ada 1']],
] as const;

type Store = (typeof stores)[number][1];

function claim(state: string, store: Store, replicas: number): string {
  const secret = store === 'externalDatabase' ? '\n  externalDatabaseSecret: database' : '';
  return `apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ada
spec:
  owner: { name: Ada, email: ada@example.edu }
  state: ${state}
  backingStore: ${store}${secret}
  replicas: ${replicas}
`;
}

const path = 'out/main/claims/ada/claim.k8s.yaml';

let state: StateFolder;
afterEach(() => state.close());

describe.each(stores)('%s', (_, store, replicas, workloads) => {
  const put = async (wanted: string): Promise<string> => {
    state.write('state/claims/ada.yaml', claim(wanted, store, replicas));
    await state.compile();
    state.commit();
    return state.read(path);
  };

  it('sleeps and wakes over any number of commits, and its count is never lost', async () => {
    state = openState();
    const awake = await put('Running');
    const asleep = await put('Sleeping');
    expect(asleep).not.toBe(awake);
    for (let round = 0; round < 3; round += 1) {
      expect(await put('Running')).toBe(awake);
      if (round === 1) state.remove('.quiesce');
      if (round === 2) state.remove('out');
      expect(await put('Sleeping')).toBe(asleep);
    }
    expect(counts(awake)).toEqual(workloads);
  });

  it('differs asleep in its replicas, the marks of the sleep, and what its resource says, and in nothing else', async () => {
    state = openState();
    const [awake, asleep] = [await put('Running'), await put('Sleeping')];
    const marks = (count: number): string[] => [
      '+    loft.sh/paused: "true"',
      `+    loft.sh/paused-replicas: "${count}"`,
      `+    plethos.cs.hm.edu/scaled-down-replicas: "${count}"`,
      `-  replicas: ${count}`,
      '+  replicas: 0',
    ];
    expect(difference(awake, asleep)).toEqual([
      ...workloads.flatMap((workload) => marks(Number(workload.split(' ')[2]))),
      '-  state: Running',
      '+  state: Sleeping',
    ]);
  });

  it('born asleep is the same as put to sleep, and wakes to the same', async () => {
    state = openState();
    const bornAsleep = await put('Sleeping');
    const awake = await put('Running');
    expect(await put('Sleeping')).toBe(bornAsleep);
    state.close();
    state = openState();
    expect(await put('Running')).toBe(awake);
  });

  it('changes its count while asleep and wakes with the new one', async () => {
    state = openState();
    await put('Sleeping');
    const more = store === 'embeddedDatabase' ? 1 : 5;
    state.write('state/claims/ada.yaml', claim('Sleeping', store, more));
    await state.compile();
    state.write('state/claims/ada.yaml', claim('Running', store, more));
    await state.compile();
    expect(counts(state.read(path))).toEqual(workloads.map((each) => each.replace(/\d$/, `${more}`)));
  });
});

/** `Kind name replicas` of each workload. */
function counts(text: string): string[] {
  return text.split('\n---\n').flatMap((document) => {
    const kind = /^kind: (StatefulSet|Deployment)$/m.exec(document)?.[1];
    if (kind === undefined) return [];
    return [`${kind} ${/^ {2}name: (.+)$/m.exec(document)?.[1]} ${/^ {2}replicas: (\d+)$/m.exec(document)?.[1]}`];
  });
}

/** Lines that are only in one of the two, in order. Enough where lines are only added, removed or replaced. */
function difference(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (now.indexOf(old[i] ?? '', j) > j && now.indexOf(old[i] ?? '', j) < j + 5) lines.push(`+${now[j++]}`);
    else {
      lines.push(`-${old[i++]}`);
      lines.push(`+${now[j++]}`);
    }
  }
  return lines;
}
