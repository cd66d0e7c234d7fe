import type { BlockSpec } from '../../sidecar/maintenance/observation.ts';
import { compareNamed } from '../../sidecar/maintenance/order.ts';
import { recordOf } from '../../sidecar/maintenance/record.ts';
import { type RecordedNode, type Selected, select } from '../../sidecar/maintenance/selection.ts';
import type { BlockRehearsal, NodeCourse, NodeRehearsal } from '../rehearsal.ts';
import { sceneOf } from '../scene.ts';
import type { Snapshot } from '../snapshot.ts';
import { between, untilAll } from '../span.ts';
import { runCourse } from './course.ts';
import { movesOf, removedOf, strandedIn } from './departures.ts';
import { blockersOf, waitsOf } from './obstacles.ts';
import type { CourseRecord } from './record.ts';

/** A MaintenanceBlock as git has it. */
export interface AskedBlock {
  readonly name: string;
  readonly spec: BlockSpec;
}

export interface RehearsedMaintenance {
  readonly blocks: readonly BlockRehearsal[];
  /** Pods of the snapshot that may be driven out for others of more priority, in order. */
  readonly threatened: readonly string[];
  /** A course had to be cut off. */
  readonly isCutOff: boolean;
}

/** One course at each pace. */
export interface Courses {
  readonly soonest: CourseRecord;
  readonly latest: CourseRecord;
}

/** The maintenance decider on a snapshot, with the blocks that git asks for after the change. */
export function rehearseMaintenance(
  snapshot: Snapshot,
  before: readonly AskedBlock[],
  after: readonly AskedBlock[],
): RehearsedMaintenance {
  const scene = sceneOf(snapshot, after, 'soonest');
  const selection = select(scene);
  if (selection.held.size + selection.leaving.length === 0 && after.every(({ spec }) => asksForNothing(spec))) {
    return { blocks: [], threatened: [], isCutOff: false };
  }
  const courses: Courses = {
    soonest: runCourse(scene, 'soonest'),
    latest: runCourse(sceneOf(snapshot, after, 'latest'), 'latest'),
  };
  const selectedBefore = select({ ...scene, blocks: sceneOf({ ...snapshot, pods: [] }, before, 'soonest').blocks });
  const place = { courses, stranded: strandedIn(courses), before: addressesIn(selectedBefore.selected) };
  const names = new Set([
    ...after.map(({ name }) => name),
    ...selection.leaving.flatMap(({ record }) => record?.block ?? []),
  ]);
  const blocks = [...names].sort().flatMap((name): BlockRehearsal[] => {
    const spec = [...after, ...before].find((each) => each.name === name)?.spec;
    const held = (selection.selected.get(name) ?? []).filter(
      ({ node }) => node === undefined || selection.held.get(node.name)?.block.name === name,
    );
    const leaving = selection.leaving.filter(({ record }) => record?.block === name);
    const nodes = [
      ...held.map((each) => heldNode(each, spec, place)),
      ...leaving.sort((a, b) => compareNamed(a.node, b.node)).map((each) => leavingNode(each, place)),
    ];
    return nodes.length === 0 ? [] : [blockRehearsal(name, spec, nodes)];
  });
  return {
    blocks,
    threatened: threatenedIn(snapshot, courses),
    isCutOff: courses.soonest.isCutOff || courses.latest.isCutOff,
  };
}

function threatenedIn({ pods }: Snapshot, { soonest, latest }: Courses): readonly string[] {
  const uids = new Set([...soonest.threatened, ...latest.threatened].map(({ uid }) => uid));
  const names = pods.filter(({ uid }) => uids.has(uid)).map(({ namespace, name }) => `${namespace}/${name}`);
  return names.sort();
}

function asksForNothing({ nodes, unmatched = [] }: BlockSpec): boolean {
  return nodes.length + unmatched.length === 0;
}

interface Place {
  readonly courses: Courses;
  readonly stranded: ReturnType<typeof strandedIn>;
  /** Addresses that were selected by the state before. */
  readonly before: ReadonlySet<string>;
}

function addressesIn(selected: ReadonlyMap<string, readonly Selected[]>): ReadonlySet<string> {
  return new Set([...selected.values()].flat().map(({ address }) => address));
}

function blockRehearsal(config: string, spec: BlockSpec | undefined, nodes: readonly NodeRehearsal[]): BlockRehearsal {
  const moving = nodes.flatMap(({ reached }) => reached ?? []);
  return {
    config,
    deadlineSeconds: spec?.deadlineSeconds ?? 0,
    ignorePdb: spec?.ignorePdb ?? false,
    maxConcurrent: spec?.maxConcurrent ?? 0,
    nodes,
    takes: untilAll(moving),
  };
}

function heldNode({ address, node }: Selected, spec: BlockSpec | undefined, place: Place): NodeRehearsal {
  const pool = spec?.nodes.find((each) => each.address === address)?.pool;
  const base = { address, ...(pool !== undefined && { pool }) };
  if (node === undefined) return { ...base, ...nothing, course: 'missing' };
  const record = recordOf(node);
  const course = courseOf(record?.entered !== undefined, place.before.has(address));
  if (course === 'stays') return { ...base, node: node.name, course, ...happenings(node.name, place) };
  return {
    ...base,
    node: node.name,
    course,
    begins: times(node.name, place, ({ begun }) => begun),
    reached: times(node.name, place, ({ reached }) => reached),
    ...howReached(node.name, place.courses),
    ...happenings(node.name, place),
  };
}

function courseOf(isThere: boolean, wasSelected: boolean): NodeCourse {
  if (isThere) return 'stays';
  return wasSelected ? 'goes-on' : 'enters';
}

function leavingNode({ node }: RecordedNode, place: Place): NodeRehearsal {
  const [address = node.name] = node.addresses;
  return {
    address,
    node: node.name,
    course: 'leaves',
    reached: times(node.name, place, ({ reached }) => reached),
    ...happenings(node.name, place),
  };
}

type Record = CourseRecord['nodes'] extends ReadonlyMap<string, infer Node> ? Node : never;

function times(name: string, { courses }: Place, timeOf: (record: Record) => number | undefined) {
  const of = ({ nodes }: CourseRecord) => {
    const record = nodes.get(name);
    return record && timeOf(record);
  };
  return between(of(courses.soonest), of(courses.latest));
}

function howReached(name: string, { soonest, latest }: Courses): Pick<NodeRehearsal, 'by'> {
  const ways = [soonest, latest].flatMap(({ nodes }) => nodes.get(name)?.by ?? []);
  const [first, ...others] = ways;
  if (first === undefined) return {};
  return { by: others.every((way) => way === first) ? first : 'either' };
}

const nothing = { moves: [], waits: [], blockers: [], removed: [], stuck: [], untouched: 0 } as const;

function happenings(name: string, { courses, stranded }: Place): Omit<NodeRehearsal, 'address' | 'course'> {
  const { latest } = courses;
  return {
    moves: movesOf(name, courses, stranded),
    waits: waitsOf(name, courses),
    blockers: blockersOf(name, courses),
    removed: removedOf(name, courses, stranded),
    stuck: latest.stuck
      .filter(({ node }) => node === name)
      .sort(compareNamed)
      .map(({ namespace, name: pod }) => ({ namespace, name: pod })),
    untouched: latest.untouched.get(name) ?? 0,
  };
}
