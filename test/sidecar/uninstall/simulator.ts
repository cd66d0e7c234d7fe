import { belongs, keyOf } from '../../../src/sidecar/uninstall/belongs.ts';
import { carryOver, type Deeds, deedsOf, type LastLook } from '../../../src/sidecar/uninstall/carry-over.ts';
import { firstLook } from '../../../src/sidecar/uninstall/course.ts';
import type {
  Deletion,
  NextLook,
  UninstallAction,
  UninstallDecision,
} from '../../../src/sidecar/uninstall/decision.ts';
import { isDataKind, kindKey } from '../../../src/sidecar/uninstall/kinds.ts';
import { lookedInto } from '../../../src/sidecar/uninstall/namespaces.ts';
import type {
  NamespaceContent,
  Refusal,
  SeenJob,
  SeenObject,
  UninstallObservation,
} from '../../../src/sidecar/uninstall/observation.ts';
import type { ObjectId, UninstallPlan } from '../../../src/sidecar/uninstall/plan.ts';
import type { UninstallStatus } from '../../../src/sidecar/uninstall/status.ts';
import { idFrom, now as start } from './seen.ts';

/** An object, and how it behaves. */
export interface Simulated extends SeenObject {
  /** Seconds until its finalizer or kubelet lets go once it is told to; never, if negative. */
  readonly lingers: number;
  /** Its finalizer is released by this Deployment (by UID), and only while that is there. */
  readonly heldBy?: string;
}

export interface Faults {
  /** Every request is refused in these spans, in seconds since the start. */
  readonly refusals: readonly Span[];
  /** In these, nothing of that kind can be listed. */
  readonly blindness: readonly (Span & { readonly of: string })[];
  /** The program is killed and begun anew at these seconds. */
  readonly kills: readonly number[];
  /** And after these of its requests, counted from 1, whatever was to follow. */
  readonly deaths: readonly number[];
  /** What single requests come to; of two for the same one, the first. */
  readonly mishaps: readonly { readonly request: number; readonly what: Mishap }[];
  /** Before what it tells of; else after it. */
  readonly writesFirst: boolean;
  /** Somebody makes an object of ours their own, after so many seconds. */
  readonly takings: readonly { readonly at: number; readonly which: number }[];
}

/** A status of the API server's in place of the deed; or it is done, and the answer is lost. */
export type Mishap = 403 | 409 | 410 | 429 | 500 | 'answer lost';

interface Span {
  readonly from: number;
  readonly seconds: number;
}

/** How the Jobs of a hook end, one attempt after the other; the last one counts for all that follow. */
export type Script = Readonly<Record<string, readonly ('Succeeded' | 'Failed')[]>>;

interface Memory {
  readonly refusals: Map<string, Refusal>;
  readonly deletions: Map<string, number>;
  contents: readonly NamespaceContent[];
  found: Set<string> | undefined;
  next: NextLook;
  last: LastLook | undefined;
  deeds: Deeds;
}

const fresh = (plan: UninstallPlan): Memory => ({
  refusals: new Map(),
  deletions: new Map(),
  contents: [],
  found: undefined,
  next: firstLook(plan),
  last: undefined,
  deeds: deedsOf([]),
});

/**
 * A cluster as far as an uninstall can tell: the garbage collector, namespaces that go, finalizers, Jobs. It has no
 * clock of its own and throws no dice.
 */
export class Simulation {
  readonly plan: UninstallPlan;
  readonly #faults: Faults;
  readonly #script: Script;
  readonly #objects = new Map<string, Simulated>();
  readonly #jobs = new Map<string, SeenJob>();
  /** Every deletion that was asked for by us and granted. */
  readonly asked: { readonly object: SeenObject; readonly left: readonly SeenObject[] }[] = [];
  readonly started: string[] = [];
  /** UIDs of what was let go of before the status listed it. */
  readonly untold: string[] = [];
  /** UIDs of what somebody has made their own. */
  readonly taken = new Set<string>();
  readonly writes: number[] = [];
  looks = 0;
  status: UninstallStatus | undefined;
  now = start;
  #memory: Memory;
  #requests = 0;
  #killed = 0;
  #takings = 0;

