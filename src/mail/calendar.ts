import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator';

export interface CalendarEntry {
  /** The same for every date that one thing may get, so that a later one moves the entry. */
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
  readonly url?: string;
  readonly at: Date;
  readonly stamp: Date;
}

/** How long before the date calendars remind. */
const reminderSeconds = 24 * 3600;
const minutes = 60_000;

/**
 * A file that puts one date into a calendar. Of two with the same uid calendars keep the one with the higher sequence;
 * since deadlines only ever move later, minutes of the deadline are one.
 */
export function calendarFile({ uid, summary, description, url, at, stamp }: CalendarEntry): string {
  const calendar = ical({ prodId: { company: 'Quiesce', product: 'Quiesce' }, method: ICalCalendarMethod.PUBLISH });
  calendar.createEvent({
    id: uid,
    stamp,
    sequence: Math.floor(at.getTime() / minutes),
    start: at,
    end: new Date(at.getTime() + 15 * minutes),
    summary,
    description,
    ...(url !== undefined && { url }),
    transparency: ICalEventTransparency.TRANSPARENT,
    busystatus: ICalEventBusyStatus.FREE,
    alarms: [{ type: ICalAlarmType.display, description: summary, trigger: reminderSeconds }],
  });
  return calendar.toString();
}
