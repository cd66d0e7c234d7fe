import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyRing, KeysUnusable, readKeys } from '../keepalive/keys.ts';
import type { DeliveryReport, Mail, MailCapability } from '../lifecycle/decision.ts';
import { type AddressedMail, composeMails, sendMails } from '../mail/post.ts';
import { NoCredentials, openSmtp, readCredentials, type Smtp } from '../mail/smtp.ts';
import { ownTemplatesFolder } from '../mail/templates.ts';
import type { Settings } from '../resolve/state.ts';
import type { StateAtTip } from '../writeback/state-at-tip.ts';

export interface PostOptions {
  /** Folder with `username` and `password` for the mail server. */
  readonly smtpCredentials?: string;
  /** Folder with the keys that sign keep-alive links. */
  readonly keys?: string;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Whether mail can be sent at all, before anything is decided: without it nothing expires. */
export interface PostOffice {
  readonly capability: MailCapability;
  /** For people: mails go out, but not as they should. */
  readonly complaints: readonly string[];
  compose(state: StateAtTip, mails: readonly Mail[]): Promise<readonly AddressedMail[]>;
  send(mails: readonly AddressedMail[]): Promise<readonly DeliveryReport[]>;
}

/** Letters under way at the same time: as many as the pool has connections. */
const parallel = 3;

export function openPostOffice(settings: Settings, options: PostOptions): PostOffice {
  const { mail, keepalive } = settings;
  const complaints: string[] = [];
  if (mail === undefined) return { ...closed, capability: { kind: 'notConfigured' }, complaints };
  const keys = keepalive === undefined ? undefined : keyRing(options.keys, complaints);
  const login = loginFor(mail.credentialsSecret !== undefined, options.smtpCredentials);
  // A link that cannot be signed leaves its reader without a way to say no.
  const why = login.why ?? (keepalive !== undefined && keys === undefined ? complaints.at(-1) : undefined);
  if (why !== undefined) return { ...closed, capability: { kind: 'down', why }, complaints };
  return {
    capability: { kind: 'ready' },
    complaints,
    compose: async (state, mails) => {
      const own = await templatesIn(state);
      const settingsOfMail = { ...settings, mail };
      const now = options.now();
      const composed = await composeMails(mails, {
        settings: settingsOfMail,
        ...(keys !== undefined && { keys }),
        own,
        now,
      });
      complaints.push(...composed.faults);
      return composed.mails;
    },
    send: async (mails) => {
      if (mails.length === 0) return [];
      const { credentials, ca } = login;
      const smtp = openSmtp({
        mail,
        ...(credentials !== undefined && { credentials }),
        ...(ca !== undefined && { ca }),
      });
      try {
        return await sendMails(untilStopped(smtp, options.signal), mails, {
          now: options.now,
          parallel,
          wait: async (milliseconds) => {
            await sleep(milliseconds, undefined, { signal: options.signal }).catch(() => undefined);
          },
        });
      } finally {
        smtp.close();
      }
    },
  };
}

const closed: Pick<PostOffice, 'compose' | 'send'> = { compose: async () => [], send: async () => [] };

function keyRing(folder: string | undefined, complaints: string[]): KeyRing | undefined {
  try {
    if (folder !== undefined) return readKeys(folder);
    complaints.push('There are no keys to sign keep-alive links with: set QUIESCE_KEYS.');
  } catch (error) {
    if (!(error instanceof KeysUnusable)) throw error;
    complaints.push(error.message);
  }
  return undefined;
}

/**
 * How the mail server knows us, and we it: the keys `username` and `password` of the Secret, and `ca.crt` where its
 * certificate is signed by an authority of its own. A Secret with that alone is for a server without a login.
 */
interface Login {
  readonly credentials?: ReturnType<typeof readCredentials>;
  readonly ca?: string;
  /** Why there is none. */
  readonly why?: string;
}

function loginFor(isNeeded: boolean, folder: string | undefined): Login {
  if (folder === undefined) {
    return isNeeded ? { why: 'There are no credentials for the mail server: set QUIESCE_SMTP_CREDENTIALS.' } : {};
  }
  const [authority, username] = ['ca.crt', 'username'].map((name) => join(folder, name)) as [string, string];
  const ca = existsSync(authority) ? { ca: readFileSync(authority, 'utf8') } : undefined;
  if (ca !== undefined && !existsSync(username)) return ca;
  try {
    return { credentials: readCredentials(folder), ...ca };
  } catch (error) {
    if (error instanceof NoCredentials) return { why: error.message };
    throw error;
  }
}

async function templatesIn({ tree, text }: StateAtTip): Promise<(file: string) => string | undefined> {
  const folder = `${ownTemplatesFolder}/`;
  const paths = tree.sources.map(({ path }) => path).filter((path) => path.startsWith(folder));
  const own = new Map<string, string | undefined>();
  for (const path of paths) own.set(path.slice(folder.length), await text(path));
  return (file) => own.get(file);
}

/** A run that is told to end puts off what it has not sent, so that what was accepted still gets on record. */
function untilStopped(smtp: Smtp, signal: AbortSignal): Smtp {
  return {
    ...smtp,
    send: async (letter) =>
      signal.aborted ? { kind: 'deferred', about: 'server', said: 'the run was told to end' } : smtp.send(letter),
  };
}
