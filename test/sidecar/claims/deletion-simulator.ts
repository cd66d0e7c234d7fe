import { createHash } from 'node:crypto';
import type { Action, ClaimDecision } from '../../../src/sidecar/claims/action.ts';
import { decideClaim } from '../../../src/sidecar/claims/decide.ts';
import type { Observation, ObservedClaim, ObservedPod } from '../../../src/sidecar/claims/observation.ts';
import { uninstallPlanOf } from '../../../src/sidecar/claims/plan.ts';
import { shownToEngine } from '../../../src/sidecar/claims/uninstall.ts';
import type { NextLook, UninstallAction } from '../../../src/sidecar/uninstall/decision.ts';
import type {
  NamespaceContent,
  Refusal,
  SeenObject,
  UninstallObservation,
} from '../../../src/sidecar/uninstall/observation.ts';
import { claim, resting, running, now as start } from './observed.ts';

export type State = 'Running' | 'Sleeping' | 'Deleted';

/** What others do, some seconds after the beginning. */
export type Deed =
  | { readonly at: number; readonly what: 'git'; readonly state: State }
  | {
      readonly at: number;
      readonly what: 'kubectl-delete' | 'withdraw' | 'kill' | 'their-object' | 'delete-namespace';
    }
  /** So long the API server refuses every change, or tells nothing of one kind. */
  | { readonly at: number; readonly what: 'refuse' | 'blind'; readonly seconds: number };

export interface Course {
  readonly syncSeconds: number;
  readonly stopSeconds: number;
  readonly pods: number;
  /** A status that is to be written sooner after the last one is not. */
  readonly statusSeconds: number;
  readonly deeds: readonly Deed[];
  /** The sidecar dies after these of its requests, counted from 1, whatever was to follow. */
  readonly deaths: readonly number[];
}

const second = 1000;
const place = 'vcluster-ada';
const firstLook: NextLook = { depth: 'full', contents: [place], instances: [], names: false };
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

interface Thing extends SeenObject {
  readonly goneAt?: number;
}

/** What is rendered for a claim, what comes of it, an applier that makes it again, and the sidecar beside them. */
export class DeletionSimulation {
  now = start;
  readonly #course: Course;
  git: State = 'Running';
  claim: ObservedClaim | undefined;
  things: readonly Thing[] = [];
  /** Everything that was deleted by the sidecar, with what there was at that moment. */
  readonly deletions: { readonly thing: Thing; readonly claim: ObservedClaim; readonly beside: readonly Thing[] }[] =
    [];
  /** UIDs of resources whose uninstall had begun, and was not taken back before kubectl deleted them as well. */
  readonly begun = new Set<string>();
  #shownAt = 0;
  #next = firstLook;
  #contents: readonly NamespaceContent[] = [];
  #refusals: Record<string, Refusal> = {};
  #refusedUntil = 0;
  #blindUntil = 0;
  #requests = 0;
  #made = 0;

  constructor(course: Course) {
    this.#course = course;
    this.#sync();
    this.#live();
  }

