import type { Instant } from '../instant.ts';
import type { InstantParts, Language } from '../mail/language.ts';

const names: Readonly<Record<Language, { readonly weekdays: string; readonly months: string }>> = {
  en: {
    weekdays: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
    months: 'January February March April May June July August September October November December',
  },
  de: {
    weekdays: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag',
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  },
};

/** In UTC, for instants that only the page itself knows of, such as when somebody pressed the button. */
export function plainParts(at: Instant, language: Language): InstantParts {
  const date = new Date(at);
  const { weekdays, months } = names[language];
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return {
    weekday: weekdays.split(' ')[date.getUTCDay()] ?? '',
    day: `${date.getUTCDate()}${language === 'de' ? '.' : ''} ${months.split(' ')[date.getUTCMonth()]} ${date.getUTCFullYear()}`,
    time: `${time}${language === 'de' ? ' Uhr' : ''} (UTC)`,
  };
}
