import type { Mail, Owner } from '../lifecycle/decision.ts';
import { calendarFile } from './calendar.ts';
import { dayText, instantText, type Language, type Place } from './language.ts';
import { escapeHtml, type Link, letterHtml } from './letter-html.ts';
import { calendarUidOf, type MailIdentity, messageIdOf } from './message-id.ts';
import { chooseSections, fill, fillNames, oneLine, TemplateFault, type TemplateValues } from './template.ts';
import type { templateNames } from './template-names.ts';
import { builtInTemplate, type OwnTemplates, ownTemplate, type Template } from './templates.ts';

/** What one owner is told of one claim. */
export interface News {
  readonly mail: Mail;
  readonly owner: Owner;
  /** Name of the instance. */
  readonly instance: string;
  /** For owners that name none of their own. */
  readonly language: Language;
  /** Renews with one press of a button. */
  readonly link?: string;
}

/** A mail to one person, ready to be sent. */
export interface Letter {
  /** Without angle brackets. */
  readonly messageId: string;
  readonly to: { readonly name: string; readonly email: string };
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Text of an iCalendar file. */
  readonly calendar?: string;
}

export interface Written {
  readonly letter: Letter;
  /** Why the user's own template was not used, in words for whoever wrote it. */
  readonly fault?: string;
}

export interface WriteOptions {
  /** Address that mails come from. */
  readonly sender: string;
  readonly own: OwnTemplates;
  readonly now: Date;
}

/**
 * The user's own template where there is one, ours where there is none or it cannot be used: a warning that went
 * unsent, or did not name its date, because of a slip in a template would help nobody.
 */
export function writeLetter(news: News, options: WriteOptions): Written {
  const { language } = placeOf(news);
  const builtIn = builtInTemplate(language, news.mail.kind);
  const own = ownTemplate(options.own, language, news.mail.kind);
  if (own === undefined) return { letter: compose(news, builtIn, options) };
  try {
    return { letter: compose(news, own, options) };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return { letter: compose(news, builtIn, options), fault: `${own.from} cannot be used: ${error.message}.` };
  }
}

function compose(news: News, template: Template, options: WriteOptions): Letter {
  const { owner } = news;
  const { language } = placeOf(news);
  const values = valuesOf(news);
  const { head, body } = partsOf(template.text);
  const header = (name: string): string => oneLine(fill(head.get(name) ?? '', values));
  const chosen = tidy(chooseSections(body, values));
  const text = fillNames(chosen, values);
  const subject = header('subject') || missing('it has no line "Subject: …" at its top');
  const link: Link | undefined =
    news.link === undefined ? undefined : { address: news.link, words: header('button') || news.link };
  requireSaid(news, values, text);
  const summary = header('calendar');
  return {
    messageId: messageIdOf(identityOf(news), options.sender),
    to: { name: oneLine(owner.name), email: owner.email },
    language,
    subject,
    text,
    html: fill(template.layout, { language, subject: escapeHtml(subject), body: letterHtml(chosen, values, link) }),
    ...(summary !== '' && { calendar: calendarOf(news, options, { summary, text }) }),
  };
}

function calendarOf(
  news: News,
  { sender, now }: WriteOptions,
  { summary, text }: { readonly summary: string; readonly text: string },
): string {
  return calendarFile({
    uid: calendarUidOf(identityOf(news), sender),
    summary,
    description: text.trimEnd(),
    ...(news.link !== undefined && { url: news.link }),
    at: new Date(news.mail.deadline),
    stamp: now,
  });
}

function placeOf({ mail, owner, language }: News): Place {
  return { language: owner.language ?? language, timeZone: owner.timeZone ?? mail.timeZone };
}

function identityOf({ mail, owner, instance }: News): MailIdentity {
  const { claim, identity, kind, deadline } = mail;
  return { instance, claim, identity, kind, deadline, to: owner.email };
}

/** An empty value is one that a template can ask for. */
function valuesOf(news: News): Readonly<Record<(typeof templateNames)[number], string>> {
  const { mail, owner, link = '' } = news;
  const place = placeOf(news);
  const deadline = new Date(mail.deadline);
  return {
    instance: oneLine(news.instance),
    claim: oneLine(mail.claim),
    cluster: oneLine(mail.cluster),
    owner: oneLine(owner.name),
    deadline: instantText(deadline, place),
    day: dayText(deadline, place),
    deletion: mail.deletion === undefined ? '' : instantText(new Date(mail.deletion), place),
    since: dayText(new Date(mail.since), place),
    asleep: mail.state === 'Sleeping' ? 'yes' : '',
    expired: mail.by === 'Expiry' ? 'yes' : '',
    link,
  };
}

/** Lines `Name: value` up to the first blank one, and what follows. */
function partsOf(template: string): { readonly head: ReadonlyMap<string, string>; readonly body: string } {
  const text = template.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const end = text.search(/\n[ \t]*\n/);
  const lines = (end === -1 ? text : text.slice(0, end)).split('\n');
  const entries = lines.map((line) => /^([A-Za-z]+): *(.*)$/.exec(line));
  const head = new Map(
    entries.flatMap((entry) => (entry === null ? [] : [[(entry[1] ?? '').toLowerCase(), entry[2] ?? '']])),
  );
  return { head, body: end === -1 ? '' : text.slice(end).trimStart() };
}

function tidy(text: string): string {
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** A warning that names no date warns of nothing, and one without its link leaves its reader helpless. */
function requireSaid({ mail, link }: News, { deadline = '' }: TemplateValues, text: string): void {
  if (mail.kind === 'deletionOrdered') return;
  if (!text.includes(deadline)) missing('it does not say {{deadline}}');
  if (link !== undefined && !text.includes(link)) missing('it has no {{link}}');
}

function missing(what: string): never {
  throw new TemplateFault(what);
}
