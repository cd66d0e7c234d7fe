import type { Chance } from '../lifecycle/simulation/chance.ts';
import type { Behaviour } from '../support/behaviour.ts';
import type { KubeObject } from '../support/objects.ts';
import {
  daemonSet,
  deployment,
  job,
  namespace,
  pod,
  podDisruptionBudget,
  statefulSet,
  type Workload,
  type WorkloadOptions,
} from '../support/workloads.ts';

type PodParts = NonNullable<WorkloadOptions['pod']>;

/** Of nobody known to this cluster: it is never released. */
export const held = 'example.com/held';

/** Of the lane, which every cluster of it may use. */
export const priorityClasses: readonly (readonly [name: string, value: number])[] = [
  ['replay-low', 10],
  ['replay-middle', 500],
  ['replay-high', 100_000],
];

/** Workloads of all sorts in a few namespaces, and budgets of all sorts for them. */
export function randomWorkloads(chance: Chance, prefix: string): readonly KubeObject[] {
  const names = ['a', 'b'].slice(0, chance.between(1, 2)).map((letter) => `${prefix}-${letter}`);
  return names.flatMap((name) => [namespace(name), ...workloadsIn(chance, name)]);
}

function workloadsIn(chance: Chance, where: string): readonly KubeObject[] {
  const several = <T>(most: number, make: (index: number) => T): T[] =>
    Array.from({ length: chance.between(0, most) }, (_, index) => make(index));
  const replicated = [
    ...several(3, (index) => deployment({ ...base(chance, `web-${index}`, where), replicas: chance.between(1, 4) })),
    ...several(2, (index) => set(chance, `db-${index}`, where)),
  ];
  return [
    ...replicated,
    ...several(1, (index) => daemonSet(base(chance, `agent-${index}`, where))),
    ...several(2, (index) => bare(chance, `bare-${index}`, where)),
    ...several(1, (index) => job({ ...base(chance, `job-${index}`, where), pod: jobPod(chance) })),
    ...replicated.flatMap((workload) => budgets(chance, workload, where)),
    ...(chance.happens(0.07)
      ? [podDisruptionBudget({ name: 'all', namespace: where, matchLabels: {}, maxUnavailable: 1 })]
      : []),
  ];
}

function base(chance: Chance, name: string, where: string): WorkloadOptions {
  return { name, namespace: where, pod: podParts(chance) };
}

function set(chance: Chance, name: string, where: string): Workload {
  const volume = chance.happens(0.3) ? { volume: '1Gi' } : {};
  return statefulSet({ ...base(chance, name, where), replicas: chance.between(1, 3), ...volume });
}

/** No kubelet takes less than a second to start a pod or to end one, and a rehearsal counts on that. */
function podParts(chance: Chance): PodParts {
  const behaviour = behaviourOf(chance);
  return {
    graceSeconds: chance.of([0, 1, 1, 2, 2, 3, 3, 30]),
    ...(behaviour !== undefined && { behaviour }),
    ...(behaviour === 'slow-shutdown' && { graceSeconds: chance.between(1, 3) }),
    readyAfter: `${chance.of([1, 1, 1, 2, 3])}s`,
    goneAfter: '1s',
    ...(chance.happens(0.04) && { finalizers: [held] }),
    spec: {
      containers: [{ name: 'main', image: 'example.invalid/none:1', resources: { requests: requests(chance) } }],
      ...(chance.happens(0.25) && { priorityClassName: chance.of(['replay-low', 'replay-middle', 'replay-high']) }),
      ...placement(chance),
    },
  };
}

function behaviourOf(chance: Chance): Behaviour | undefined {
  if (chance.happens(0.15)) return 'slow-shutdown';
  return chance.happens(0.03) ? 'never-ready' : undefined;
}

function requests(chance: Chance): Record<string, string> {
  return { cpu: chance.of(['100m', '250m', '500m', '1', '2']), memory: chance.of(['64Mi', '256Mi', '1Gi', '2Gi']) };
}

function placement(chance: Chance): Record<string, unknown> {
  const tolerations = [
    ...(chance.happens(0.12) ? [{ key: 'dedicated', operator: 'Exists' }] : []),
    ...(chance.happens(0.05) ? [{ key: 'baremetal.cluster.gke.io/maintenance', operator: 'Exists' }] : []),
    ...(chance.happens(0.02) ? [{ operator: 'Exists' }] : []),
  ];
  return {
    ...(tolerations.length > 0 && { tolerations }),
    ...(chance.happens(0.15) && { nodeSelector: { disk: chance.of(['fast', 'slow']) } }),
  };
}

function bare(chance: Chance, name: string, where: string): KubeObject {
  const isFinished = chance.happens(0.2);
  const { readyAfter = '1s', ...parts } = podParts(chance);
  return pod({
    name,
    namespace: where,
    pod: {
      ...parts,
      ...(!isFinished && { readyAfter }),
      ...(isFinished && { behaviour: 'succeeds' as const, spec: { ...parts.spec, restartPolicy: 'Never' } }),
    },
  });
}

/** One that runs on, or has ended. */
function jobPod(chance: Chance): PodParts {
  const parts = podParts(chance);
  const { behaviour: _, readyAfter: __, ...rest } = parts;
  return chance.happens(0.5) ? { ...rest, behaviour: 'hangs' } : rest;
}

function budgets(chance: Chance, { metadata, spec }: Workload, where: string): KubeObject[] {
  if (!chance.happens(0.55)) return [];
  const replicas = Number(spec.replicas ?? 1);
  const matchLabels = { app: metadata.name };
  const first = podDisruptionBudget({
    name: metadata.name,
    namespace: where,
    matchLabels,
    ...numbers(chance, replicas),
  });
  const patient = chance.happens(0.15)
    ? { ...first, spec: { ...first.spec, unhealthyPodEvictionPolicy: 'AlwaysAllow' } }
    : first;
  const second = podDisruptionBudget({ name: `${metadata.name}-too`, namespace: where, matchLabels, minAvailable: 1 });
  return chance.happens(0.12) ? [patient, second] : [patient];
}

function numbers(chance: Chance, replicas: number) {
  return chance.of<{ minAvailable: number | string } | { maxUnavailable: number | string }>([
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
    { minAvailable: Math.max(1, replicas - 1) },
    { minAvailable: '50%' },
    { maxUnavailable: '34%' },
    // Impossible ones.
    { minAvailable: replicas },
    { maxUnavailable: 0 },
  ]);
}
