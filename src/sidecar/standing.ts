import type { ReflectState } from './kube/reflect.ts';
import type { LeadState } from './leader.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Kind, OpenWorld } from './world.ts';

/** How the program is doing: told by its parts, asked for by probes, and written down when it changes. */
export interface Standing {
  leadIs(state: LeadState): void;
  began(world: OpenWorld): void;
  ended(): void;
  kindIs(kind: Kind, state: ReflectState): void;
  /** A pass is over. */
  passed(): void;
  alive(): readonly string[];
  ready(): readonly string[];
  /** Before numbers are shown. */
  measure(): void;
}

export interface StandingOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Without any answer about the Lease for so long, it is of no use. */
  readonly leaseMs: number;
  /** Everything gets a pass at least as often as that. */
  readonly resyncMs: number;
}

/** So long without a pass is no load any more. */
const stuckMs = 600_000;

export function openStanding(options: StandingOptions): Standing {
  return new ProgramStanding(options);
}

class ProgramStanding implements Standing {
  readonly #options: StandingOptions;
  readonly #broken = new Map<Kind, string>();
  #lead: LeadState | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #passedAt = 0;
  #world: OpenWorld | undefined;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  leadIs(state: LeadState): void {
    const { log, metrics } = this.#options;
    if (state.kind !== 'unsure') this.#heardAt = performance.now();
    if (changed(this.#lead, state)) writeLead(state, log);
    if (state.kind !== 'unsure') this.#lead = state;
    metrics.leading.set(this.#lead?.kind === 'leading' ? 1 : 0);
  }

  began(world: OpenWorld): void {
    this.#world = world;
    this.passed();
  }

  ended(): void {
    const { metrics } = this.#options;
    this.#world = undefined;
    this.#broken.clear();
    for (const gauge of [metrics.watchLive, metrics.objects]) gauge.reset();
    for (const gauge of [metrics.claims, metrics.nodes, metrics.podsLeft, metrics.blockers, metrics.machinesLeft])
      gauge.reset();
  }

  kindIs(kind: Kind, state: ReflectState): void {
    const { log, metrics } = this.#options;
    metrics.watchLive.set({ kind }, state.kind === 'live' ? 1 : 0);
    if (state.kind === 'live') {
      if (this.#broken.delete(kind)) log.info({ kind }, `${kind} are watched again`);
      return;
    }
    metrics.watchFailures.inc({ kind });
    // The same complaint each half minute is no news.
    if (this.#broken.get(kind) === state.error.message) return;
    this.#broken.set(kind, state.error.message);
    log.warn({ kind, error: state.error }, `${kind} cannot be watched just now`);
  }

  passed(): void {
    this.#passedAt = performance.now();
  }

  alive(): readonly string[] {
    const silentMs = this.#world === undefined ? 0 : performance.now() - this.#passedAt;
    const limitMs = Math.max(stuckMs, 3 * this.#options.resyncMs);
    return silentMs > limitMs ? [`no pass for ${Math.round(silentMs / 1000)} s`] : [];
  }

  ready(): readonly string[] {
    const unread = this.#world?.unread() ?? [];
    const complaints = unread.map((kind) => `${kind}: ${this.#broken.get(kind) ?? 'not read yet'}`);
    const isHeard = this.#lead?.kind === 'leading' || performance.now() - this.#heardAt < this.#options.leaseMs;
    return isHeard ? complaints : ['nothing is known of the Lease: the API server does not answer', ...complaints];
  }

  measure(): void {
    for (const [kind, size] of this.#world?.sizes() ?? []) this.#options.metrics.objects.set({ kind }, size);
  }
}

function changed(before: LeadState | undefined, now: LeadState): boolean {
  if (before?.kind !== now.kind) return true;
  return before.kind === 'following' && now.kind === 'following' && before.leader !== now.leader;
}

function writeLead(state: LeadState, log: Log): void {
  switch (state.kind) {
    case 'leading':
      log.info({}, 'this one leads');
      return;
    case 'following':
      log.info({ leader: state.leader }, 'another one leads');
      return;
    case 'lost':
      log.warn({ why: state.why }, 'this one does not lead any more');
      return;
    case 'unsure':
      log.warn({ error: state.error }, 'the Lease cannot be read or renewed just now');
      return;
  }
}
