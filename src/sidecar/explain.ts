import { remedyFor, whoText } from './remedies.ts';
import type { AnyBlocker, LifeStatus, LifeView } from './status-view.ts';

/** Why something is where it is, what it waits for, and who has to act: codes first, words beside them. */
export interface Explanation {
  readonly kind: 'claim' | 'installation';
  readonly name: string;
  /** What git asks for. */
  readonly state: string;
  readonly phase: string;
  readonly reason?: string;
  readonly since?: string;
  readonly why: readonly string[];
  /** What is being done now, and how far. */
  readonly doing?: string;
  readonly waitingFor: readonly Wait[];
  /** Each once; nobody while everything takes its course. */
  readonly hasToAct: readonly string[];
  readonly lastError?: NonNullable<LifeStatus['lastError']>;
  readonly leftovers: NonNullable<LifeStatus['leftovers']>;
  readonly orphaned: NonNullable<LifeStatus['orphaned']>;
}

export interface Wait extends AnyBlocker {
  /** Of an installation. */
  readonly component?: string;
  readonly remedy?: string;
}

type Explained = LifeView & {
  readonly status: LifeStatus & {
    readonly components?: readonly { readonly name: string; readonly blockers?: readonly AnyBlocker[] }[];
  };
};

export function explain(kind: Explanation['kind'], view: Explained): Explanation {
  const { name, state, status } = view;
  const { phase = 'Unseen', reason, since, lastError, leftovers = [], orphaned = [] } = status;
  const doing = doingOf(status);
  const waitingFor = waitsOf(view);
  return {
    kind,
    name,
    state,
    phase,
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
    why: whyOf(view),
    ...(doing !== undefined && { doing }),
    waitingFor,
    hasToAct: [...new Set(waitingFor.map(({ who }) => whoText(who)))],
    ...(lastError !== undefined && { lastError }),
    leftovers,
    orphaned,
  };
}

/** What the resource itself says, and what its conditions tell of what came before. */
function whyOf({ deleting, status }: Explained): string[] {
  const { conditions = [], phase } = status;
  if (phase === undefined)
    return ['The sidecar has not looked at it yet: it does not run, does not lead, or cannot read it.'];
  const told = ['Ready', 'UninstallStopped'].flatMap((type) => conditions.find((each) => each.type === type) ?? []);
  const isHeld = deleting && phase !== 'DeletePending';
  return [
    ...told.map(({ message }) => message),
    ...(isHeld ? ['It is deleted on the cluster as well; our finalizer holds it until its uninstall is over.'] : []),
  ];
}

function doingOf({ step, done, total, attempt, retryAt }: LifeStatus): string | undefined {
  if (step === undefined) return undefined;
  const progress = done === undefined || total === undefined ? '' : `, ${done} of ${total} steps done`;
  const again = attempt === undefined || attempt < 2 ? '' : `, attempt ${attempt}`;
  return `${step}${progress}${again}${retryAt === undefined ? '' : `, next attempt at ${retryAt}`}`;
}

function waitsOf({ name, status }: Explained): Wait[] {
  const { blockers = [], components = [] } = status;
  const own = components.flatMap(({ name: component, blockers: theirs = [] }) =>
    theirs.map((blocker) => ({ ...blocker, component })),
  );
  const told = new Set(own.map(({ code, message }) => `${code} ${message}`));
  const rest = blockers.filter(({ code, message }) => !told.has(`${code} ${message}`));
  return [...own, ...rest].map((blocker): Wait => {
    const remedy = remedyFor(blocker.code, name);
    return { ...blocker, ...(remedy !== undefined && { remedy }) };
  });
}
