import type { Instant } from '../../instant.ts';
import type { ObservedPod } from './observation.ts';
import type { Blocker } from './status.ts';

/** Before it is known since when it has been in the way. */
export interface BlockerDraft extends Omit<Blocker, 'since'> {
  /** Where the objects themselves tell. */
  readonly sinceAt?: Instant;
}

/** Who has to act. */
export type Who = 'operators' | 'workload-owner' | 'controller' | 'applier';

export function aboutPod(pod: ObservedPod, code: Blocker['code'], who: Who, message: string): BlockerDraft {
  return { code, who, message, pod: { namespace: pod.namespace, name: pod.name } };
}

export function podText({ namespace, name }: Pick<ObservedPod, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