  constructor(plan: UninstallPlan, objects: readonly Simulated[], options: { faults: Faults; script: Script }) {
    this.plan = plan;
    this.#memory = fresh(plan);
    this.#faults = options.faults;
    this.#script = options.script;
    for (const object of objects) this.#objects.set(object.uid, object);
  }

  get left(): readonly Simulated[] {
    return [...this.#objects.values()];
  }

  get jobs(): readonly SeenJob[] {
    return [...this.#jobs.values()];
  }

  observe(): UninstallObservation {
    this.looks += 1;
    const { next, contents, found, last, deeds } = this.#memory;
    const blind = this.#faults.blindness.filter((span) => this.#isWithin([span])).map(({ of }) => idFrom(`${of} any`));
    const unread = blind.map((of) => ({ what: `${of.apiVersion}/${of.kind}`, status: 500, why: 'etcd is slow' }));
    const all = this.left.filter((object) => !blind.some((of) => kindKey(of) === kindKey(object)));
    const isListed = (object: SeenObject) =>
      this.plan.components.some((component) => component.listed.some((id) => keyOf(id) === keyOf(object)));
    const ours = all.filter((object) =>
      this.plan.components.some((component) => belongs(this.plan, component, object)),
    );
    const isSeen = (object: SeenObject) => next.depth === 'full' || found?.has(kindKey(object)) === true;
    const mayCarry = last !== undefined && next.depth === 'narrow' && !next.names;
    const carried = mayCarry ? carryOver(this.now, this.plan, { last, deeds }) : undefined;
    const isAsked = (object: SeenObject) => carried === undefined || carried.kinds.has(kindKey(object));
    const asked = all.filter(
      (object) => (ours.includes(object) && isSeen(object)) || isDataKind(object) || (next.names && isListed(object)),
    );
    const objects = [
      ...(carried?.objects ?? []).map((object) => ({ ...object, isCarried: true }) as const),
      ...asked.filter(isAsked),
    ];
    const wholeAt = carried === undefined ? this.now : (last?.wholeAt ?? this.now);
    this.#memory.last = { look: { objects, unread, jobs: this.jobs, releases: [] }, wholeAt };
    const latest = next.contents.map((namespace) => ({
      namespace,
      at: this.now,
      objects: all.filter((object) => object.namespace === namespace),
      unread,
    }));
    const before = contents.filter(({ namespace, at }) => next.contents.includes(namespace) && at <= this.now - 1000);
    const others = contents.filter(({ namespace, at }) => at > this.now - 1000 || !next.contents.includes(namespace));
    this.#memory.contents = [...before, ...latest, ...others];
    this.#memory.found = new Set([...(next.depth === 'full' ? [] : (found ?? [])), ...objects.map(kindKey)]);
    return {
      at: this.now,
      shown: this.status,
      unserved: [],
      depth: next.depth,
      names: next.names,
      objects,
      unread,
      contents: [
        ...next.contents.flatMap((name) => before.filter((each) => each.namespace === name).slice(-1)),
        ...latest,
      ],
      lookedInto: lookedInto([...contents, ...latest]),
      ...(next.bareSince !== undefined && { bareSince: next.bareSince }),
      instances: next.instances.map((definition) => ({
        definition,
        left: all.filter((each) => isOf(each, definition)),
      })),
      jobs: this.jobs,
      releases: [],
      refusals: Object.fromEntries(this.#memory.refusals),
      deletions: Object.fromEntries(this.#memory.deletions),
    };
  }

  act({ actions, status, write, next }: UninstallDecision): void {
    this.#memory.deeds = deedsOf(actions);
    this.#memory.next = next;
    const deeds = actions.map((action) => () => this.#perform(action));
    const tell = () => this.#write(status);
    const { deaths, writesFirst } = this.#faults;
    for (const request of write ? (writesFirst ? [tell, ...deeds] : [...deeds, tell]) : deeds) {
      this.#requests += 1;
      request();
      if (!deaths.includes(this.#requests)) continue;
      this.#memory = fresh(this.plan);
      return;
    }
  }

  #write(status: UninstallStatus): void {
    const mishap = this.#mishap();
    if (mishap !== undefined && mishap !== 'answer lost') return;
    this.status = status;
    this.writes.push(this.now);
  }

  #mishap(): Mishap | undefined {
    const own = this.#faults.mishaps.find(({ request }) => request === this.#requests);
    return own?.what ?? (this.#isWithin(this.#faults.refusals) ? 500 : undefined);
  }

  /** Time goes on, and everybody else does what they do. */
  advance(to: number): void {
    for (let at = this.now; at < to; ) {
      at = Math.min(to, at + (to - at > 2000 ? 1000 : 250));
      this.now = at;
      this.#settle();
      this.#take();
    }
    const kills = this.#faults.kills.filter((second) => start + second * 1000 <= this.now).length;
    if (kills > this.#killed) this.#memory = fresh(this.plan);
    this.#killed = kills;
  }

  #isWithin(spans: readonly Span[]): boolean {
    const second = (this.now - start) / 1000;
    return spans.some(({ from, seconds }) => second >= from && second < from + seconds);
  }

  #perform(action: UninstallAction): void {
    const key =
      action.kind === 'startHook' ? `hook ${action.component}/${action.hook.name}` : 'uid' in action ? action.uid : '';
    const mishap = this.#mishap();
    if (mishap !== undefined) {
      if (mishap === 'answer lost') this.#carryOut(action);
      this.#memory.deeds.isPlain = false;
      if (mishap === 409) this.#memory.refusals.delete(key);
      else this.#refuse(key, mishap === 'answer lost' ? 0 : mishap);
      return;
    }
    this.#memory.refusals.delete(key);
    this.#carryOut(action);
  }

  #refuse(key: string, status: number): void {
    const attempts = (this.#memory.refusals.get(key)?.attempts ?? 0) + 1;
    this.#memory.refusals.set(key, { status, reason: '', text: 'etcd is slow', at: this.now, attempts });
  }

  #carryOut(action: UninstallAction): void {
    switch (action.kind) {
      case 'delete':
        this.#delete(action);
        this.#jobs.delete(action.uid);
        break;
      case 'startHook':
        this.#start(action);
        break;
      case 'markData':
        this.#edit(action.uid, (object) => ({ labels: { ...object.labels, ...action.labels } }));
        break;
      case 'dropFinalizers':
        if (!this.#isTold(action.object)) this.untold.push(action.uid);
        this.#edit(action.uid, () => ({ finalizers: [] }));
        break;
      case 'finalizeNamespace':
        if (!this.#isTold(action.object)) this.untold.push(action.uid);
        this.#objects.delete(action.uid);
        break;
      case 'helmUninstall':
        break;
    }
    this.#settle();
  }

  #isTold(object: ObjectId): boolean {
    return (this.status?.orphaned ?? []).some((orphan) => keyOf(orphan) === keyOf(object));
  }

  #start({ component, hook, attempt, job, namespace }: Extract<UninstallAction, { kind: 'startHook' }>): void {
    const uid = `${namespace}/${job}`;
    if (this.#jobs.has(uid)) return;
    this.started.push(`${component}/${hook.name} ${attempt}`);
    this.#jobs.set(uid, {
      name: job,
      namespace,
      uid,
      component,
      hook: hook.name,
      attempt,
      createdAt: this.now,
      state: 'Running',
    });
  }

  #delete({ uid, resourceVersion, propagation }: Deletion): void {
    const object = this.#objects.get(uid);
    const { deeds } = this.#memory;
    if (object === undefined) deeds.gone.add(uid);
    else if (resourceVersion !== undefined && resourceVersion !== object.resourceVersion) deeds.isPlain = false;
    else this.#tell(object, propagation === 'Foreground');
  }

  #tell(object: Simulated, isForeground: boolean): void {
    const { uid } = object;
    this.asked.push({ object, left: this.left });
    const held = isForeground && this.left.some(({ owners }) => owners.some((owner) => owner.uid === uid));
    const finalizers = held ? [...object.finalizers, 'foregroundDeletion'] : object.finalizers;
    this.#edit(uid, () => ({ finalizers, deletedAt: object.deletedAt ?? this.now }));
    const isHeld = finalizers.length > 0 || object.lingers > 0 || object.kind === 'Namespace';
    this.#memory.deeds[isHeld ? 'going' : 'gone'].add(uid);
  }

  /** Its labels are theirs from now on, and nothing of ours. */
  #take(): void {
    const due = this.#faults.takings.filter(({ at }) => start + at * 1000 <= this.now);
    for (const { which } of due.slice(this.#takings)) {
      const free = this.left.filter(
        ({ kind, deletedAt, labels }) =>
          takeable.includes(kind) && deletedAt === undefined && Object.hasOwn(labels, 'quiesce.dev/component'),
      );
      const object = free[which % Math.max(1, free.length)];
      if (object === undefined) continue;
      this.taken.add(object.uid);
      this.#edit(object.uid, () => ({ labels: {} }));
    }
    this.#takings = due.length;
  }

  #edit(uid: string, change: (object: Simulated) => Partial<Simulated>): void {
    const object = this.#objects.get(uid);
    if (object === undefined) return;
    const resourceVersion = String(Number(object.resourceVersion) + 1);
    this.#objects.set(uid, { ...object, ...change(object), resourceVersion });
  }

