import { decide } from '../../src/lifecycle/decide.ts';
import type {
  Decision,
  DeliveryReport,
  LifecycleClaim,
  LifecycleInput,
  Mail,
  ObservedResource,
} from '../../src/lifecycle/decision.ts';
import type { LifecycleRecord } from '../../src/resolve/state.ts';
import { claimOf, clusterOf, hour, inputOf, start } from './sample.ts';

/** What a mail server makes of a message. */
export type Server = (mail: Mail, to: string) => DeliveryReport['outcome'];

/** One claim and a runner that comes again and again, carried out as the runner does: what is decided is what is next. */
export class Life {
  now = start;
  /** How often the runner comes. */
  every = hour;
  claim: LifecycleClaim;
  record: LifecycleRecord | undefined;
  resource: ObservedResource = {};
  world: Partial<LifecycleInput> = {};
  server: Server = () => 'accepted';
  readonly mails: { readonly at: number; readonly mail: Mail; readonly to: string }[] = [];
  readonly decisions: { readonly at: number; readonly decision: Decision }[] = [];
  isGone = false;

  constructor(claim: Partial<LifecycleClaim> = {}, record?: LifecycleRecord) {
    this.claim = claimOf(claim);
    this.record = record;
  }

  /** Runs up to an instant. */
  until(instant: number): this {
    while (this.now < instant && !this.isGone) {
      this.run();
      this.now += this.every;
    }
    return this;
  }

  run(): Decision | undefined {
    const first = decide(this.now, this.input([]));
    const reports = first.decisions.flatMap(({ mails }) => mails).flatMap((mail) => this.send(mail));
    const { decisions, deadlines } = decide(this.now, this.input(reports));
    const [decision] = decisions;
    this.resource = { ...this.resource, ...publishedAs(deadlines.get(this.claim.name)) };
    if (decision === undefined) return undefined;
    this.decisions.push({ at: this.now, decision });
    if (decision.state !== undefined) this.claim = { ...this.claim, state: decision.state.to };
    if (decision.record?.kind === 'write') this.record = decision.record.record;
    this.isGone = decision.remove !== undefined;
    return decision;
  }

  input(reports: readonly DeliveryReport[]): LifecycleInput {
    return inputOf({
      claims: [this.claim],
      records: new Map(this.record === undefined ? [] : [[this.claim.name, this.record]]),
      clusters: new Map([['main', clusterOf({ [this.claim.name]: this.resource })]]),
      reports,
      ...this.world,
    });
  }

  private send(mail: Mail): DeliveryReport[] {
    return mail.to.map(({ email }) => {
      const outcome = this.server(mail, email);
      if (outcome === 'accepted') this.mails.push({ at: this.now, mail, to: email });
      const reply = outcome === 'accepted' ? {} : { reply: '550 no such user' };
      return { mail, to: email, at: this.now, outcome, ...reply };
    });
  }
}

function publishedAs(deadlines: { readonly sleep: number; readonly delete: number } | undefined): ObservedResource {
  return deadlines === undefined ? {} : { deadlines: { sleep: deadlines.sleep, delete: deadlines.delete } };
}
