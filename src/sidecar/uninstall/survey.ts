import type { Instant } from '../../instant.ts';
import type { KubeClient } from '../kube/client.ts';
import { withBackends } from './backends.ts';
import type { CarryOver } from './carry-over.ts';
import type { NextLook } from './decision.ts';
import type { Discovery, ServedKind } from './discovery.ts';
import type { Followed } from './followed.ts';
import { type Kinded, kindKey } from './kinds.ts';
import type { Lister } from './lister.ts';
import type { ListAsk, Listed } from './listing.ts';
import { lookedInto } from './namespaces.ts';
import type { NamespaceContent, SeenObject, UninstallObservation, Unread } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { type RawSeen, seenObject } from './project.ts';
import { readMissing, readNamed } from './survey-named.ts';
import { readCalled, readClaims, readContent, readSwept } from './survey-objects.ts';
import { readOwn } from './survey-own.ts';
import { readInstances, readJobs, readReleases } from './survey-parts.ts';

/** What is seen; what is remembered is added by whoever asks. */
export type Look = Omit<UninstallObservation, 'shown' | 'refusals' | 'deletions'>;

export interface SurveyOptions {
  readonly client: KubeClient;
  readonly lister: Lister;
  /** For what is asked for again and again. */
  readonly followed?: Pick<Followed, 'list'> | undefined;
  readonly now: () => Instant;
  discover(): Promise<Discovery>;
}

/** Of the look before. */
interface LookBefore {
  /** By `kindKey`: where something of the plan's was. */
  readonly kinds: ReadonlySet<string>;
  readonly contents: readonly NamespaceContent[];
  /** Undefined: there was none. */
  readonly discovery: Discovery | undefined;
  /** Only for a narrow look. */
  readonly carried: CarryOver | undefined;
}

/** The tools of one look. */
export interface Survey extends SurveyOptions {
  readonly plan: UninstallPlan;
  readonly discovery: Discovery;
  /** Collected on the way. */
  readonly unread: Unread[];
  /** Not carried over. */
  isAsked(kind: Kinded): boolean;
  list(ask: ListAsk): Promise<readonly SeenObject[]>;
  /** The same, in a look that carries over: then the API server need not be asked each time. */
  follow(ask: ListAsk): Promise<readonly SeenObject[]>;
  listRaw(ask: ListAsk): Promise<readonly RawSeen[]>;
}

/**
 * Reads everything that the plan speaks of. Throws Refused or NoAnswer only if not even the kinds are known; any list
 * that fails is in the result as such.
 */
export async function survey(
  options: SurveyOptions,
  plan: UninstallPlan,
  { next, before }: { readonly next: NextLook; readonly before: LookBefore },
): Promise<{ readonly look: Look; readonly discovery: Discovery }> {
  const at = options.now();
  // Where kinds matter that came since, they are asked for anew; one that went has no content.
  const isNarrow = next.depth === 'narrow' && next.contents.length + next.instances.length === 0;
  const known = isNarrow ? before.discovery : undefined;
  const { carried } = before;
  const tools = openSurvey(options, { plan, discovery: known ?? (await options.discover()), carried });
  const mayHaveOwn = (kind: ServedKind) => next.depth === 'full' || before.kinds.has(kindKey(kind));
  const named = plan.components.flatMap((component) => component.named);
  // At the same moment, so that one list may serve several of them.
  const [contents, ...found] = await Promise.all([
    Promise.all(next.contents.map((namespace) => readContent(tools, namespace))),
    readOwn(tools, (kind) => tools.isAsked(kind) && mayHaveOwn(kind)),
    readNamed(tools, named.filter(tools.isAsked)),
    readSwept(tools),
    readClaims(tools),
    readCalled(tools),
  ]);
  const objects = merged(found.flat());
  const missing = next.names ? await readMissing(tools, { plan, objects, contents }) : [];
  const [instances, jobs, releases, withAlive] = await Promise.all([
    readInstances(tools, next.instances),
    // Where there are any, nothing is carried over.
    carried === undefined ? readJobs(tools) : [],
    carried === undefined ? readReleases(tools) : [],
    withBackends(tools, merged([...objects, ...missing])),
  ]);
  const look: Look = {
    at,
    unserved: tools.discovery.unserved,
    depth: next.depth,
    names: next.names,
    objects: [...(carried?.objects ?? []).map((object) => ({ ...object, isCarried: true }) as const), ...withAlive],
    unread: tools.unread,
    contents: [...before.contents.filter(({ namespace }) => next.contents.includes(namespace)), ...contents],
    lookedInto: lookedInto([...before.contents, ...contents]),
    ...(next.bareSince !== undefined && { bareSince: next.bareSince }),
    instances,
    jobs,
    releases,
  };
  return { look, discovery: tools.discovery };
}

type Subject = Pick<Survey, 'plan' | 'discovery'> & Pick<LookBefore, 'carried'>;

function openSurvey(options: SurveyOptions, { plan, discovery, carried }: Subject): Survey {
  const unread: Unread[] = [];
  const itemsOf = (listed: Listed) => {
    if (listed.kind === 'listed') return listed.items;
    unread.push(listed.unread);
    return [];
  };
  const listRaw = async (ask: ListAsk) => itemsOf(await options.lister.list(ask));
  const { lister, followed = lister } = options;
  const source = carried === undefined ? lister : followed;
  return {
    ...options,
    plan,
    discovery,
    unread,
    isAsked: (kind) => carried === undefined || carried.kinds.has(kindKey(kind)),
    listRaw,
    list: async (ask) => (await listRaw(ask)).map((item) => seenObject(ask.kind, item)),
    follow: async (ask) => itemsOf(await source.list(ask)).map((item) => seenObject(ask.kind, item)),
  };
}

/** Each once. */
function merged(objects: readonly SeenObject[]): SeenObject[] {
  const byUid = new Map<string, SeenObject>();
  for (const object of objects) {
    const known = byUid.get(object.uid);
    const sweptBy = [...new Set([...(known?.sweptBy ?? []), ...(object.sweptBy ?? [])])];
    const details = object.details ?? known?.details;
    byUid.set(object.uid, {
      ...object,
      ...(details !== undefined && { details }),
      ...(sweptBy.length > 0 && { sweptBy }),
    });
  }
  return [...byUid.values()];
}
