import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeLetter } from '../../src/mail/letter.ts';
import type { Settings } from '../../src/resolve/state.ts';
import { openPostOffice, type PostOffice } from '../../src/runner/post.ts';
import { ada, mailOf, mailSettings, now } from '../mail/news.ts';
import { type SmtpServer, type SmtpServerOptions, startSmtp } from '../support/smtp.ts';

let folder: string;
let server: SmtpServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-smtp-secret-'));
});
afterEach(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** With the mounted Secret of the mail server. */
async function open(options: SmtpServerOptions, secret: Readonly<Record<string, string>>): Promise<PostOffice> {
  server = await startSmtp({ security: 'TLS', ...options });
  for (const [name, text] of Object.entries({ 'ca.crt': server.ca ?? '', ...secret })) {
    writeFileSync(join(folder, name), text);
  }
  const mail = { ...mailSettings({ port: server.port, security: 'TLS' }), credentialsSecret: 'quiesce-smtp' };
  // Of the settings only these are looked at.
  const settings = { mail } as unknown as Settings;
  return openPostOffice(settings, { smtpCredentials: folder, signal: new AbortController().signal, now: () => now });
}

async function outcomes({ send }: PostOffice): Promise<string[]> {
  const mail = mailOf();
  const news = { mail, owner: ada, instance: 'campus', language: 'en' } as const;
  const { letter } = writeLetter(news, { sender: 'quiesce@example.edu', own: () => undefined, now });
  return (await send([{ mail, owner: ada, letter }])).map(({ outcome }) => outcome);
}

describe('a mail server whose certificate has an authority of its own', () => {
  it('is trusted by ca.crt of the Secret, with its login', async () => {
    const credentials = { username: 'quiesce', password: 'correct horse battery staple' };
    const office = await open({ credentials }, credentials);
    expect([office.capability, await outcomes(office)]).toEqual([{ kind: 'ready' }, ['accepted']]);
    expect(server.mails).toMatchObject([{ secure: true, user: 'quiesce' }]);
  });

  it('and no login needs nothing else in the Secret', async () => {
    const office = await open({}, {});
    expect([office.capability, await outcomes(office)]).toEqual([{ kind: 'ready' }, ['accepted']]);
  });

  it('is no excuse for half a login', async () => {
    const { capability } = await open({}, { username: 'quiesce' });
    expect(capability).toMatchObject({ kind: 'down', why: expect.stringContaining('has no file "password"') });
  });
});
