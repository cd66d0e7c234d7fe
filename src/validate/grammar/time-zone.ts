import { closest } from '../suggest.ts';
import { type Fault, shown } from './fault.ts';

/** What was asked before: a state of ten thousand claims names a handful of zones, and `Intl` takes its time. */
const known = new Map<string, Fault | undefined>();

/**
 * A name of the IANA database. Kubernetes and Go look it up as a file, so case matters there although `Intl` ignores
 * it; offsets and `Local` are refused.
 */
export function timeZoneFault(text: string): Fault | undefined {
  if (!known.has(text)) known.set(text, check(text));
  return known.get(text);
}

function check(text: string): Fault | undefined {
  const zones = ['UTC', 'Etc/UTC', ...Intl.supportedValuesOf('timeZone')];
  if (zones.includes(text)) return undefined;
  const spelled = zones.find((zone) => zone.toLowerCase() === text.toLowerCase());
  if (spelled === undefined && isAlias(text)) return undefined;
  const meant = spelled ?? closest(text, zones) ?? zones.find((zone) => zone.endsWith(`/${text}`));
  return {
    code: 'time-zone-unknown',
    message: `${shown(text)} is no time zone of the IANA database.`,
    remedy: meant === undefined ? 'Write for example "Europe/Berlin".' : `Did you mean "${meant}"?`,
  };
}

/** `US/Eastern`, `CET`: older names that are not listed, but that `Intl` and Go know. */
function isAlias(text: string): boolean {
  if (!/^[A-Z][A-Za-z0-9+_-]*(?:\/[A-Z][A-Za-z0-9+_-]*)*$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
