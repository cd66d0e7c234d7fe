/** Languages of mails and of the keep-alive page. */
export type Language = 'en' | 'de';

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

export interface Place {
  readonly language: Language;
  /** IANA name, e.g. `Europe/Berlin`. */
  readonly timeZone: string;
}

/** `Tuesday, 12 January 2027, 14:00 (CET)`: to the minute, with the zone said. */
export function instantText(at: Date, place: Place): string {
  const { weekday, day, time } = instantParts(at, place);
  return `${weekday}, ${day}, ${time}`;
}

export interface InstantParts {
  readonly weekday: string;
  readonly day: string;
  readonly time: string;
}

/** Put together here: ICU's own ways of joining them differ between its versions. */
export function instantParts(at: Date, { language, timeZone }: Place): InstantParts {
  const parts = new Map(
    formatFor({ language, timeZone })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    weekday: part('weekday'),
    day: `${part('day')}${language === 'de' ? '.' : ''} ${part('month')} ${part('year')}`,
    time: `${part('hour')}:${part('minute')}${language === 'de' ? ' Uhr' : ''} (${part('timeZoneName')})`,
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes as long as using it a thousand times, and memory that only a collection gives back. */
function formatFor({ language, timeZone }: Place): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  });
  // There are some hundred zones, and an instance has a handful of them.
  formats.set(key, format);
  return format;
}

/** `12 January 2027`, by the calendar of the zone. */
export function dayText(at: Date, place: Place): string {
  return instantParts(at, place).day;
}
