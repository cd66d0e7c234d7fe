import * as z from 'zod';
import type { ObservedBudget } from '../../sidecar/maintenance/observation.ts';
import type { SnapshotController, SnapshotNode, SnapshotPod, SnapshotVolume } from '../snapshot.ts';
import {
  amounts,
  controllingOwner,
  flag,
  instant,
  labelSelector,
  maybe,
  namedObject,
  nodeTerm,
  number,
  text,
  textByName,
  texts,
} from './fields.ts';

const effect = z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

export const node: z.ZodType<SnapshotNode> = z.object({
  name: text,
  uid: text,
  resourceVersion: text,
  createdAt: instant,
  addresses: texts,
  taints: z.array(z.object({ key: text, effect, value: maybe(text), timeAdded: maybe(text) })),
  unschedulable: flag,
  annotations: textByName,
  ready: maybe(z.object({ status: z.enum(['True', 'False', 'Unknown']), since: instant })),
  volumesInUse: texts,
  csiDrivers: maybe(texts),
  labels: textByName,
  allocatable: amounts,
});

const toleration = z.object({
  key: maybe(text),
  operator: maybe(text),
  value: maybe(text),
  effect: maybe(text),
  tolerationSeconds: maybe(number),
});

const podTerm = z.object({
  topologyKey: text,
  selector: maybe(labelSelector),
  namespaces: maybe(z.union([texts, z.literal('*')])),
});

const placement = z.object({
  requests: amounts,
  nodeSelector: maybe(textByName),
  nodeAffinity: maybe(z.array(nodeTerm)),
  podAffinity: maybe(z.array(podTerm)),
  podAntiAffinity: maybe(z.array(podTerm)),
  spread: maybe(z.array(z.object({ topologyKey: text, maxSkew: number, selector: maybe(labelSelector) }))),
  hostPorts: maybe(texts),
  scheduler: maybe(text),
  claimsDevices: maybe(z.literal(true)),
});

export const pod: z.ZodType<SnapshotPod> = z.object({
  ...namedObject.shape,
  node: text,
  createdAt: instant,
  labels: textByName,
  phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']),
  ready: flag,
  priorityClassName: maybe(text),
  priority: maybe(number),
  owner: maybe(controllingOwner),
  mirror: flag,
  deletionAt: maybe(instant),
  graceSeconds: number,
  finalizers: texts,
  tolerations: z.array(toleration),
  registersPlugins: flag,
  claims: texts,
  placement,
  startedInSeconds: maybe(number),
  owners: maybe(z.array(z.object({ uid: text, kind: text, name: text }))),
  rendered: maybe(z.literal(true)),
});

export const controller: z.ZodType<SnapshotController> = z.object({
  ...namedObject.shape,
  apiVersion: text,
  kind: text,
  replicas: maybe(number),
  owner: maybe(controllingOwner),
  isParallel: maybe(z.literal(true)),
});

const numberOrText = z.union([number, text]);

export const budget: z.ZodType<ObservedBudget> = z.object({
  namespace: text,
  name: text,
  generation: number,
  selector: maybe(labelSelector),
  minAvailable: maybe(numberOrText),
  maxUnavailable: maybe(numberOrText),
  unhealthyPodEvictionPolicy: maybe(text),
  status: maybe(
    z.object({
      observedGeneration: number,
      disruptionsAllowed: number,
      currentHealthy: number,
      desiredHealthy: number,
      expectedPods: number,
      reason: maybe(text),
      message: maybe(text),
    }),
  ),
});

export const volume: z.ZodType<SnapshotVolume> = z.object({
  name: text,
  claim: maybe(z.object({ namespace: text, name: text })),
  inUseAs: maybe(text),
  reclaim: z.enum(['Delete', 'Retain']),
  reach: maybe(z.array(nodeTerm)),
});
