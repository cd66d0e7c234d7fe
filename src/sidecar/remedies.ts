const people: Readonly<Record<string, string>> = {
  applier: 'the applier (Argo CD or Flux)',
  controller: 'a controller of the cluster',
  lifecycle: 'the lifecycle runner, or whoever may merge to state/',
  'object-owner': 'whoever may merge to state/',
  operators: 'the people who run the cluster',
  'workload-owner': 'the owner of the workload',
};

export function whoText(who: string | undefined): string {
  return who === undefined ? 'nobody: it passes by itself' : (people[who] ?? who);
}

type Remedy = (name: string) => string;

/** What to do about what is in the way, by its code; where the message says it all, there is none. */
const remedies: Readonly<Record<string, Remedy>> = {
  'workload-missing': () =>
    'See whether the applier is in sync and may write to that namespace; it makes the object again.',
  'applier-behind': () => 'Nothing for a few minutes. Then see whether the applier is in sync, or suspended.',
  'scaled-by-hand': (name) =>
    `To have it so, write it in state/: "quiesce wake ${name}" or "quiesce sleep ${name}", or spec.replicas. See that no autoscaler targets it.`,
  'paused-by-hand': (name) => `To have it so, "quiesce sleep ${name}"; else nothing: the applier sets it back.`,
  'resumed-by-hand': (name) => `To have it so, "quiesce wake ${name}"; else nothing: the applier sets it back.`,
  'pod-not-ready': () => 'Look at the events and the log of the pod.',
  'not-in-git': (name) =>
    `To delete it, "quiesce delete ${name}"; to keep it, "kubectl annotate vcc ${name} quiesce.dev/withdraw-deletion=".`,
  'namespace-terminating': () => 'See what is left in the namespace; the applier makes it again once it is gone.',
  finalizer: () => 'Bring back the controller that releases this finalizer, or remove the finalizer by hand.',
  'stuck-terminating': () => 'Restart the node that the pod is on.',
  forbidden: () => 'Give the sidecar its permissions back: they are rendered in out/<cluster>/system/.',
  'server-error': () => 'See how the API server is; it is tried again.',
  'slow-down': () => 'Nothing: the API server asks for patience.',
  unread: () => 'See why the API server cannot list it: an APIService without its Service, or missing permissions.',
  'namespace-unread': () => 'See why these kinds cannot be listed: until then the namespace is kept.',
  'namespace-stuck': () => 'See the conditions of the namespace.',
  'webhook-refused': () => 'Bring back what answers this webhook, or delete its configuration.',
  'data-owned': () => 'Remove that owner reference, or say in git that the data may go.',
  'made-anew': () => 'Find out who makes it: an applier that still renders it, an operator, or a script.',
  'confirm-missing': (name) => `Write "confirm: ${name}" in git.`,
  'hook-failed': () => 'Look at the log of the Job; it is started again.',
  'hook-image': () => 'See that the image is there and may be pulled.',
  'release-failed': () => 'Look at what Helm says; it is tried again.',
};

export function remedyFor(code: string, name: string): string | undefined {
  return Object.hasOwn(remedies, code) ? remedies[code]?.(name) : undefined;
}
