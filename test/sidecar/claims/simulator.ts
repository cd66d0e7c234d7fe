import type { ClaimDecision } from '../../../src/sidecar/claims/action.ts';
import { decideClaim } from '../../../src/sidecar/claims/decide.ts';
import type {
  AnsweredDeletion,
  Observation,
  ObservedClaim,
  ObservedPod,
  ObservedWorkload,
} from '../../../src/sidecar/claims/observation.ts';
import { claim, now as start } from './observed.ts';

/** One thing that others do, some seconds after the beginning. */
export type Deed =
  | { readonly at: number; readonly what: 'git'; readonly state: 'Running' | 'Sleeping' }
  | { readonly at: number; readonly what: 'scale'; readonly replicas: number }
  | { readonly at: number; readonly what: 'pause' | 'resume' }
  /** A control plane on a node that was away runs for so long and makes what it misses. */
  | { readonly at: number; readonly what: 'ghost'; readonly seconds: number }
  /** The sidecar is killed, with what it remembers. */
  | { readonly at: number; readonly what: 'kill' }
  /** So long the API server refuses to delete pods. */
  | { readonly at: number; readonly what: 'refuse'; readonly seconds: number }
  /** So long nothing is heard of pods. */
  | { readonly at: number; readonly what: 'blind'; readonly seconds: number };

export interface World {
  readonly replicas: number;
  /** Of the tenant. */
  readonly pods: number;
  /** From the commit until it is applied, and between two syncs. */
  readonly syncSeconds: number;
  readonly startSeconds: number;
  readonly stopSeconds: number;
  readonly deeds: readonly Deed[];
  /** The sidecar dies after these of its requests, counted from 1, whatever was to follow. */
  readonly deaths: readonly number[];
}

interface Alive extends ObservedPod {
  readonly readyAt: number;
  readonly goneAt?: number;
}

const second = 1000;

/** A virtual cluster, its applier and its StatefulSet's controller, second by second, and the sidecar beside them. */
export class Simulation {
  now = start;
  readonly #world: World;
  #git: 'Running' | 'Sleeping' = 'Running';
  #claim: ObservedClaim;
  #workload: ObservedWorkload;
  #pods: Alive[] = [];
  #answers: Record<string, AnsweredDeletion> = {};
  #ghostUntil = 0;
  #refusedUntil = 0;
  #blindUntil = 0;
  #requests = 0;
  #aliveAt = 0;
  #watchedSince = start;
  #made = 0;
  /** When something of it was last seen to run, by the simulation itself. */
  lastAlive = start;

