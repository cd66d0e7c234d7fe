import type { Mail, Owner } from '../../src/lifecycle/decision.ts';
import type { MailSettings } from '../../src/resolve/state.ts';

const at = (text: string): number => Date.parse(text);

export const now = new Date('2026-12-01T10:00:00Z');

export const ada: Owner = { name: 'Ada Lovelace', email: 'accept-ada@example.edu' };

export function mailOf(change: Partial<Mail> = {}): Mail {
  const owners = change.owners ?? change.to ?? [ada];
  return {
    kind: 'sleepWarning',
    claim: 'analytical-engine',
    identity: '0123456789abcdef0123',
    cluster: 'atlas',
    to: owners,
    owners,
    deadline: at('2026-12-08T23:30:00Z'),
    deletion: at('2027-02-06T23:30:00Z'),
    since: at('2026-09-09T23:30:00Z'),
    state: 'Running',
    timeZone: 'Europe/Berlin',
    ...change,
  };
}

export function mailSettings(change: Partial<MailSettings> = {}): MailSettings {
  return {
    from: 'quiesce@example.edu',
    replyTo: 'platform-team@example.edu',
    host: '127.0.0.1',
    port: 25,
    security: 'None',
    language: 'en',
    ...change,
  };
}
