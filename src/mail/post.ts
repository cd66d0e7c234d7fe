import type { KeyRing } from '../keepalive/keys.ts';
import { ownerMark, signLink } from '../keepalive/link-token.ts';
import type { DeliveryReport, Mail, Owner } from '../lifecycle/decision.ts';
import type { MailSettings, Settings } from '../resolve/state.ts';
import { type DeliverOptions, type Delivery, deliver } from './deliver.ts';
import { type Letter, writeLetter } from './letter.ts';
import type { Smtp } from './smtp.ts';
import type { OwnTemplates } from './templates.ts';

/** A mail as it goes to one owner. */
export interface AddressedMail {
  readonly mail: Mail;
  readonly owner: Owner;
  readonly letter: Letter;
}

export interface ComposeOptions {
  readonly settings: Pick<Settings, 'name' | 'keepalive'> & { readonly mail: MailSettings };
  /** For links; without them mails ask for an answer in place of a press of the button. */
  readonly keys?: KeyRing;
  readonly own: OwnTemplates;
  readonly now: Date;
}

export interface Composed {
  readonly mails: readonly AddressedMail[];
  /** What is wrong with the user's own templates, each said once. */
  readonly faults: readonly string[];
}

/** One letter for each owner: in their language and zone, with a link of their own, and with its own fate. */
export async function composeMails(mails: readonly Mail[], options: ComposeOptions): Promise<Composed> {
  const { settings, own, now } = options;
  const faults = new Set<string>();
  const composed: AddressedMail[] = [];
  for (const mail of mails) {
    for (const owner of mail.to) {
      const link = await linkFor(mail, owner, options);
      const news = { mail, owner, instance: settings.name, language: settings.mail.language };
      const written = writeLetter(link === undefined ? news : { ...news, link }, {
        sender: settings.mail.from,
        own,
        now,
      });
      if (written.fault !== undefined) faults.add(written.fault);
      composed.push({ mail, owner, letter: written.letter });
    }
  }
  return { mails: composed, faults: [...faults] };
}

async function linkFor(
  mail: Mail,
  owner: Owner,
  { settings: { keepalive }, keys, now }: ComposeOptions,
): Promise<string | undefined> {
  if (keepalive === undefined || keys === undefined || mail.kind === 'deletionOrdered') return undefined;
  const { claim, identity, deadline } = mail;
  return signLink(keys, keepalive.url, {
    claim,
    identity,
    deadline,
    issuedAt: now.getTime(),
    owner: ownerMark(owner.email),
  });
}

/** Sends them, and tells what became of each. */
export async function sendMails(
  smtp: Smtp,
  mails: readonly AddressedMail[],
  options: DeliverOptions,
): Promise<readonly DeliveryReport[]> {
  const byLetter = new Map(mails.map((mail) => [mail.letter, mail.mail]));
  const deliveries = await deliver(smtp, [...byLetter.keys()], options);
  return deliveries.flatMap((delivery) => {
    const mail = byLetter.get(delivery.letter);
    return mail === undefined ? [] : [reportOf(mail, delivery, options.now)];
  });
}

/** Refused by the server as a whole (a login that fails) says nothing about an address: that is put off, not rejected. */
function reportOf(mail: Mail, delivery: Delivery, now: () => Date): DeliveryReport {
  const to = delivery.letter.to.email;
  if (delivery.kind === 'accepted') return { mail, to, at: delivery.at.getTime(), outcome: 'accepted' };
  const isRejected = delivery.kind === 'refused' && delivery.about === 'letter';
  return { mail, to, at: now().getTime(), outcome: isRejected ? 'rejected' : 'deferred', reply: delivery.said };
}