  constructor(world: World) {
    this.#world = world;
    this.#claim = claim({ replicas: world.replicas });
    this.#workload = {
      kind: 'StatefulSet',
      name: 'ada',
      part: 'control-plane',
      generation: 1,
      observedGeneration: 1,
      replicas: world.replicas,
      observed: 0,
      ready: 0,
      isMarkedAsleep: false,
      isPaused: false,
    };
  }

  get claim(): ObservedClaim {
    return this.#claim;
  }

  observe(): Observation {
    const isBlind = this.#blindUntil > this.now;
    if (isBlind) this.#watchedSince = this.now + second;
    if (!isBlind && this.#pods.length > 0) this.#aliveAt = this.now;
    return {
      claim: this.#claim,
      namespace: 'there',
      workloads: [this.#workload],
      pods: isBlind ? [] : this.#pods.map(({ readyAt: _, goneAt: __, ...pod }) => pod),
      answers: this.#answers,
      aliveAt: this.#aliveAt,
      watchedSince: this.#watchedSince,
      unread: isBlind ? ['Pod'] : [],
    };
  }

  /** One second: what others do, what is due by itself, one pass. */
  step(): { readonly observation: Observation; readonly decision: ClaimDecision } {
    this.now += second;
    for (const deed of this.#world.deeds) if (deed.at === (this.now - start) / second) this.#do(deed);
    if (((this.now - start) / second) % this.#world.syncSeconds === 0) this.#sync();
    this.#live();
    const observation = this.observe();
    const decision = decideClaim(this.now, observation);
    for (const action of decision.actions) {
      this.#requests += 1;
      if (action.kind === 'status' && this.#refusedUntil <= this.now)
        this.#claim = { ...this.#claim, status: action.status };
      if (action.kind === 'pod') this.#delete(action.uid);
      if (!this.#world.deaths.includes(this.#requests)) continue;
      this.#die();
      break;
    }
    return { observation, decision };
  }

  #die(): void {
    [this.#answers, this.#aliveAt, this.#watchedSince] = [{}, 0, this.now];
  }

  #do(deed: Deed): void {
    switch (deed.what) {
      case 'git':
        this.#git = deed.state;
        return;
      case 'scale':
        this.#write({ replicas: deed.replicas, scaledBy: 'kubectl' });
        return;
      case 'pause':
        // As vCluster's command line: what is paused already stays as it is.
        if (!this.#workload.isPaused) this.#write({ replicas: 0, isPaused: true, pausedAt: 'then' });
        return;
      case 'resume': {
        const { pausedAt: _, ...workload } = this.#workload;
        this.#workload = workload;
        this.#write({ replicas: this.#world.replicas, isPaused: false });
        return;
      }
      case 'ghost':
        this.#ghostUntil = this.now + deed.seconds * second;
        return;
      case 'kill':
        this.#die();
        return;
      case 'blind':
        this.#blindUntil = this.now + deed.seconds * second;
        return;
      case 'refuse':
        this.#refusedUntil = this.now + deed.seconds * second;
        return;
    }
  }

  /** The applier gives the cluster what git says. */
  #sync(): void {
    if (this.#claim.spec.state !== this.#git) {
      const { generation, spec } = this.#claim;
      this.#claim = { ...this.#claim, generation: generation + 1, spec: { ...spec, state: this.#git } };
    }
    const sleeps = this.#git === 'Sleeping';
    const { pausedAt: _, ...workload } = this.#workload;
    this.#workload = workload;
    this.#write({ replicas: sleeps ? 0 : this.#world.replicas, isMarkedAsleep: sleeps, isPaused: sleeps });
  }

  #write(differs: Partial<ObservedWorkload>): void {
    const changes = differs.replicas !== this.#workload.replicas;
    const generation = this.#workload.generation + (changes ? 1 : 0);
    this.#workload = { ...this.#workload, ...differs, generation };
  }

  #live(): void {
    this.#pods = this.#pods.filter(({ goneAt = Number.POSITIVE_INFINITY }) => goneAt > this.now);
    this.#pods = this.#pods.map((pod) => ({ ...pod, ready: pod.readyAt <= this.now && pod.deletionAt === undefined }));
    this.#control();
    const own = this.#pods.filter(({ part }) => part === 'control-plane');
    if (own.some(({ ready }) => ready) || this.#ghostUntil > this.now) this.#syncPods();
    if (this.#pods.length > 0) this.lastAlive = this.now;
  }

  /** The StatefulSet's controller sees a change one second later. */
  #control(): void {
    const { generation, observedGeneration, replicas } = this.#workload;
    if (observedGeneration < generation) this.#workload = { ...this.#workload, observedGeneration: generation };
    const own = this.#pods.filter(({ part, deletionAt }) => part === 'control-plane' && deletionAt === undefined);
    for (const pod of own.slice(replicas)) this.#terminate(pod.uid);
    for (let missing = replicas - own.length; missing > 0; missing -= 1) this.#make('control-plane');
    const left = this.#pods.filter(({ part }) => part === 'control-plane');
    const ready = left.filter((pod) => pod.ready).length;
    this.#workload = { ...this.#workload, observed: left.length, ready };
  }

  #syncPods(): void {
    const there = this.#pods.filter(({ part, deletionAt }) => part === 'synced' && deletionAt === undefined).length;
    for (let missing = this.#world.pods - there; missing > 0; missing -= 1) this.#make('synced');
  }

  #make(part: Alive['part']): void {
    this.#made += 1;
    const readyAt = this.now + this.#world.startSeconds * second;
    const name = `${part}-${this.#made}`;
    const facts = { isFinished: false, ready: false, graceSeconds: 30, finalizers: [], createdAt: this.now };
    this.#pods.push({ name, uid: name, part, ...facts, readyAt });
  }

  #delete(uid: string): void {
    const isRefused = this.#refusedUntil > this.now;
    const attempts = (this.#answers[uid]?.attempts ?? 0) + 1;
    this.#answers = {
      ...this.#answers,
      [uid]: { status: isRefused ? 500 : 200, text: '', at: this.now, attempts },
    };
    if (!isRefused) this.#terminate(uid);
  }

  #terminate(uid: string): void {
    const goneAt = this.now + this.#world.stopSeconds * second;
    this.#pods = this.#pods.map((pod) =>
      pod.uid === uid && pod.deletionAt === undefined
        ? { ...pod, ready: false, deletionAt: this.now + pod.graceSeconds * second, goneAt }
        : pod,
    );
  }
}
