import type { Snapshot, SnapshotController, SnapshotPod, SnapshotVolume } from '../../src/rehearsal/snapshot.ts';
import { asking, budget, controller, node, podsOf, snapshot } from './sample.ts';

/**
 * A cluster of so many nodes with fifty pods on each: Deployments and StatefulSets of many sizes with budgets, agents on
 * every node, Jobs, and pods with a priority. The same every time.
 */
export function largeSnapshot(nodes: number): Snapshot {
  const all = Array.from({ length: nodes }, (_, index) => index + 1);
  const crews = crewsFor(nodes);
  const agents = ['network', 'storage', 'logs', 'metrics'].map((name) => controller('DaemonSet', name, 0, 'system'));
  let at = 0;
  const pods = crews.flatMap(({ crew, differs }): SnapshotPod[] => {
    const on = Array.from({ length: crew.replicas ?? 0 }, (_, index) => ((at + index * 7) % nodes) + 1);
    at += 13;
    return podsOf(crew, on, { ...differs, ...(crew.kind === 'StatefulSet' && { claims: [] }) }).map((each) =>
      crew.kind === 'StatefulSet' ? { ...each, claims: [`data-${each.name}`] } : each,
    );
  });
  const volumes = volumesOf(pods);
  const inUse = new Map<string, string[]>();
  for (const { volume, on } of volumes) inUse.set(on, [...(inUse.get(on) ?? []), volume.inUseAs ?? '']);
  return snapshot({
    nodes: all.map((index) => node(index, { volumesInUse: (inUse.get(`n${index}`) ?? []).sort() })),
    pods: [
      ...pods,
      ...agents.flatMap((agent) =>
        podsOf(agent, all, {
          labels: { app: agent.name },
          ...(agent.name === 'storage' && { registersPlugins: true, priorityClassName: 'high' }),
        }),
      ),
    ],
    controllers: [...crews.map(({ crew }) => crew), ...agents],
    budgets: crews.flatMap(({ crew }, index) =>
      (crew.replicas ?? 0) > 1 && index % 3 !== 0 ? [budget(crew.name, { maxUnavailable: 1 }, crew.namespace)] : [],
    ),
    volumes: volumes.map(({ volume }) => volume),
  });
}

interface SizedCrew {
  readonly crew: SnapshotController;
  readonly differs: Partial<SnapshotPod>;
}

const sizes = [1, 2, 3, 3, 5, 8, 20, 60];

function crewsFor(nodes: number): SizedCrew[] {
  const crews: SizedCrew[] = [];
  for (let left = nodes * 46, index = 0; left > 0; index += 1) {
    const replicas = Math.min(left, sizes[index % sizes.length] ?? 1);
    const kind = index % 5 === 4 && replicas < 20 ? 'StatefulSet' : 'ReplicaSet';
    const differs: Partial<SnapshotPod> = {
      graceSeconds: [30, 30, 10, 60][index % 4] ?? 30,
      startedInSeconds: 5 + (index % 20),
      placement: asking(100 + (index % 3) * 50, 0.25),
      ...(index % 4 === 1 && { priorityClassName: index % 8 === 1 ? 'low' : 'high' }),
    };
    crews.push({ crew: controller(kind, `app-${index}`, replicas, `team-${index % 20}`), differs });
    left -= replicas;
  }
  return crews;
}

function volumesOf(pods: readonly SnapshotPod[]): { readonly volume: SnapshotVolume; readonly on: string }[] {
  return pods.flatMap(({ namespace, claims, node: on }) =>
    claims.map((name) => ({
      on,
      volume: {
        name: `pv-${namespace}-${name}`,
        claim: { namespace, name },
        inUseAs: `kubernetes.io/csi/disk.example.com^${namespace}-${name}`,
        reclaim: 'Delete' as const,
      },
    })),
  );
}
