import { shown } from '../../validate/grammar/fault.ts';
import { aboutPod, type BlockerDraft, podText, type Who } from './blocker-draft.ts';
import type { EvictionAnswer } from './eviction-answer.ts';
import type { AnsweredEviction, ObservedPod } from './observation.ts';
import type { Blocker } from './status.ts';

type Kind = EvictionAnswer['kind'];
type Answer<K extends Kind> = Extract<EvictionAnswer, { readonly kind: K }>;

interface RefusalWords<K extends Kind> {
  readonly code: Blocker['code'];
  readonly who: Who;
  readonly permanent?: boolean;
  /** From which attempt on it is worth a word: a failure that the next one may undo is no news until it repeats. */
  readonly from: number;
  readonly text: (pod: string, answer: Answer<K>, namespace: string) => string;
}

const words: { readonly [K in Kind]?: RefusalWords<K> } = {
  blockedByBudget: {
    code: 'pdb-budget',
    who: 'workload-owner',
    from: 2,
    text: (pod, { budget }) =>
      `${pod} waits for ${budget === undefined ? 'a PodDisruptionBudget' : `PodDisruptionBudget ${shown(budget)}`}.`,
  },
  budgetRefuses: {
    code: 'pdb-refused',
    who: 'operators',
    from: 1,
    text: (pod, { text }) => `Evicting ${pod} is refused by its budget: ${shown(text)}.`,
  },
  misconfigured: {
    code: 'pdb-several',
    who: 'workload-owner',
    permanent: true,
    from: 1,
    text: (pod) => `${pod} is in more than one PodDisruptionBudget.`,
  },
  forbidden: {
    code: 'forbidden',
    who: 'operators',
    from: 1,
    text: (pod, { text }) => `Evicting ${pod} is forbidden: ${shown(text)}.`,
  },
  namespaceTerminating: {
    code: 'namespace-terminating',
    who: 'operators',
    from: 2,
    text: (pod, _, namespace) =>
      `Namespace ${namespace} is being deleted, which refuses evictions: ${pod} goes when that deletes it.`,
  },
  serverError: {
    code: 'server-error',
    who: 'operators',
    from: 2,
    text: (pod, { status, text }) =>
      `Evicting ${pod} fails (${status === 0 ? 'no answer' : `HTTP ${status}`}): ${shown(text)}.`,
  },
  slowDown: {
    code: 'slow-down',
    who: 'operators',
    from: 3,
    text: () => 'The API server has too much to do to evict pods.',
  },
};

/** What the API server answered, where no budget that we see explains it. */
export function refusalBlocker(pod: ObservedPod, answered: AnsweredEviction | undefined): BlockerDraft | undefined {
  return answered && draft(pod, answered.answer, answered.attempts);
}

function draft<K extends Kind>(
  pod: ObservedPod,
  answer: Answer<K> & { readonly kind: K },
  attempts: number,
): BlockerDraft | undefined {
  const found: RefusalWords<K> | undefined = words[answer.kind];
  if (found === undefined || attempts < found.from) return undefined;
  const { code, who, permanent, text } = found;
  return {
    ...aboutPod(pod, code, who, text(podText(pod), answer, pod.namespace)),
    ...(permanent === true && { permanent }),
  };
}
