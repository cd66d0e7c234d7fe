import { keyOf } from './belongs.ts';
import type { ServedKind } from './discovery.ts';
import { isOurResource, kindKey } from './kinds.ts';
import { unreadBecause } from './listing.ts';
import type { NamespaceContent, SeenObject } from './observation.ts';
import type { ObjectId, UninstallPlan } from './plan.ts';
import { type RawSeen, seenObject, wholeKinds } from './project.ts';
import type { Survey } from './survey.ts';

interface Found {
  readonly plan: UninstallPlan;
  readonly objects: readonly SeenObject[];
  readonly contents: readonly NamespaceContent[];
}

/**
 * What was rendered and carries no label of ours. Where there is no namespace any more, or all that is in it is known,
 * nothing has to be asked for.
 */
export async function readMissing(tools: Survey, { plan, objects, contents }: Found): Promise<readonly SeenObject[]> {
  const seen = new Set(objects.map(keyOf));
  const wanted = plan.components
    .flatMap(({ listed }) => listed)
    .filter((id) => !seen.has(keyOf(id)) && !isOurResource(id));
  const known = contents.filter(({ unread }) => unread.length === 0);
  const isKnown = ({ namespace }: ObjectId) => known.some((content) => content.namespace === namespace);
  const wantedKeys = new Set(wanted.map(keyOf));
  const within = known.flatMap((content) => content.objects).filter((object) => wantedKeys.has(keyOf(object)));
  const others = await readPlaces(
    tools,
    wanted.filter((id) => !isKnown(id)),
  );
  return [...within, ...others];
}

async function readPlaces(tools: Survey, ids: readonly ObjectId[]): Promise<readonly SeenObject[]> {
  const namespaces = [...new Set(ids.flatMap(({ namespace }) => namespace ?? []))];
  const found = await readNamed(
    tools,
    namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', name })),
  );
  const there = new Set(found.map(({ name }) => name));
  return readNamed(
    tools,
    ids.filter(({ namespace }) => namespace === undefined || there.has(namespace)),
  );
}

/** Which of these there are, whatever their labels. */
export async function readNamed(tools: Survey, ids: readonly ObjectId[]): Promise<readonly SeenObject[]> {
  const byPlace = new Map<string, ObjectId[]>();
  for (const id of ids) {
    const place = `${kindKey(id)} ${id.namespace ?? ''}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), id]);
  }
  return (await Promise.all([...byPlace.values()].map((group) => readGroup(tools, group)))).flat();
}

/** Of one kind and place: several are one list. */
async function readGroup(tools: Survey, ids: readonly ObjectId[]): Promise<readonly SeenObject[]> {
  const [first] = ids;
  const kind = first && tools.discovery.kinds.find((each) => kindKey(each) === kindKey(first));
  if (first === undefined || kind === undefined) return [];
  const { namespace } = first;
  if (namespace === undefined || ids.length === 1) {
    return (await Promise.all(ids.map((id) => readOne(tools, kind, id)))).flat();
  }
  const names = new Set(ids.map(({ name }) => name));
  const listed = await tools.list({ kind, namespace, whole: wholeKinds.includes(kind.kind) });
  return listed.filter(({ name }) => names.has(name));
}

async function readOne(tools: Survey, kind: ServedKind, { namespace, name }: ObjectId): Promise<readonly SeenObject[]> {
  const what = `${kind.apiVersion}/${kind.kind}`;
  const place = { resource: kind.resource, name, ...(namespace !== undefined && { namespace }) };
  try {
    const answer = await tools.client.send({ verb: 'get', ...place });
    if (answer.status === 404) return [];
    if (answer.status === 200) return [seenObject(kind, JSON.parse(answer.text) as RawSeen)];
    tools.unread.push({ what, status: answer.status, why: answer.text.slice(0, 300) });
  } catch (error) {
    tools.unread.push(unreadBecause(what, error));
  }
  return [];
}
