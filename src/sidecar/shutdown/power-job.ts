import type { SlimJob } from '../kube/slim-job.ts';
import type { PowerAction } from './action.ts';
import type { ObservedPowerJob, Power } from './observation.ts';

/** On every Job of a power hook, with the name of its ClusterShutdown: by it they are found again. */
export const powerHookLabel = 'quiesce.dev/power-hook';

/** An address is no value for a label: IPv6 has colons. */
const notes = {
  address: 'quiesce.dev/power-address',
  power: 'quiesce.dev/power',
  generation: 'quiesce.dev/power-generation',
} as const;

/** Any number that is not root; our namespace takes no Pods that might be. */
const nobody = 65_532;

export interface PowerJobPlace {
  readonly namespace: string;
  readonly shutdown: { readonly name: string; readonly uid: string; readonly cluster: string };
}

/**
 * The user's hook for one machine. One attempt: a machine that is half off is for people to look at. It has no time to
 * live, since a finished Job that is gone would be run again; it goes with the order, or with its ClusterShutdown. It runs on the node that
 * is turned off last, whatever taints that has by then.
 */
export function powerJob(action: PowerAction, { namespace, shutdown }: PowerJobPlace): object {
  const { job, hook, power, address, generation, runOn } = action;
  const labels = { [powerHookLabel]: shutdown.name, 'app.kubernetes.io/part-of': 'quiesce' };
  const annotations = {
    [notes.address]: address,
    [notes.power]: power,
    [notes.generation]: String(generation),
  };
  const owner = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', name: shutdown.name, uid: shutdown.uid };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: job, namespace, labels, annotations, ownerReferences: [owner] },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: hook.timeoutSeconds,
      template: { metadata: { labels, annotations }, spec: podOf(action, shutdown.cluster, runOn) },
    },
  };
}

/** What Kubernetes' `restricted` standard asks for. */
function podOf({ hook, power, node, address }: PowerAction, cluster: string, runOn: string): object {
  const { image, command = [], serviceAccount } = hook;
  const environment = {
    QUIESCE_CLUSTER: cluster,
    QUIESCE_NODE: node,
    QUIESCE_ADDRESS: address,
    QUIESCE_POWER: power.toLowerCase(),
  };
  return {
    restartPolicy: 'Never',
    ...(serviceAccount === undefined
      ? { automountServiceAccountToken: false }
      : { serviceAccountName: serviceAccount }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: nobody,
      runAsGroup: nobody,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [runOn] }] }],
        },
      },
    },
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'power',
        image,
        ...(command.length > 0 && { command }),
        env: Object.entries(environment).map(([name, value]) => ({ name, value })),
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}

/** Nothing where it is not one of this shutdown: one of the same name may have been there before. */
export function observedPowerJob(job: SlimJob, shutdownUid: string): ObservedPowerJob[] {
  const { [notes.address]: address, [notes.power]: power, [notes.generation]: generation } = job.annotations;
  if (!job.owners.includes(shutdownUid) || address === undefined || !isPower(power)) return [];
  const { name, uid, state, createdAt, finishedAt, message } = job;
  return [
    {
      name,
      uid,
      address,
      power,
      generation: Number(generation),
      state,
      startedAt: createdAt,
      ...(finishedAt !== undefined && { finishedAt }),
      ...(message !== undefined && { message }),
    },
  ];
}

function isPower(text: string | undefined): text is Power {
  return text === 'Off' || text === 'On';
}
