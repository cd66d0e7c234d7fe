import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator';
import { dated, eventText, type ForecastView, moments } from './words.ts';

const minutes = 60_000;

/**
 * One entry for each event. The same forecast gives the same bytes, and an entry keeps its uid while its event stays the
 * same, so that a calendar that subscribes to the file moves entries rather than doubling them.
 */
export function forecastCalendar(view: ForecastView): string {
  const moment = moments(view.timeZone);
  const calendar = ical({
    name: 'Quiesce forecast',
    prodId: { company: 'Quiesce', product: 'Quiesce' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const seen = new Map<string, number>();
  for (const { claim, event } of dated(view)) {
    const what = event.kind === 'mail' ? event.mail : event.kind;
    const often = seen.get(`${claim.name} ${what}`) ?? 0;
    seen.set(`${claim.name} ${what}`, often + 1);
    calendar.createEvent({
      id: `${claim.cluster}.${claim.name}.${what}.${often}@quiesce`,
      stamp: new Date(view.from),
      start: new Date(event.at),
      end: new Date(event.at + 15 * minutes),
      summary: `${claim.name} ${eventText(event, moment)}`,
      description: `${claim.name} on ${claim.cluster}, owned by ${claim.owners.join(', ')}`,
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.FREE,
    });
  }
  return `${calendar.toString()}\n`;
}
