import type { Instant } from '../../instant.ts';
import { type InFlight, openInFlight, type Rest, type Task } from '../in-flight.ts';
import type { KubeClient } from '../kube/client.ts';
import { openSubjectsInFlight, type SubjectsInFlight } from '../subjects-in-flight.ts';
import { taskOf } from './act.ts';
import { deedsOf } from './carry-over.ts';
import { blindLook, type Course, idlePauseMs, isNarrow, lookOnce, observation, openCourse } from './course.ts';
import type { UninstallAction, UninstallDecision } from './decision.ts';
import { type Discovery, sharedDiscovery } from './discovery.ts';
import { type Followed, openFollowed } from './followed.ts';
import type { HelmCommand } from './helm.ts';
import { allKinds } from './kinds.ts';
import { type Lister, openLister } from './lister.ts';
import type { UninstallObservation } from './observation.ts';
import type { UninstallPlan } from './plan.ts';
import { isConcluded } from './report.ts';
import type { UninstallStatus } from './status.ts';
import { openTogether } from './together.ts';

interface UninstallerOptions {
  readonly client: KubeClient;
  readonly helm: HelmCommand;
  readonly pageSize: number;
  /** Requests that change something, at the same time. */
  readonly parallel: number;
  readonly now: () => Instant;
  readonly random: () => number;
  mayAct(): boolean;
  /** Asks for a pass of this subject (its name). */
  wake(name: string, inMs: number): void;
  /** The same at once: what it has waited for is there. */
  hurry(name: string): void;
  onOutcome(action: UninstallAction, outcome: string): void;
  /** The cluster could not be looked at. */
  onBlind(name: string, error: Error): void;
  /** What nobody foresaw. */
  onError(error: unknown): void;
}

/** Looks and acts for the plans of one loop. Deciding is for whoever asks. */
export interface Uninstaller {
  /**
   * What is seen of this plan, once for each look: undefined until it is there, and again after it was acted upon. It
   * asks for a pass when there is something to see.
   */
  observe(plan: UninstallPlan, shown: UninstallStatus | undefined): UninstallObservation | undefined;
  /** In place of it while not even the resource that asks can be read. */
  blind(plan: UninstallPlan, shown: UninstallStatus | undefined): UninstallObservation;
  /** Begins the actions. The next look comes after them, or when the decision wants it. */
  act(plan: UninstallPlan, decision: Acted): void;
  /** Over when there is something to observe, or it cannot be looked at. */
  read(plan: UninstallPlan): Promise<void>;
  /** Something that it waits for has happened: the next look need not wait. */
  hasten(name: string): void;
  /** Nothing is asked of this subject any more. */
  forget(name: string): void;
  settled(rest: Rest): Promise<void>;
}

type Acted = Pick<UninstallDecision, 'actions' | 'next' | 'wakeAt'>;

/** Lists at the same time. */
const listsAtOnce = 12;
/** Watches of what goes, at the same time. */
const watchesAtOnce = 60;
const togetherMs = 30;
/** Programs at the same time. */
const programsAtOnce = 3;

export function openUninstaller(options: UninstallerOptions): Uninstaller {
  return new LookingUninstaller(options);
}

class LookingUninstaller implements Uninstaller {
  readonly #options: UninstallerOptions;
  readonly #lister: Lister;
  readonly #discover: () => Promise<Discovery>;
  readonly #together = openTogether();
  readonly #room = { left: watchesAtOnce };
  /** Subjects of which something is gone that was followed. */
  readonly #going = new Set<string>();
  readonly #courses = new Map<string, Course>();
  /** By subject, requests that are under way or wait; none is looked at before they are over. */
  readonly #busy = new Map<string, number>();
  readonly #requests: SubjectsInFlight;
  /** Programs may take minutes, and looks go on meanwhile. */
  readonly #programs: InFlight;

  constructor(options: UninstallerOptions) {
    const { client, pageSize, parallel, onError } = options;
    this.#options = options;
    this.#lister = openLister({ client, pageSize, limit: listsAtOnce });
    this.#discover = sharedDiscovery(client);
    this.#requests = openSubjectsInFlight({ limit: parallel, onEnd: (name) => this.#lookAgain(name), onError });
    this.#programs = openInFlight({ limit: programsAtOnce, onEnd: () => undefined, onError });
  }

