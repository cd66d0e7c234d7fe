import type { ClaimForecast, ForecastEvent } from '../../lifecycle/forecast.ts';
import { counted } from '../../plan/change.ts';

/** What the forms of a forecast are made from. */
export interface ForecastView {
  readonly claims: readonly ClaimForecast[];
  readonly from: number;
  readonly until: number;
  readonly timeZone: string;
  /** Each tick of each sleep schedule, too. */
  readonly withSchedules: boolean;
}

/** An event of a claim, out of its list. */
export interface Dated {
  readonly claim: ClaimForecast;
  readonly event: ForecastEvent;
}

export type Moments = (instant: number) => string;

/** `2026-12-01 08:17`: Swedish dates are ISO dates. */
export function moments(timeZone: string): Moments {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (instant) => format.format(instant);
}

export function isBySchedule({ kind }: ForecastEvent): boolean {
  return kind === 'sleeps' || kind === 'wakes';
}

/** In the order of time, those of one instant by name. */
export function dated({ claims, withSchedules }: ForecastView): Dated[] {
  return claims
    .flatMap((claim) =>
      claim.events.filter((event) => withSchedules || !isBySchedule(event)).map((event) => ({ claim, event })),
    )
    .sort((a, b) => a.event.at - b.event.at);
}

export function forecastTitle({ claims, from, until, timeZone }: ForecastView): string {
  const events = claims.flatMap((claim) => claim.events);
  const number = (kind: ForecastEvent['kind']): number => events.filter((event) => event.kind === kind).length;
  const day = moments(timeZone)(until).slice(0, 10);
  const parts = [
    `${counted(number('expires'), 'claim')} put to sleep`,
    `${counted(number('deletionOrdered'), 'deletion')} ordered`,
    `${counted(number('mail'), 'mail')} sent`,
  ];
  const days = counted(Math.round((until - from) / 86_400_000), 'day');
  return `Until ${day} (${days}), if nobody renews anything: ${parts.join(', ')}`;
}

/** Behind the claim's name. */
export function eventText(event: ForecastEvent, moment: Moments): string {
  switch (event.kind) {
    case 'mail':
      return `${mailText[event.mail]} ${moment(event.deadline)}: mail to ${event.to.join(', ')}`;
    case 'expires':
      return `is put to sleep; its deletion is ordered at ${moment(event.deletion)}`;
    case 'sleeps':
      return `sleeps by its schedule "${event.schedule.line}" (${event.schedule.timeZone})`;
    case 'wakes':
      return `wakes by its schedule "${event.schedule.line}" (${event.schedule.timeZone})`;
    case 'deletionOrdered':
      return 'is ordered to be deleted, with its data';
  }
}

const mailText = {
  sleepWarning: 'is warned of its sleep at',
  asleep: 'is told that it sleeps, and is deleted at',
  deletionWarning: 'is warned of its deletion at',
  deletionOrdered: 'is told that its deletion was ordered at',
} as const;

export const assumptions =
  'It is assumed that mails are accepted, that the runner looks when its schedule says, and that nobody renews, wakes or edits a claim.';
