import type { Instant } from '../../instant.ts';
import type { BlockerDraft } from './blocker.ts';
import type { NextLook, UninstallAction } from './decision.ts';
import type { SeenObject, UninstallObservation } from './observation.ts';
import type { PlannedComponent, UninstallPlan } from './plan.ts';
import type { HookStatus } from './status.ts';

/** One component as one look shows it. */
export interface ComponentView {
  readonly now: Instant;
  readonly plan: UninstallPlan;
  readonly component: PlannedComponent;
  readonly observation: UninstallObservation;
  /** Ours, without Namespaces: those go last, when no component has anything in them. */
  readonly objects: readonly SeenObject[];
  /** UIDs of everything that is to be removed, of any component. */
  readonly going: ReadonlySet<string>;
  /** As the status shows them: a Job may be gone that has succeeded. */
  readonly hooks: readonly HookStatus[];
}

/** What a step has to do. "Not yet" is a value: nothing to do and not done is to wait. */
export interface StepOutcome {
  readonly isDone: boolean;
  /** What it is at, in a few words. */
  readonly at?: string;
  readonly actions: readonly UninstallAction[];
  readonly blockers: readonly BlockerDraft[];
  readonly look?: Partial<NextLook>;
  /** When time alone changes what is to be done. */
  readonly wake?: readonly Instant[];
  /** It waits for other components alone: they must not have to wait for it. */
  readonly isForOthers?: boolean;
}

export const done: StepOutcome = { isDone: true, actions: [], blockers: [] };

export function waiting(at: string, rest: Partial<StepOutcome> = {}): StepOutcome {
  return { isDone: false, at, actions: [], blockers: [], ...rest };
}

/** Several at once: done when all are. */
export function together(parts: readonly StepOutcome[]): StepOutcome {
  const open = parts.filter(({ isDone }) => !isDone);
  const at = open.map((part) => part.at).find((text) => text !== undefined && text !== '');
  return {
    isDone: open.length === 0,
    ...(at !== undefined && { at }),
    actions: parts.flatMap(({ actions }) => actions),
    blockers: parts.flatMap(({ blockers }) => blockers),
    wake: parts.flatMap(({ wake = [] }) => wake),
    look: mergeLooks(parts.map(({ look = {} }) => look)),
    isForOthers: open.length > 0 && open.every(({ isForOthers }) => isForOthers === true),
  };
}

export function mergeLooks(looks: readonly Partial<NextLook>[]): NextLook {
  return {
    depth: looks.some(({ depth }) => depth === 'full') ? 'full' : 'narrow',
    contents: sortedOnce(looks.flatMap(({ contents = [] }) => contents)),
    instances: sortedOnce(looks.flatMap(({ instances = [] }) => instances)),
    names: looks.some(({ names }) => names === true),
  };
}

function sortedOnce(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