  observe(plan: UninstallPlan, shown: UninstallStatus | undefined): UninstallObservation | undefined {
    const { name } = plan.subject;
    const course = this.#course(plan);
    if (isConcluded(plan, shown)) {
      course.followed?.close();
      this.#together.over(name);
      return undefined;
    }
    if (course.look !== undefined) return observation(course.look, course, shown);
    if (course.looking !== undefined || (this.#busy.get(name) ?? 0) > 0) return undefined;
    const wait = this.#beginsAt(course) - this.#options.now();
    if (wait <= 0) void this.#look(plan, course);
    else if (Number.isFinite(wait)) this.#options.wake(name, wait);
    return undefined;
  }

  blind(plan: UninstallPlan, shown: UninstallStatus | undefined): UninstallObservation {
    const { kind, name } = plan.subject;
    const unread = { what: allKinds, status: 0, why: `not even ${kind} ${name} can be read` };
    const course = this.#course(plan);
    return observation(blindLook(this.#options.now(), course, unread), course, shown);
  }

  act(plan: UninstallPlan, { actions, next, wakeAt }: Acted): void {
    const { name } = plan.subject;
    const course = this.#course(plan);
    if (course.look === undefined) return;
    const deeds = deedsOf(actions);
    Object.assign(course, { look: undefined, next, deeds });
    const { memory, followed, discovery } = course;
    const context = { subject: name, memory, deeds, kinds: discovery?.kinds ?? [], followed };
    const tasks = actions.map((action) => ({ action, task: taskOf(action, this.#options, context) }));
    const isProgram = ({ action }: (typeof tasks)[number]) => action.kind === 'helmUninstall';
    const requests = tasks.filter((each) => !isProgram(each)).map(({ task }) => this.#counted(name, task));
    this.#requests.offer(name, requests);
    const programs = tasks.filter(isProgram).map(({ task }) => this.#waking(name, task));
    if (programs.length > 0) this.#programs.offer(programs);
    course.idle = actions.length > 0 ? 0 : course.idle + 1;
    const pause = idlePauseMs(course.idle);
    course.notBefore =
      requests.length > 0 ? 0 : Math.max(wakeAt ?? Number.POSITIVE_INFINITY, this.#options.now() + pause);
    if (Number.isFinite(course.notBefore) && requests.length === 0) {
      this.#options.wake(name, Math.max(0, course.notBefore - this.#options.now()));
    }
  }

  async read(plan: UninstallPlan): Promise<void> {
    const course = this.#course(plan);
    if (course.look === undefined) await this.#look(plan, course);
  }

  hasten(name: string): void {
    const course = this.#courses.get(name);
    // What cannot be looked at is not looked at more often for that; what is over stays so.
    if (course !== undefined && course.failures === 0 && Number.isFinite(course.notBefore)) course.notBefore = 0;
  }

  forget(name: string): void {
    this.#courses.get(name)?.followed?.close();
    this.#together.over(name);
    if (!this.#courses.delete(name)) return;
    // What still waits was decided for what is not asked for any more.
    this.#requests.offer(name, []);
    this.#busy.delete(name);
  }

  async settled(rest: Rest): Promise<void> {
    for (const { followed } of this.#courses.values()) followed?.close();
    await this.#requests.settled(rest);
    await this.#programs.settled(rest);
  }

  /** Of another plan, what was seen does not count; of another run, what was remembered does not either. */
  #course(plan: UninstallPlan): Course {
    const text = JSON.stringify(plan);
    const known = this.#courses.get(plan.subject.name);
    if (known?.text === text) return known;
    known?.followed?.close();
    const memory = known?.plan.run === plan.run ? known.memory : { refusals: new Map(), deletions: new Map() };
    const course = openCourse(plan, memory, this.#followedFor(plan));
    this.#courses.set(plan.subject.name, course);
    return course;
  }

  /** What claims leave is looked at for many of them at once, and what is installed is looked at too rarely for it. */
  #followedFor({ subject: { kind, name }, generation }: UninstallPlan): Followed | undefined {
    if (kind !== 'Installation' || generation === undefined) return undefined;
    const onGone = () => {
      if (this.#going.has(name)) return;
      // What goes together comes together.
      this.#going.add(name);
      setTimeout(() => void this.#lookAnew(name), togetherMs);
    };
    return openFollowed({ ...this.#options, lister: this.#lister, room: this.#room, onGone });
  }

  #beginsAt({ plan: { subject }, followed, last, next, notBefore }: Course): Instant {
    const now = this.#options.now();
    // The first looks begin together anyhow, as the orders come; what waits, waits on.
    if (followed !== undefined || last === undefined || notBefore > now) return notBefore;
    return this.#together.beginsAt(subject.name, now, isNarrow(next));
  }

  async #lookAnew(name: string): Promise<void> {
    this.#going.delete(name);
    await this.#courses.get(name)?.looking;
    const course = this.#courses.get(name);
    if (course?.followed === undefined || (this.#busy.get(name) ?? 0) > 0) return;
    const { next, failures, notBefore } = course;
    if (failures > 0 || !Number.isFinite(notBefore) || !isNarrow(next)) return;
    course.look = undefined;
    await this.#look(course.plan, course);
  }

  /** When the last request is over; where a look asks for next to nothing, at once, and not only in the next pass. */
  #lookAgain(name: string): void {
    const course = this.#courses.get(name);
    if ((this.#busy.get(name) ?? 0) > 0) return;
    if (course?.followed === undefined || course.look !== undefined) this.#options.wake(name, 0);
    else void this.#look(course.plan, course);
  }

  #look(plan: UninstallPlan, course: Course): Promise<void> {
    const { name } = plan.subject;
    const { now, wake, hurry } = this.#options;
    this.#together.begun(name);
    course.looking ??= lookOnce(
      { ...this.#options, lister: this.#lister, discover: this.#discover },
      plan,
      course,
    ).finally(() => {
      course.looking = undefined;
      if (this.#courses.get(name) !== course) return;
      if (course.failures > 0) wake(name, Math.max(0, course.notBefore - now()));
      else hurry(name);
    });
    return course.looking;
  }

  #counted(name: string, task: Task): Task {
    this.#busy.set(name, (this.#busy.get(name) ?? 0) + 1);
    const over = () => this.#busy.set(name, (this.#busy.get(name) ?? 1) - 1);
    return { ...task, run: () => task.run().finally(over) };
  }

  #waking(name: string, task: Task): Task {
    return { ...task, run: () => task.run().finally(() => this.#options.wake(name, 0)) };
  }
}
