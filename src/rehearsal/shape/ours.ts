import * as z from 'zod';
import type { ObservedClaim } from '../../sidecar/claims/observation.ts';
import type { ClaimStatus } from '../../sidecar/claims/status.ts';
import type { ObservedInstallation } from '../../sidecar/installations/observation.ts';
import type { InstallationStatus } from '../../sidecar/installations/status.ts';
import type { Blocker } from '../../sidecar/maintenance/status.ts';
import type { UninstallBlocker } from '../../sidecar/uninstall/blocker.ts';
import type { SnapshotWorkload } from '../snapshot.ts';
import { flag, instant, maybe, number, objectReference, text, texts, word } from './fields.ts';

const blockers = z.array(
  z.object({
    code: word<Blocker['code'] & UninstallBlocker['code']>(),
    who: maybe(text),
    since: maybe(text),
    message: text,
    permanent: maybe(flag),
    object: maybe(objectReference),
    pod: maybe(z.object({ namespace: text, name: text })),
    pdb: maybe(
      z.object({
        namespace: text,
        name: text,
        disruptionsAllowed: maybe(number),
        currentHealthy: maybe(number),
        desiredHealthy: maybe(number),
      }),
    ),
    volume: maybe(text),
    finalizer: maybe(text),
  }),
);

const status = {
  observedGeneration: maybe(number),
  reason: maybe(text),
  since: maybe(text),
  heartbeat: maybe(text),
  step: maybe(text),
  attempt: maybe(number),
  done: maybe(number),
  total: maybe(number),
  retryAt: maybe(text),
  lastError: maybe(z.object({ code: text, message: text, at: maybe(text), retryable: maybe(flag) })),
  run: maybe(text),
  leftovers: maybe(z.array(objectReference)),
  orphaned: maybe(z.array(objectReference)),
  blockers: maybe(blockers),
  conditions: maybe(
    z.array(
      z.object({
        type: text,
        status: z.enum(['True', 'False', 'Unknown']),
        observedGeneration: maybe(number),
        lastTransitionTime: text,
        reason: text,
        message: text,
      }),
    ),
  ),
};

const claimStatus: z.ZodType<ClaimStatus> = z.object({
  ...status,
  phase: maybe(word<NonNullable<ClaimStatus['phase']>>()),
  replicas: maybe(z.object({ desired: number, observed: number, ready: number })),
});

const resource = {
  name: text,
  uid: text,
  resourceVersion: text,
  generation: number,
  deletedAt: maybe(instant),
  finalizers: texts,
  isWithdrawn: flag,
};

export const claim: z.ZodType<ObservedClaim> = z.object({
  ...resource,
  spec: z.object({
    state: z.enum(['Running', 'Sleeping', 'Deleted']),
    namespace: text,
    replicas: number,
    backingStore: text,
    keepData: flag,
    objects: z.array(objectReference),
  }),
  status: maybe(claimStatus),
});

type InstallationPhase = NonNullable<InstallationStatus['phase']>;

const componentStatus = z.object({
  name: text,
  phase: word<InstallationPhase>(),
  since: maybe(text),
  hooks: maybe(
    z.array(z.object({ name: text, state: z.enum(['Running', 'Succeeded', 'Failed']), attempt: maybe(number) })),
  ),
  blockers: maybe(blockers),
});

const installationStatus: z.ZodType<InstallationStatus> = z.object({
  ...status,
  phase: maybe(word<InstallationPhase>()),
  components: maybe(z.array(componentStatus)),
});

const hooks = z.array(
  z.object({ name: text, image: text, command: texts, serviceAccount: maybe(text), timeoutSeconds: number }),
);

const component = z.object({
  name: text,
  namespace: text,
  dependsOn: texts,
  wave: number,
  deletion: z.object({
    preDelete: hooks,
    delete: hooks,
    postDelete: hooks,
    sweep: z.array(z.object({ apiGroups: texts, kinds: texts, selector: text, namespace: maybe(text) })),
    persistentVolumeClaims: z.enum(['Retain', 'Delete']),
    namespace: z.enum(['DeleteWhenEmpty', 'Keep']),
  }),
  helm: maybe(z.object({ release: text })),
  objects: maybe(z.array(objectReference)),
});

export const installation: z.ZodType<ObservedInstallation> = z.object({
  ...resource,
  spec: z.object({
    state: z.enum(['Installed', 'Deleted']),
    deletion: z.object({ strategy: z.enum(['Ordered', 'Quick']), timeoutSeconds: number, confirm: flag }),
    components: z.array(component),
  }),
  status: maybe(installationStatus),
});

export const claimWorkload: z.ZodType<SnapshotWorkload> = z.object({
  kind: z.enum(['StatefulSet', 'Deployment']),
  namespace: text,
  name: text,
  part: z.enum(['control-plane', 'etcd', 'other']),
  generation: number,
  observedGeneration: number,
  replicas: number,
  observed: number,
  ready: number,
  isMarkedAsleep: flag,
  isPaused: flag,
  pausedAt: maybe(text),
  scaledBy: maybe(text),
  deletionAt: maybe(instant),
});
