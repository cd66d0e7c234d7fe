import type { Instant } from '../../instant.ts';
import type { PicturedObject } from './pictured.ts';

/** How long what nobody can know takes. */
export interface Pace {
  podEndMs(graceSeconds: number): number;
  /** Of a hook, which may take as long as its deadline allows. */
  jobMs(timeoutSeconds: number): number;
}

export const quickest: Pace = { podEndMs: () => 0, jobMs: () => 1000 };
export const slowest: Pace = {
  podEndMs: (graceSeconds) => graceSeconds * 1000,
  jobMs: (timeoutSeconds) => timeoutSeconds * 1000,
};

/** Who asked for a deletion: the sidecar, or a controller because of an owner or a namespace. */
export type How = 'order' | 'owner' | 'namespace' | 'helm';

export interface Departure {
  readonly object: PicturedObject;
  readonly how: How;
  /** In milliseconds. */
  readonly at: Instant;
}

/**
 * The objects of a cluster while they go, as the API server keeps them: a deletion asks, finalizers hold, and what
 * nothing holds is gone.
 */
export class Objects {
  now: Instant;
  /** Grows with every change. */
  changes = 0;
  readonly departures: Departure[] = [];
  readonly #byUid: Map<string, PicturedObject>;
  readonly #known: Set<string>;
  readonly #endsAt = new Map<string, Instant>();
  readonly #how = new Map<string, How>();
  readonly #pace: Pace;
  #all: readonly PicturedObject[] | undefined;
  /** What the controllers have seen last, and when they have something to do again though nothing changes. */
  #settled = { changes: -1, until: Number.NEGATIVE_INFINITY };

  constructor(objects: readonly PicturedObject[], now: Instant, pace: Pace) {
    this.#byUid = new Map(objects.map((object) => [object.uid, object]));
    this.#known = new Set(this.#byUid.keys());
    this.#pace = pace;
    this.now = now;
    for (const { uid, pod, deletedAt } of objects) if (pod && deletedAt !== undefined) this.#endsAt.set(uid, deletedAt);
  }

  all(): readonly PicturedObject[] {
    this.#all ??= [...this.#byUid.values()];
    return this.#all;
  }

  isUnsettled(): boolean {
    return this.changes !== this.#settled.changes || this.now >= this.#settled.until;
  }

  settling(): void {
    this.#settled = { changes: this.changes, until: this.nextEnd() ?? Number.POSITIVE_INFINITY };
  }

  get(uid: string): PicturedObject | undefined {
    return this.#byUid.get(uid);
  }

  /** Once seen and not there any more. Of what was never seen, nothing is known. */
  isGone(uid: string): boolean {
    return this.#known.has(uid) && !this.#byUid.has(uid);
  }

  addJob(job: PicturedObject, timeoutSeconds: number): void {
    this.#known.add(job.uid);
    const endsAt = this.now + this.#pace.jobMs(timeoutSeconds);
    this.#endsAt.set(job.uid, endsAt);
    this.#put({ ...job, endsAt });
  }

  ask(uid: string, how: How, propagation: 'Foreground' | 'Background' = 'Background'): void {
    const object = this.#byUid.get(uid);
    if (object === undefined || object.deletedAt !== undefined) return;
    const { pod, finalizers } = object;
    const isForeground = propagation === 'Foreground' && !finalizers.includes(foreground);
    const grace = pod === undefined || pod.node === '' || pod.isFinished ? 0 : pod.graceSeconds;
    if (grace > 0) this.#endsAt.set(uid, this.now + this.#pace.podEndMs(grace));
    else this.#endsAt.delete(uid);
    this.#how.set(uid, how);
    this.#put({
      ...object,
      deletedAt: this.now + grace * 1000,
      finalizers: isForeground ? [...finalizers, foreground] : finalizers,
    });
  }

  change(uid: string, changes: Partial<PicturedObject>): void {
    const object = this.#byUid.get(uid);
    if (object !== undefined) this.#put({ ...object, ...changes });
  }

  release(uid: string, isReleased: (finalizer: string) => boolean): void {
    const object = this.#byUid.get(uid);
    if (object?.finalizers.some(isReleased) !== true) return;
    this.#put({ ...object, finalizers: object.finalizers.filter((each) => !isReleased(each)) });
  }

  /** Its kubelet has let go of it, or it never had one. */
  hasEnded(uid: string): boolean {
    return (this.#endsAt.get(uid) ?? Number.NEGATIVE_INFINITY) <= this.now;
  }

  remove(uid: string, how?: How): void {
    const object = this.#byUid.get(uid);
    if (object === undefined) return;
    this.#byUid.delete(uid);
    this.departures.push({ object, how: how ?? this.#how.get(uid) ?? 'owner', at: this.now });
    this.#changed();
  }

  /** When the next Pod or Job ends. */
  nextEnd(): Instant | undefined {
    const later = [...this.#endsAt].filter(([uid, at]) => at > this.now && this.#byUid.has(uid)).map(([, at]) => at);
    return later.length === 0 ? undefined : Math.min(...later);
  }

  #put(object: PicturedObject): void {
    this.#byUid.set(object.uid, object);
    this.#changed();
  }

  #changed(): void {
    this.changes += 1;
    this.#all = undefined;
  }
}

export const foreground = 'foregroundDeletion';
