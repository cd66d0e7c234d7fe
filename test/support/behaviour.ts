/** On a Pod, or in a Pod template: */
export const podAnnotations = {
  /** One of `Behaviour`. Changed on a living Pod, it takes effect: `stuck` removed lets a stuck Pod go. */
  behaviour: 'quiesce.test/behaviour',
  /** Durations as Go writes them, `1.5s`; default is at once. */
  readyAfter: 'quiesce.test/ready-after',
  finishAfter: 'quiesce.test/finish-after',
  /** From being told to go; at once where the Pod has no grace period. */
  goneAfter: 'quiesce.test/gone-after',
} as const;

export type Behaviour =
  /** Gone when its grace period is over, not earlier. */
  | 'slow-shutdown'
  /** Terminating for ever, as under a kubelet that cannot unmount. */
  | 'stuck'
  /** Ends with exit code 1. */
  | 'fails'
  /** Ends with exit code 0; Pods of Jobs do so by themselves. */
  | 'succeeds'
  /** A Job's Pod that runs for ever. */
  | 'hangs'
  | 'never-ready'
  /** Scheduled, and Pending for ever. */
  | 'never-starts';

/** On a Node: `dead` (its lease is not renewed, its Pods' end not confirmed) or `unwell` (says Ready=False itself). */
export const kubeletLabel = 'quiesce.test/kubelet';
