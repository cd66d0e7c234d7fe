import type { Language } from '../mail/language.ts';

export interface LanguageWishes {
  /** By the switch on the page. */
  readonly chosen: string | null;
  /** `Accept-Language` of the browser. */
  readonly wished: string | undefined;
  /** Of the owner, or of the settings. */
  readonly fallback: Language;
}

export function languageFor({ chosen, wished = '', fallback }: LanguageWishes): Language {
  if (isLanguage(chosen)) return chosen;
  const wishes = wished.split(',').flatMap((part) => wishIn(part) ?? []);
  // Equal weights stay in the order of the header.
  const best = wishes.sort((a, b) => b.weight - a.weight).find(({ language }) => isLanguage(language))?.language;
  return isLanguage(best) ? best : fallback;
}

/** RFC 9110, 12.5.4: a language range with a weight; `de-AT` is German to us. A weight of 0 means "not this". */
function wishIn(part: string): { readonly language: string; readonly weight: number } | undefined {
  const [range = '', ...parameters] = part
    .trim()
    .toLowerCase()
    .split(/\s*;\s*/);
  const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1');
  return weight > 0 ? { language: range.split('-')[0] ?? '', weight } : undefined;
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'en' || text === 'de';
}
