import type { ClaimForecast, ForecastEvent } from '../../lifecycle/forecast.ts';
import { textOf } from '../../lifecycle/instants.ts';
import { type ForecastView, isBySchedule } from './words.ts';

/** For programs: every instant as RFC 3339 in UTC. */
export function forecastJson(view: ForecastView): object {
  const { claims, from, until, timeZone } = view;
  return { from: textOf(from), until: textOf(until), timeZone, claims: claims.map((claim) => claimJson(claim, view)) };
}

function claimJson({ events, ...claim }: ClaimForecast, { withSchedules }: ForecastView): object {
  const ticks = events.filter(isBySchedule);
  const shown = withSchedules ? events : events.filter((event) => !isBySchedule(event));
  const [first] = ticks;
  const schedules = first === undefined ? {} : { scheduleTicks: { count: ticks.length, first: textOf(first.at) } };
  return { ...claim, events: shown.map(eventJson), ...schedules };
}

function eventJson(event: ForecastEvent): object {
  const at = textOf(event.at);
  switch (event.kind) {
    case 'mail':
      return { ...event, at, deadline: textOf(event.deadline) };
    case 'expires':
      return { ...event, at, deletion: textOf(event.deletion) };
    case 'sleeps':
    case 'wakes':
      return { ...event, at, schedule: { ...event.schedule, at: textOf(event.schedule.at) } };
    case 'deletionOrdered':
      return { ...event, at };
  }
}
