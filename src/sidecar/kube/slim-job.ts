import { type Slim, versionOf } from './cache.ts';
import type { RawObject } from './watch.ts';

/** A Job with what came of it. */
export interface SlimJob extends Slim {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** UIDs of its owners. */
  readonly owners: readonly string[];
  readonly state: 'Active' | 'Complete' | 'Failed';
  readonly createdAt: number;
  readonly finishedAt?: number;
  /** Why it failed. */
  readonly message?: string;
}

interface RawJob {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

/** Over is only what the Job controller calls so: until then a Pod of it may still run. */
export function slimJob(object: RawObject): SlimJob {
  const { metadata, status } = object as RawJob;
  const end = status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const { message, lastTransitionTime } = end ?? {};
  return {
    name: metadata.name,
    version: versionOf(object),
    uid: metadata.uid,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    state: end === undefined ? 'Active' : end.type === 'Complete' ? 'Complete' : 'Failed',
    createdAt: Date.parse(metadata.creationTimestamp),
    ...(lastTransitionTime !== undefined && { finishedAt: Date.parse(lastTransitionTime) }),
    ...(end?.type === 'Failed' && message !== undefined && message !== '' && { message }),
  };
}
