// What a kubelet would do, as kwok Stages. Of the stages that match an object kwok plays one at random, so no two of
// these may match the same one.
import { stringify } from 'yaml';
import { kubeletLabel, podAnnotations } from './behaviour.ts';

export interface Stage {
  readonly apiVersion: 'kwok.x-k8s.io/v1alpha1';
  readonly kind: 'Stage';
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

type Match =
  | readonly [key: string, operator: 'In' | 'NotIn', ...values: string[]]
  | readonly [key: string, operator: 'Exists' | 'DoesNotExist'];

interface StageParts {
  readonly name: string;
  readonly kind: 'Pod' | 'Node' | 'PersistentVolume' | 'PersistentVolumeClaim';
  readonly when: readonly Match[];
  readonly delay?: unknown;
  readonly next?: unknown;
  readonly steps?: unknown;
}

export function stage({ name, kind, when, delay, next, steps }: StageParts): Stage {
  const matchExpressions = when.map(([key, operator, ...values]) => ({
    key,
    operator,
    ...(values.length > 0 && { values }),
  }));
  const spec = { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions }, delay, next, steps };
  return { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage', metadata: { name }, spec };
}

export function stagesText(stages: readonly Stage[]): string {
  return stages.map((one) => stringify(one)).join('---\n');
}

const living: Match = ['.metadata.deletionTimestamp', 'DoesNotExist'];
const terminating: Match = ['.metadata.deletionTimestamp', 'Exists'];
const behaviour = `.metadata.annotations["${podAnnotations.behaviour}"]`;
const owner = '.metadata.ownerReferences.[].kind';
/** A hook of an uninstall cannot have annotations: what its Pods do is in its name. */
const hook = '.metadata.labels["quiesce.dev/uninstall-hook"]';
const attempt = '.metadata.labels["quiesce.dev/uninstall-attempt"]';
const phase = '.status.phase';
const ready = '.status.conditions.[] | select( .type == "Ready" ) | .status';

function after(annotation: string) {
  return { durationMilliseconds: 0, durationFrom: { expressionFrom: `.metadata.annotations["${annotation}"]` } };
}

function running(isReady: boolean): string {
  const condition = (type: string, status: boolean) =>
    `- {type: ${type}, status: "${status ? 'True' : 'False'}", lastTransitionTime: {{ $now | Quote }}}`;
  return `{{ $now := Now }}
phase: Running
startTime: {{ $now | Quote }}
conditions:
${condition('Initialized', true)}
${condition('Ready', isReady)}
${condition('ContainersReady', isReady)}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: ${isReady}
  started: true
  restartCount: 0
  state: {running: {startedAt: {{ $now | Quote }}}}
{{ end }}
{{ with NodeIPsWith .spec.nodeName }}
hostIP: {{ index . 0 | Quote }}
{{ end }}
{{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) .metadata.uid .metadata.name .metadata.namespace }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
`;
}

function finished(outcome: 'Succeeded' | 'Failed'): string {
  const [exitCode, reason] = outcome === 'Succeeded' ? [0, 'Completed'] : [1, 'Error'];
  return `{{ $now := Now }}
phase: ${outcome}
conditions:
- {type: Ready, status: "False", reason: PodCompleted, lastTransitionTime: {{ $now | Quote }}}
- {type: ContainersReady, status: "False", reason: PodCompleted, lastTransitionTime: {{ $now | Quote }}}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  started: false
  restartCount: 0
  state:
    terminated:
      exitCode: ${exitCode}
      reason: ${reason}
      startedAt: {{ $now | Quote }}
      finishedAt: {{ $now | Quote }}
{{ end }}
`;
}

const starting: readonly Match[] = [living, [phase, 'In', 'Pending']];
const up: readonly Match[] = [living, [phase, 'In', 'Running']];

/** Pods come up, those of Jobs succeed, and what is deleted is gone, each at once, unless annotated otherwise. */
export const podStages: readonly Stage[] = [
  stage({
    name: 'pod-runs',
    kind: 'Pod',
    when: [...starting, [behaviour, 'NotIn', 'never-starts', 'never-ready']],
    delay: after(podAnnotations.readyAfter),
    next: { statusTemplate: running(true) },
  }),
  stage({
    name: 'pod-runs-unready',
    kind: 'Pod',
    when: [...starting, [behaviour, 'In', 'never-ready']],
    next: { statusTemplate: running(false) },
  }),
  stage({
    name: 'job-pod-succeeds',
    kind: 'Pod',
    when: [
      ...up,
      [owner, 'In', 'Job'],
      [behaviour, 'NotIn', 'succeeds', 'fails', 'hangs'],
      [hook, 'NotIn', 'fails', 'hangs', 'fails-once'],
    ],
    delay: after(podAnnotations.finishAfter),
    next: { statusTemplate: finished('Succeeded') },
  }),
  stage({
    name: 'hook-fails',
    kind: 'Pod',
    when: [...up, [hook, 'In', 'fails']],
    next: { statusTemplate: finished('Failed') },
  }),
  stage({
    name: 'hook-fails-in-its-first-attempt',
    kind: 'Pod',
    when: [...up, [hook, 'In', 'fails-once'], [attempt, 'In', '1']],
    next: { statusTemplate: finished('Failed') },
  }),
  stage({
    name: 'hook-succeeds-in-a-later-attempt',
    kind: 'Pod',
    when: [...up, [hook, 'In', 'fails-once'], [attempt, 'NotIn', '1']],
    next: { statusTemplate: finished('Succeeded') },
  }),
  stage({
    name: 'pod-succeeds',
    kind: 'Pod',
    when: [...up, [behaviour, 'In', 'succeeds']],
    delay: after(podAnnotations.finishAfter),
    next: { statusTemplate: finished('Succeeded') },
  }),
  stage({
    name: 'pod-fails',
    kind: 'Pod',
    when: [...up, [behaviour, 'In', 'fails']],
    delay: after(podAnnotations.finishAfter),
    next: { statusTemplate: finished('Failed') },
  }),
  stage({
    name: 'pod-goes',
    kind: 'Pod',
    when: [terminating, [behaviour, 'NotIn', 'slow-shutdown', 'stuck']],
    delay: after(podAnnotations.goneAfter),
    next: { delete: true },
  }),
  stage({
    name: 'pod-goes-at-the-end-of-its-grace-period',
    kind: 'Pod',
    when: [terminating, [behaviour, 'In', 'slow-shutdown']],
    delay: { durationMilliseconds: 0, durationFrom: { expressionFrom: '.metadata.deletionTimestamp' } },
    next: { delete: true },
  }),
];

function nodeStatus(isReady: boolean): string {
  return `{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  {{ if eq .type "Ready" }}
  status: "${isReady ? 'True' : 'False'}"
  {{ else }}
  status: {{ .status | Quote }}
  {{ end }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
phase: Running
`;
}

const kubelet = `.metadata.labels["${kubeletLabel}"]`;

/** A node whose kubelet is dead is not in kwok's sight at all (see kwok.ts). */
export const nodeStages: readonly Stage[] = [
  stage({
    name: 'node-becomes-ready',
    kind: 'Node',
    when: [
      [kubelet, 'NotIn', 'unwell'],
      [ready, 'NotIn', 'True'],
    ],
    next: { statusTemplate: nodeStatus(true) },
  }),
  stage({
    name: 'node-becomes-unready',
    kind: 'Node',
    when: [
      [kubelet, 'In', 'unwell'],
      [ready, 'NotIn', 'False'],
    ],
    next: { statusTemplate: nodeStatus(false) },
  }),
];

const storageClass = ['.spec.storageClassName', 'In', 'standard'] as const satisfies Match;

/** The provisioner of StorageClass `standard`; binding and releasing is the controller manager's work. */
export const volumeStages: readonly Stage[] = [
  stage({
    name: 'claim-gets-a-volume',
    kind: 'PersistentVolumeClaim',
    when: [living, storageClass, [phase, 'In', 'Pending'], ['.spec.volumeName', 'DoesNotExist']],
    steps: [
      {
        apply: {
          template: `apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-{{ .metadata.uid }}
  annotations: {pv.kubernetes.io/provisioned-by: quiesce.test}
spec:
  accessModes:
  {{ range .spec.accessModes }}
  - {{ . | Quote }}
  {{ end }}
  capacity: {storage: {{ .spec.resources.requests.storage | Quote }}}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: standard
  claimRef:
    apiVersion: v1
    kind: PersistentVolumeClaim
    name: {{ .metadata.name | Quote }}
    namespace: {{ .metadata.namespace | Quote }}
    uid: {{ .metadata.uid | Quote }}
  csi: {driver: quiesce.test, volumeHandle: {{ .metadata.uid | Quote }}}
`,
        },
      },
    ],
  }),
  stage({
    name: 'released-volume-goes',
    kind: 'PersistentVolume',
    when: [living, storageClass, [phase, 'In', 'Released'], ['.spec.persistentVolumeReclaimPolicy', 'In', 'Delete']],
    next: { delete: true },
  }),
];
