import type { Instant } from '../../instant.ts';
import { backoffMs } from '../kube/backoff.ts';
import { NoAnswer, Refused } from '../kube/failures.ts';
import type { RunMemory } from './act.ts';
import { type CarryOver, carryOver, type Deeds, deedsOf, type LastLook } from './carry-over.ts';
import type { NextLook } from './decision.ts';
import type { Discovery } from './discovery.ts';
import type { Followed } from './followed.ts';
import { allHooks } from './hooks.ts';
import { allKinds, kindKey } from './kinds.ts';
import { unreadBecause } from './listing.ts';
import type { NamespaceContent, UninstallObservation, Unread } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import type { UninstallStatus } from './status.ts';
import { type Look, type SurveyOptions, survey } from './survey.ts';

/** How far the looks at one plan have come. Forgotten with the process, which costs a look at everything. */
export interface Course {
  readonly plan: UninstallPlan;
  /** The same as text. */
  readonly text: string;
  readonly memory: RunMemory;
  /** Of what a claim leaves behind, others look at the same: their lists are shared instead. */
  readonly followed: Followed | undefined;
  look: Look | undefined;
  /** The same, also when it was acted upon. */
  last: LastLook | undefined;
  /** What came of acting upon it. */
  deeds: Deeds;
  looking: Promise<void> | undefined;
  discovery: Discovery | undefined;
  next: NextLook;
  /** In which kinds something was, in the last full look and since. */
  found: ReadonlySet<string>;
  contents: readonly NamespaceContent[];
  failures: number;
  /** Decisions in a row that led to nothing. */
  idle: number;
  notBefore: Instant;
}

export function openCourse(plan: UninstallPlan, memory: RunMemory, followed: Followed | undefined): Course {
  return {
    plan,
    text: JSON.stringify(plan),
    memory,
    followed,
    look: undefined,
    last: undefined,
    deeds: deedsOf([]),
    looking: undefined,
    discovery: undefined,
    next: firstLook(plan),
    found: new Set(),
    contents: [],
    failures: 0,
    idle: 0,
    notBefore: 0,
  };
}

/** At everything, and into namespaces that go for the first of two times: whoever tells of all tells of that as well. */
export function firstLook(plan: UninstallPlan): NextLook {
  return { depth: 'full', contents: firstContents(plan), instances: [], names: false };
}

function firstContents({ strategy, components }: UninstallPlan): string[] {
  if (strategy === 'Quick' || components.some(({ hooks }) => allHooks(hooks).length > 0)) return [];
  const going = components.filter(({ namespaces }) => namespaces === 'DeleteWhenEmpty');
  const spaces = going.flatMap(({ listed }) => listed).filter((id) => kindKey(id) === '/Namespace');
  return [...new Set(spaces.map(({ name }) => name))].sort();
}

interface LookTools extends SurveyOptions {
  readonly random: () => number;
  /** The cluster could not be looked at. */
  onBlind(name: string, error: Error): void;
  /** What nobody foresaw. */
  onError(error: unknown): void;
}

const retry = { firstMs: 1000, longestMs: 30_000 } as const;
/** Two looks into a namespace that are closer than this count as one. */
const apartMs = 1000;

/** The next look is in the course then, or it is said why there is none. */
export async function lookOnce(tools: LookTools, plan: UninstallPlan, course: Course): Promise<void> {
  const { now, random, onBlind, onError } = tools;
  try {
    const { found, contents, discovery: known } = course;
    const carried = carriedFor(now(), plan, course);
    const before = { kinds: found, contents: earlier(contents, now()), discovery: known, carried };
    const { look, discovery } = await survey({ ...tools, followed: course.followed }, plan, {
      next: course.next,
      before,
    });
    course.discovery = discovery;
    course.look = look;
    course.last = { look, wholeAt: carried === undefined ? look.at : (course.last?.wholeAt ?? look.at) };
    course.failures = 0;
    course.notBefore = 0;
    const seen = new Set(look.objects.map(kindKey));
    course.found = look.depth === 'full' ? seen : new Set([...course.found, ...seen]);
    const asked = course.next.contents;
    course.contents = [...contents.filter(({ namespace }) => !asked.includes(namespace)), ...look.contents];
  } catch (error) {
    course.failures += 1;
    course.notBefore = now() + backoffMs(retry, course.failures, random);
    if (!(error instanceof Refused || error instanceof NoAnswer)) return onError(error);
    onBlind(plan.subject.name, error);
    course.look = blindLook(now(), course, unreadBecause(allKinds, error));
  }
}

/** So that it can be said that nothing is known. */
export function blindLook(at: Instant, { last, next: { depth } }: Course, unread: Unread): Look {
  const nothing = { unserved: [], contents: [], instances: [], jobs: [], releases: [] };
  return { ...nothing, at, depth, names: false, objects: last?.look.objects ?? [], unread: [unread] };
}

function carriedFor(now: Instant, plan: UninstallPlan, { last, next, deeds }: Course): CarryOver | undefined {
  return last === undefined || next.depth !== 'narrow' || next.names
    ? undefined
    : carryOver(now, plan, { last, deeds });
}

/** Asks for next to nothing. */
export function isNarrow({ depth, contents, instances, names }: NextLook): boolean {
  return depth === 'narrow' && contents.length + instances.length === 0 && !names;
}

/** Of each namespace the latest that is old enough to be another look; until there is one, the first. */
function earlier(contents: readonly NamespaceContent[], now: Instant): NamespaceContent[] {
  const byNamespace = new Map<string, NamespaceContent>();
  for (const content of contents) {
    const known = byNamespace.get(content.namespace);
    if (known === undefined || content.at <= now - apartMs) byNamespace.set(content.namespace, content);
  }
  return [...byNamespace.values()];
}

/** Some looks only prepare the next one. Many in a row without a deed are a mistake, which must not become a flood. */
export function idlePauseMs(idle: number): number {
  return idle <= 8 ? 0 : Math.min(10_000, 50 * 2 ** (idle - 8));
}

export function observation(look: Look, { memory }: Course, shown: UninstallStatus | undefined): UninstallObservation {
  const { refusals, deletions } = memory;
  return { ...look, shown, refusals: Object.fromEntries(refusals), deletions: Object.fromEntries(deletions) };
}