  #settle(): void {
    for (const [uid, job] of this.#jobs) {
      if (job.state !== 'Running' || this.now < job.createdAt + 3000) continue;
      const script = this.#script[`${job.component}/${job.hook}`] ?? ['Succeeded'];
      const state = script[Math.min(job.attempt, script.length) - 1] ?? 'Succeeded';
      this.#jobs.set(uid, { ...job, state, endedAt: this.now });
    }
    for (let round = 0; round < 50; round += 1) if (!this.left.some((object) => this.#actOn(object))) return;
  }

  /** Whether anything came of it. */
  #actOn(object: Simulated): boolean {
    const { uid, owners, deletedAt, finalizers, kind, name } = object;
    if (deletedAt === undefined) {
      const isOrphan = owners.length > 0 && owners.every((owner) => !this.#objects.has(owner.uid));
      const goes = owners.some((owner) => this.#objects.get(owner.uid)?.finalizers.includes('foregroundDeletion'));
      const space = this.left.find((each) => each.kind === 'Namespace' && each.name === object.namespace);
      if (!isOrphan && !goes && space?.deletedAt === undefined) return false;
      this.#edit(uid, () => ({ deletedAt: this.now }));
      return true;
    }
    if (kind === 'Namespace' && this.left.some(({ namespace }) => namespace === name)) return false;
    if (finalizers.includes('foregroundDeletion')) {
      if (this.left.some((each) => each.owners.some((owner) => owner.uid === uid))) return false;
      this.#edit(uid, () => ({ finalizers: finalizers.filter((each) => each !== 'foregroundDeletion') }));
      return true;
    }
    if (finalizers.length > 0 && !this.#isReleased(object, deletedAt)) return false;
    if (finalizers.length === 0 && object.lingers > 0 && this.now < deletedAt + object.lingers * 1000) return false;
    this.#objects.delete(uid);
    return true;
  }

  #isReleased({ lingers, heldBy }: Simulated, deletedAt: number): boolean {
    if (lingers < 0 || this.now < deletedAt + lingers * 1000) return false;
    return heldBy === undefined || (this.#objects.get(heldBy)?.deletedAt === undefined && this.#objects.has(heldBy));
  }
}

const takeable: readonly string[] = ['ConfigMap', 'Service', 'ServiceAccount', 'Role', 'ClusterRole', 'PriorityClass'];

function isOf({ apiVersion, kind }: SeenObject, definition: string): boolean {
  return definition === `${kind.toLowerCase()}s.${apiVersion.split('/')[0]}`;
}
