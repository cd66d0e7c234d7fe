import type { ClaimForecast } from '../../lifecycle/forecast.ts';
import { counted } from '../../plan/change.ts';
import { printable } from '../escape.ts';
import type { Style } from '../style.ts';
import {
  assumptions,
  type Dated,
  dated,
  eventText,
  type ForecastView,
  forecastTitle,
  isBySchedule,
  moments,
} from './words.ts';

export type Grouping = 'day' | 'claim';

export function forecastText(view: ForecastView, by: Grouping, style: Style): string {
  const blocks = by === 'day' ? days(view, style) : claims(view, style);
  return [
    style.bold(forecastTitle(view)),
    ...blocks,
    ...scheduled(view, style),
    ...heldBack(view, style),
    style.dim(`Times are in ${view.timeZone}. ${assumptions}`),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

function days(view: ForecastView, style: Style): string[] {
  const moment = moments(view.timeZone);
  const weekday = new Intl.DateTimeFormat('en', { timeZone: view.timeZone, weekday: 'short' });
  return grouped(dated(view), ({ event }) => moment(event.at).slice(0, 10)).map(([day, events]) => {
    const lines = events.map(
      ({ claim, event }) =>
        `  ${moment(event.at).slice(11)}  ${printable(`${claim.name} ${eventText(event, moment)}`)}`,
    );
    return [style.bold(`${day} ${weekday.format(events[0]?.event.at)}`), ...lines].join('\n');
  });
}

function claims(view: ForecastView, style: Style): string[] {
  const moment = moments(view.timeZone);
  return grouped(dated(view), ({ claim }) => claim.name)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, events]) => {
      const { cluster = '', owners = [] } = events[0]?.claim ?? {};
      const lines = events.map(({ event }) => `  ${moment(event.at)}  ${printable(eventText(event, moment))}`);
      return [`${style.bold(printable(name))} on ${cluster}, ${printable(owners.join(', '))}`, ...lines].join('\n');
    });
}

function grouped(events: readonly Dated[], key: (dated: Dated) => string): [string, Dated[]][] {
  const groups = new Map<string, Dated[]>();
  for (const event of events) {
    const known = groups.get(key(event));
    if (known === undefined) groups.set(key(event), [event]);
    else known.push(event);
  }
  return [...groups];
}

/** Two lines a night for each of thousands of claims would bury what has to be read. */
function scheduled(view: ForecastView, style: Style): string[] {
  const moment = moments(view.timeZone);
  const lines = view.withSchedules ? [] : view.claims.flatMap((claim) => scheduleLine(claim, moment));
  return lines.length === 0 ? [] : [[style.bold('By sleep schedules (--schedules lists each)'), ...lines].join('\n')];
}

function scheduleLine({ name, events }: ClaimForecast, moment: (instant: number) => string): string[] {
  const ticks = events.filter(isBySchedule);
  const [first] = ticks;
  if (first === undefined) return [];
  const number = (kind: 'sleeps' | 'wakes'): number => ticks.filter((event) => event.kind === kind).length;
  const often = `sleeps ${counted(number('sleeps'), 'time')}, wakes ${counted(number('wakes'), 'time')}`;
  return [`  ${printable(name)} ${often}, first at ${moment(first.at)}`];
}

function heldBack(view: ForecastView, style: Style): string[] {
  const lines = view.claims.flatMap(({ name, holds }) =>
    holds.map(({ code, message }) => `  ${printable(`${name}: ${message}`)} ${style.dim(code)}`),
  );
  return lines.length === 0 ? [] : [[style.bold('Held back'), ...lines].join('\n')];
}
