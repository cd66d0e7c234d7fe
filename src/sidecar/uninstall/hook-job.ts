import { hookLabels } from './belongs.ts';
import type { HookStart } from './decision.ts';
import type { SeenJob } from './observation.ts';

/** The Job as it is created: one Pod, once; whether and when there is another attempt is decided by us. */
export function hookJobObject({ namespace, hook, job, labels }: HookStart): object {
  const { image, command, serviceAccount, timeoutSeconds } = hook;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, name: job, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: timeoutSeconds,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
          containers: [{ name: 'hook', image, ...(command.length > 0 && { command: [...command] }) }],
        },
      },
    },
  };
}

export interface RawJob {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

export function seenJob({ metadata, status = {} }: RawJob): SeenJob {
  const { name, namespace = '', uid, creationTimestamp, deletionTimestamp, labels = {} } = metadata;
  const ended = status.conditions?.find(({ type, status: holds }) => holds === 'True' && endings.includes(type));
  const why = [ended?.reason, ended?.message].filter((part) => part !== undefined && part !== '').join(': ');
  return {
    name,
    namespace,
    uid,
    component: labels[hookLabels.component] ?? '',
    hook: labels[hookLabels.hook] ?? '',
    attempt: Number(labels[hookLabels.attempt] ?? 1),
    createdAt: Date.parse(creationTimestamp),
    ...(ended?.lastTransitionTime !== undefined && { endedAt: Date.parse(ended.lastTransitionTime) }),
    ...(deletionTimestamp !== undefined && { deletedAt: Date.parse(deletionTimestamp) }),
    state: ended === undefined ? 'Running' : ended.type === 'Complete' ? 'Succeeded' : 'Failed',
    ...(why !== '' && { why }),
  };
}

const endings: readonly string[] = ['Complete', 'Failed'];

export interface RawJobPod {
  readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string }[] };
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** Why it does not begin: an image, a configuration, no node that takes it, or no Pod at all. */
export function waitOf({ uid, name }: SeenJob, pods: readonly RawJobPod[]): string | undefined {
  const own = pods.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
  if (own.length === 0) return `Job ${name} has no Pod: its events tell why`;
  for (const { status = {} } of own) {
    for (const { state } of status.containerStatuses ?? []) {
      const { reason = '', message = '' } = state?.waiting ?? {};
      if (reason !== '' && reason !== 'ContainerCreating' && reason !== 'PodInitializing')
        return `${reason}: ${message}`;
    }
    const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
    if (scheduled?.status === 'False') return `no node takes its Pod: ${scheduled.message ?? ''}`;
  }
  return undefined;
}
