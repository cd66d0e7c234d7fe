import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MailSettings } from '../../src/resolve/state.ts';

export interface SmtpServerOptions {
  readonly security?: MailSettings['security'];
  /** Asked for by AUTH; without them nobody has to log in. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Default: any that is free. */
  readonly port?: number;
}

interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly secure: boolean;
  readonly user?: string;
  /** As it came over the line. */
  readonly raw: string;
}

/** A real SMTP server in a process of its own. What it does with a mail is in its recipient: see smtp-server.mjs. */
export interface SmtpServer {
  readonly port: number;
  /** Its certificate, where it has one. */
  readonly ca?: string;
  readonly mails: readonly ReceivedMail[];
  /** Addresses it was asked to take mail for, in order. */
  readonly recipients: readonly string[];
  /** Most connections that were open at the same time. */
  mostConnections(): number;
  connections(): number;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('./smtp-server.mjs', import.meta.url));

export async function startSmtp({ security = 'None', credentials, port }: SmtpServerOptions = {}): Promise<SmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-smtp-'));
  const files = security === 'None' ? undefined : await makeCertificate(folder);
  const child = spawn(process.execPath, [program, JSON.stringify({ security, ...files, ...credentials, port })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const mails: ReceivedMail[] = [];
  const recipients: string[] = [];
  const counts: number[] = [];
  const listening = new Promise<number>((done, fail) => {
    child.once('exit', () => fail(new Error('the SMTP server has ended')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { event, ...rest } = JSON.parse(line);
      if (event === 'listening') done(rest.port);
      if (event === 'mail') mails.push(rest);
      if (event === 'recipient') recipients.push(rest.address);
      if (event === 'connection') counts.push(rest.open);
    });
  });
  return {
    port: await listening,
    ...(files !== undefined && { ca: readFileSync(files.certificate, 'utf8') }),
    mails,
    recipients,
    mostConnections: () => Math.max(0, ...counts),
    connections: () => counts.length,
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function makeCertificate(folder: string): Promise<{ readonly certificate: string; readonly key: string }> {
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const out = ['-keyout', key, '-out', certificate];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...subject, ...out]);
  return { certificate, key };
}
