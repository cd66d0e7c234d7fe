import { createHash } from 'node:crypto';
import type { Instant } from '../instant.ts';
import type { MailKind } from '../lifecycle/decision.ts';

/** What makes two mails the same one. */
export interface MailIdentity {
  /** Name of the instance. */
  readonly instance: string;
  readonly claim: string;
  /** Of the claim: another one of the same name is warned anew. */
  readonly identity: string;
  readonly kind: MailKind;
  readonly deadline: Instant;
  /** Mail address. */
  readonly to: string;
}

/**
 * Message-ID without the angle brackets: the same whenever the same warning is sent to the same person, so that mail
 * servers and readers recognise a repeat after a crash.
 */
export function messageIdOf(mail: MailIdentity, sender: string): string {
  const { instance, claim, identity, kind, deadline, to } = mail;
  const digest = digestOf([instance, claim, identity, kind, new Date(deadline).toISOString(), to.toLowerCase()]);
  return `${kind}.${digest}@${domainOf(sender)}`;
}

/** Of calendar entries: the same whatever the date, so that a later mail moves the entry of an earlier one. */
export function calendarUidOf(mail: MailIdentity, sender: string): string {
  const { instance, claim, identity, kind } = mail;
  const about = kind === 'sleepWarning' ? 'sleep' : 'deletion';
  return `${about}.${digestOf([instance, claim, identity, about])}@${domainOf(sender)}`;
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
