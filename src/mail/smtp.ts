import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../resolve/state.ts';
import type { Letter } from './letter.ts';
import { type SmtpFailure, smtpFailure } from './smtp-failure.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** How patient one connection is, in milliseconds. */
interface SmtpLimits {
  readonly connections: number;
  readonly connectMs: number;
  /** Without a byte from the server. */
  readonly silenceMs: number;
  /** For one letter as a whole, however busy the line looks. */
  readonly letterMs: number;
}

const smtpLimits: SmtpLimits = { connections: 3, connectMs: 15_000, silenceMs: 30_000, letterMs: 120_000 };

/** A few connections to the mail server, which letters go through one after another. */
export interface Smtp {
  /** Undefined: the server has accepted it. */
  send(letter: Letter): Promise<SmtpFailure | undefined>;
  close(): void;
}

export interface SmtpOptions {
  readonly mail: MailSettings;
  readonly credentials?: Credentials;
  readonly limits?: SmtpLimits;
  /** A certificate authority besides those that everybody knows, as PEM. */
  readonly ca?: string;
}

export function openSmtp({ mail, credentials, limits = smtpLimits, ca }: SmtpOptions): Smtp {
  const transport = createTransport({
    ...connectionOf(mail, limits),
    ...(credentials !== undefined && { auth: { user: credentials.username, pass: credentials.password } }),
    ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
  });
  // A connection that ends while nothing is sent; the next letter opens another one.
  transport.on('error', () => undefined);
  const hide = hiding(credentials);
  return {
    send: async (letter) => {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error('it took too long')), limits.letterMs);
      try {
        await transport.sendMail({ ...messageOf(letter, mail), signal: abort.signal });
        return undefined;
      } catch (error) {
        return smtpFailure(error, hide);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

function connectionOf({ host, port, security }: MailSettings, limits: SmtpLimits) {
  return {
    pool: true,
    host,
    port,
    secure: security === 'TLS',
    requireTLS: security === 'STARTTLS',
    ignoreTLS: security === 'None',
    maxConnections: limits.connections,
    // Whoever sends counts attempts; a letter put back unseen could be accepted twice.
    maxRequeues: 0,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
    // Traffic holds passwords and links, which are as good as passwords.
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

function messageOf(letter: Letter, mail: MailSettings) {
  const { messageId, to, subject, text, html, language, calendar } = letter;
  return {
    messageId: `<${messageId}>`,
    from: { name: 'Quiesce', address: mail.from },
    to: { name: to.name, address: to.email },
    // Answers reach people.
    replyTo: mail.replyTo ?? mail.from,
    envelope: { from: mail.from, to: [to.email] },
    subject,
    text,
    html,
    // RFC 3834: out-of-office programs do not answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    attachments:
      calendar === undefined
        ? []
        : [
            {
              filename: 'quiesce.ics',
              content: calendar,
              contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
              contentDisposition: 'attachment' as const,
            },
          ],
  };
}

/** Keys `username` and `password` of a mounted Secret. Throws an Error for people. */
export function readCredentials(folder: string): Credentials {
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');
    } catch {
      throw new NoCredentials(`${folder} has no file "${name}": the Secret needs the keys "username" and "password".`);
    }
  };
  return { username: read('username'), password: read('password') };
}

export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
}

/** Servers repeat in their answers what they were sent, and tokens of links are as good as passwords. */
function hiding(credentials: Credentials | undefined): (text: string) => string {
  const { username = '', password = '' } = credentials ?? {};
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const secrets = [base64(`\0${username}\0${password}`), base64(password), password].filter((text) => text.length > 2);
  return (text) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
      .replace(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '***');
}