  step(): ClaimDecision | undefined {
    this.now += second;
    const at = (this.now - start) / second;
    for (const deed of this.#course.deeds) if (deed.at === at) this.#do(deed);
    if (at % this.#course.syncSeconds === 0) this.#sync();
    this.#live();
    const { claim: resource } = this;
    if (resource === undefined) return undefined;
    if (resource.spec.state !== 'Deleted' && resource.deletedAt === undefined) this.begun.delete(resource.uid);
    const decision = decideClaim(this.now, this.#observe(resource));
    this.#act(decision, resource);
    return decision;
  }

  own(): readonly Thing[] {
    return this.things.filter(({ labels }) => labels.theirs === undefined);
  }

  #do(deed: Deed): void {
    switch (deed.what) {
      case 'git':
        this.git = deed.state;
        return;
      case 'kubectl-delete':
        if (this.claim?.deletedAt === undefined) this.#edit({ deletedAt: this.now });
        return;
      case 'withdraw':
        this.#edit({ isWithdrawn: true });
        return;
      case 'kill':
        this.#forget();
        return;
      case 'refuse':
        this.#refusedUntil = this.now + deed.seconds * second;
        return;
      case 'blind':
        this.#blindUntil = this.now + deed.seconds * second;
        return;
      case 'their-object':
        if (this.things.some(({ kind }) => kind === 'Namespace')) this.#make('ConfigMap', 'theirs', { theirs: 'yes' });
        return;
      case 'delete-namespace':
        this.#terminate(({ kind }) => kind === 'Namespace');
    }
  }

  #forget(): void {
    [this.#next, this.#contents, this.#refusals] = [firstLook, [], {}];
  }

  #edit(differs: Partial<ObservedClaim>): void {
    if (this.claim !== undefined) this.claim = { ...this.claim, ...differs };
    if (this.claim?.deletedAt !== undefined && this.claim.finalizers.length === 0) this.claim = undefined;
  }

  /** The applier: everything while the claim is wanted, its resource alone when it is not. */
  #sync(): void {
    const known =
      this.claim ?? claim({ replicas: 1 }, { uid: `claim-${this.#number()}`, finalizers: [], generation: 1 });
    const isNew = known.spec.state !== this.git;
    this.claim = { ...known, generation: known.generation + (isNew ? 1 : 0), spec: { ...known.spec, state: this.git } };
    if (this.git === 'Deleted' || this.things.some(({ kind, deletedAt }) => kind === 'Namespace' && deletedAt)) return;
    for (const [kind, name] of rendered)
      if (!this.#has(kind, name)) this.#make(kind, name, { 'quiesce.dev/claim': 'ada' });
  }

  #live(): void {
    this.things = this.things.filter(({ goneAt = Number.POSITIVE_INFINITY }) => goneAt > this.now);
    const place = this.things.find(({ kind }) => kind === 'Namespace');
    if (place === undefined) this.things = [];
    if (place?.deletedAt !== undefined) this.#terminate(() => true);
    const workload = this.things.find(({ kind }) => kind === 'StatefulSet');
    if (workload?.deletedAt !== undefined || this.git === 'Sleeping') this.#terminate(({ name }) => name === 'ada-0');
    if (place?.deletedAt !== undefined || workload === undefined || workload.deletedAt !== undefined) return;
    if (!this.#has('PersistentVolumeClaim', 'data-ada-0'))
      this.#make('PersistentVolumeClaim', 'data-ada-0', { app: 'vcluster', release: 'ada' });
    if (this.git === 'Sleeping') return;
    if (!this.#has('Pod', 'ada-0')) this.#make('Pod', 'ada-0', { app: 'vcluster', release: 'ada' });
    const synced = { 'vcluster.loft.sh/managed-by': 'ada' };
    for (let index = 0; index < this.#course.pods; index += 1)
      if (!this.#has('Pod', `web-${index}`)) this.#make('Pod', `web-${index}`, synced);
    if (!this.#has('PersistentVolumeClaim', 'files')) this.#make('PersistentVolumeClaim', 'files', synced);
  }

  #observe(resource: ObservedClaim): Observation {
    const place = this.things.find(({ kind }) => kind === 'Namespace');
    const workload = this.things.find(({ kind }) => kind === 'StatefulSet');
    const isUp = this.#has('Pod', 'ada-0');
    const awake = running({ replicas: 1, observed: 1, ready: isUp ? 1 : 0 });
    const asleep = resting(isUp ? { observed: 1 } : {});
    return {
      claim: resource,
      namespace: place === undefined ? 'absent' : place.deletedAt === undefined ? 'there' : 'terminating',
      workloads: workload === undefined ? [] : [this.git === 'Sleeping' ? asleep : awake],
      pods: this.things.filter(({ kind }) => kind === 'Pod').map(podOf),
      answers: {},
      unread: [],
      ...(resource.spec.state === 'Deleted' && {
        uninstall: { plan: uninstallPlanOf(resource, hash), look: this.#look(resource) },
      }),
    };
  }

  #look(resource: ObservedClaim): UninstallObservation {
    const { depth, names, contents, bareSince } = this.#next;
    const isBlind = this.now < this.#blindUntil;
    const unread = isBlind ? [{ what: 'v1/PersistentVolumeClaim', status: 500, why: 'etcd is slow' }] : [];
    const things = isBlind ? this.things.filter(({ kind }) => kind !== 'PersistentVolumeClaim') : this.things;
    const seen: NamespaceContent[] = contents.map((namespace) => ({
      namespace,
      at: this.now,
      objects: things.filter((thing) => thing.namespace === namespace),
      unread,
    }));
    const before = this.#contents.filter(({ namespace }) => contents.includes(namespace));
    this.#contents = seen;
    return {
      at: this.now,
      shown: shownToEngine(resource),
      unserved: [],
      depth,
      names,
      ...(bareSince !== undefined && { bareSince }),
      objects: things,
      unread,
      contents: [...before, ...seen],
      instances: [],
      jobs: [],
      releases: [],
      refusals: this.#refusals,
      deletions: {},
    };
  }

  #act({ actions, uninstall }: ClaimDecision, resource: ObservedClaim): void {
    if (uninstall !== undefined) this.#next = uninstall.decision.next;
    const deletions = (uninstall?.decision.actions ?? []).map((action) => () => this.#remove(action, resource));
    for (const request of [...deletions, ...actions.map((action) => () => this.#perform(action))]) {
      this.#requests += 1;
      request();
      if (!this.#course.deaths.includes(this.#requests)) continue;
      this.#forget();
      return;
    }
  }

  #remove(action: UninstallAction, resource: ObservedClaim): void {
    if (action.kind !== 'delete') throw new Error(`a claim has no use for ${action.kind}`);
    const thing = this.things.find(({ uid }) => uid === action.uid);
    if (thing === undefined) return;
    if (this.now < this.#refusedUntil) {
      const attempts = (this.#refusals[action.uid]?.attempts ?? 0) + 1;
      const refusal = { status: 500, reason: '', text: 'etcd is slow', at: this.now, attempts };
      this.#refusals = { ...this.#refusals, [action.uid]: refusal };
      return;
    }
    this.deletions.push({ thing, claim: resource, beside: this.things });
    this.begun.add(resource.uid);
    this.#terminate(({ uid }) => uid === action.uid);
  }

  #perform(action: Action): void {
    if (this.now < this.#refusedUntil) return;
    if (action.kind === 'status' && this.now >= this.#shownAt + this.#course.statusSeconds * second) {
      this.#shownAt = this.now;
      this.#edit({ status: action.status });
    }
    if (action.kind === 'finalizer') this.#edit({ finalizers: action.finalizers });
    if (action.kind === 'pod') this.#terminate(({ uid }) => uid === action.uid);
  }

  #terminate(which: (thing: Thing) => boolean): void {
    const goneAt = this.now + this.#course.stopSeconds * second;
    let isWorkload = false;
    this.things = this.things.map((thing) => {
      if (!which(thing) || thing.deletedAt !== undefined) return thing;
      isWorkload ||= thing.kind === 'StatefulSet';
      // Foreground: it is there until its pods are gone.
      return { ...thing, deletedAt: this.now, goneAt: thing.kind === 'StatefulSet' ? goneAt + second : goneAt };
    });
    if (isWorkload) this.#terminate(({ name }) => name === 'ada-0');
  }

  #has(kind: string, name: string): boolean {
    return this.things.some((thing) => thing.kind === kind && thing.name === name);
  }

  #make(kind: string, name: string, labels: Readonly<Record<string, string>>): void {
    const thing: Thing = {
      apiVersion: kind === 'StatefulSet' ? 'apps/v1' : 'v1',
      kind,
      ...(kind !== 'Namespace' && { namespace: place }),
      name,
      uid: `${name}-${this.#number()}`,
      resourceVersion: '1',
      createdAt: this.now,
      labels,
      finalizers: [],
      owners: [],
      rendered: labels['quiesce.dev/claim'] !== undefined,
    };
    this.things = [...this.things, thing];
  }

  #number(): number {
    this.#made += 1;
    return this.#made;
  }
}

const rendered: readonly (readonly [string, string])[] = [
  ['Namespace', place],
  ['Service', 'ada'],
  ['Secret', 'vc-config-ada'],
  ['StatefulSet', 'ada'],
];

function podOf({ name, uid, labels, deletedAt, createdAt }: Thing): ObservedPod {
  const part = labels.app === 'vcluster' ? 'control-plane' : 'synced';
  const facts = { isFinished: false, ready: deletedAt === undefined, graceSeconds: 30, finalizers: [], createdAt };
  return { name, uid, part, ...facts, ...(deletedAt !== undefined && { deletionAt: deletedAt + 30 * second }) };
}
