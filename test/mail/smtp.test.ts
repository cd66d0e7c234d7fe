import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { deliver } from '../../src/mail/deliver.ts';
import { type Letter, writeLetter } from '../../src/mail/letter.ts';
import { composeMails, sendMails } from '../../src/mail/post.ts';
import { openSmtp, type Smtp, type SmtpOptions } from '../../src/mail/smtp.ts';
import { type SmtpServer, type SmtpServerOptions, startSmtp } from '../support/smtp.ts';
import { ada, mailOf, mailSettings, now } from './news.ts';

let server: SmtpServer;
let smtp: Smtp;
afterEach(async () => {
  smtp?.close();
  await server?.stop();
});

const quick = { connections: 3, connectMs: 1500, silenceMs: 1500, letterMs: 1200 };
const credentials = { username: 'quiesce', password: 'correct horse battery staple' };

async function start(options: SmtpServerOptions = {}, more: Partial<SmtpOptions> = {}): Promise<void> {
  server = await startSmtp(options);
  const mail = mailSettings({ port: server.port, security: options.security ?? 'None' });
  const { ca } = server;
  smtp = openSmtp({ mail, limits: quick, ...(ca !== undefined && { ca }), ...more });
}

function letterTo(email: string): Letter {
  const link = 'https://keepalive.example.edu/renew/abc.def.ghi';
  const owner = { ...ada, email };
  const news = { mail: mailOf(), owner, instance: 'campus', language: 'en', link } as const;
  return writeLetter(news, { sender: 'quiesce@example.edu', own: () => undefined, now }).letter;
}

const options = { now: () => now, wait: async () => undefined, parallel: 3, delays: [1, 1] };
const send = async (...addresses: readonly string[]) =>
  (await deliver(smtp, addresses.map(letterTo), options)).map((delivery) =>
    delivery.kind === 'accepted'
      ? 'accepted'
      : `${delivery.kind}, ${delivery.about}, ${delivery.attempts}: ${delivery.said}`,
  );
const headersOf = (raw: string): Map<string, string> =>
  new Map(
    (raw.split('\r\n\r\n')[0] ?? '')
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );

describe('a letter that is sent', () => {
  it('arrives with text, HTML and calendar, answers go to the operators, and nobody can unsubscribe', async () => {
    await start();
    expect(await send(ada.email)).toEqual(['accepted']);
    const [mail] = server.mails;
    const headers = headersOf(mail?.raw ?? '');
    expect(mail).toMatchObject({ from: 'quiesce@example.edu', to: ada.email, secure: false });
    expect(Object.fromEntries(headers)).toMatchObject({
      from: 'Quiesce <quiesce@example.edu>',
      to: 'Ada Lovelace <accept-ada@example.edu>',
      'reply-to': 'platform-team@example.edu',
      subject: 'analytical-engine will be put to sleep on 9 December 2026',
      'message-id': `<${letterTo(ada.email).messageId}>`,
      'auto-submitted': 'auto-generated',
      'content-language': 'en',
    });
    expect([...headers.keys()].filter((name) => name.startsWith('list-'))).toEqual([]);
    expect(mail?.raw.match(/^Content-Type: [\w/]+/gm)).toEqual([
      'Content-Type: multipart/mixed',
      'Content-Type: multipart/alternative',
      'Content-Type: text/plain',
      'Content-Type: text/html',
      'Content-Type: text/calendar',
    ]);
  });

  it('has the headers that we wrote and no others, whatever the name of its reader', async () => {
    await start();
    await send(ada.email);
    const odd = { name: 'x\r\nBcc: everybody@example.com\r\n\r\n<b>"', email: 'accept-odd@example.edu' };
    const news = { mail: mailOf(), owner: odd, instance: 'campus', language: 'en' } as const;
    const written = writeLetter(news, { sender: 'quiesce@example.edu', own: () => undefined, now });
    await deliver(smtp, [written.letter], options);
    const [plain, other] = server.mails.map(({ raw }) => [...headersOf(raw).keys()]);
    expect(other).toEqual(plain);
    expect(server.recipients).toEqual([ada.email, odd.email]);
  });

  it.each(['STARTTLS', 'TLS'] as const)('goes over %s, with a login', async (security) => {
    await start({ security, credentials }, { credentials });
    expect(await send(ada.email)).toEqual(['accepted']);
    expect(server.mails).toMatchObject([{ secure: true, user: 'quiesce' }]);
  });
});

describe('what a server says', () => {
  it('4xx is tried again until it is accepted, with the same Message-ID', async () => {
    await start();
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
    };
    const deliveries = await deliver(smtp, ['grey-2-a@example.edu', 'full-1-b@example.edu'].map(letterTo), {
      ...options,
      wait,
      delays: [5, 20],
    });
    expect(deliveries.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
    expect(waits).toEqual([5, 20]);
    expect(server.mails.map(({ to }) => to)).toEqual(['full-1-b@example.edu', 'grey-2-a@example.edu']);
  });

  it('4xx that goes on is put off, 5xx is refused at once, and the others get theirs', async () => {
    await start();
    expect(
      await send('grey-9-a@example.edu', 'reject-b@example.edu', 'spam-c@example.edu', 'accept-d@example.edu'),
    ).toEqual([
      "deferred, letter, 3: Can't send mail - all recipients were rejected: 450 4.7.1 Greylisted, come back",
      "refused, letter, 1: Can't send mail - all recipients were rejected: 550 5.1.1 No such person here",
      'refused, letter, 1: Message failed: 554 5.7.1 Looks like spam',
      'accepted',
    ]);
  });

  it('a line that breaks after the letter was taken leaves it unknown: it is sent again, as the same one', async () => {
    await start();
    expect(await send('drop-1-a@example.edu')).toEqual(['accepted']);
    const ids = server.mails.map(({ raw }) => headersOf(raw).get('message-id'));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(await send('drop-9-b@example.edu')).toEqual([expect.stringMatching(/^deferred, server, 3: /)]);
  });

  it('a server that does not answer in time is left', async () => {
    await start();
    expect(await send('slow-60000-a@example.edu')).toEqual([expect.stringMatching(/^deferred, server, 3: /)]);
  }, 20_000);
});

describe('a server that fails as a whole', () => {
  it('is not asked once for each letter: the rest of a round waits for the next one', async () => {
    await start();
    const port = server.port;
    await server.stop();
    const letters = Array.from({ length: 100 }, (_, index) => letterTo(`accept-${index}@example.edu`));
    let rounds = 0;
    const wait = async (): Promise<void> => {
      rounds += 1;
      if (rounds === 2) server = await startSmtp({ port });
    };
    const deliveries = await deliver(smtp, letters, { ...options, wait });
    expect(deliveries.map(({ kind }) => kind)).toEqual(letters.map(() => 'accepted'));
    expect(new Set(server.mails.map(({ to }) => to)).size).toBe(100);
    expect(server.mails).toHaveLength(100);
  });

  it('a wrong password is refused once, and is never repeated to anybody', async () => {
    const wrong = { username: 'quiesce', password: 'hunter2-and-more' };
    await start({ security: 'STARTTLS', credentials }, { credentials: wrong });
    const said = await send('accept-a@example.edu', 'accept-b@example.edu');
    expect(said).toEqual([
      'refused, server, 1: Invalid login: 535 5.7.8 Not accepted: quiesce/***',
      expect.stringMatching(/^refused, server/),
    ]);
    expect(server.mails).toEqual([]);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('that offers no STARTTLS gets neither password nor letter', async () => {
    await start({ security: 'None' }, { mail: mailSettings({ port: 0 }) });
    smtp.close();
    smtp = openSmtp({ mail: mailSettings({ port: server.port, security: 'STARTTLS' }), credentials, limits: quick });
    expect(await send(ada.email)).toEqual([expect.stringMatching(/^refused, server, 1: /)]);
    expect(server.recipients).toEqual([]);
  });

  it('whose certificate nobody vouches for gets nothing either', async () => {
    await start({ security: 'TLS' });
    smtp.close();
    smtp = openSmtp({ mail: mailSettings({ port: server.port, security: 'TLS' }), limits: quick });
    expect(await send(ada.email)).toEqual([expect.stringMatching(/^(deferred|refused), server, \d: /)]);
    expect(server.recipients).toEqual([]);
  });
});

it('five hundred letters go over three connections', async () => {
  await start();
  const letters = Array.from({ length: 500 }, (_, index) => letterTo(`accept-${index}@example.edu`));
  const deliveries = await deliver(smtp, letters, options);
  expect(deliveries.every(({ kind }) => kind === 'accepted')).toBe(true);
  await sleep(50);
  expect(new Set(server.mails.map(({ to }) => to)).size).toBe(500);
  expect(server.mostConnections()).toBeLessThanOrEqual(3);
}, 60_000);

it('each owner has a fate of their own, and what is reported has no address of a server in it', async () => {
  await start();
  const owner = (email: string, language: 'en' | 'de' = 'en') => ({ name: 'Somebody', email, language });
  const mail = mailOf({
    to: [owner('accept-a@example.edu', 'de'), owner('reject-b@example.edu'), owner('grey-9-c@example.edu')],
  });
  const settings = { name: 'campus', mail: mailSettings() };
  const composed = await composeMails([mail], { settings, own: () => undefined, now });
  expect(composed.mails.map(({ letter }) => letter.language)).toEqual(['de', 'en', 'en']);
  const reports = await sendMails(smtp, composed.mails, options);
  expect(reports.map(({ to, outcome }) => `${to} ${outcome}`)).toEqual([
    'accept-a@example.edu accepted',
    'reject-b@example.edu rejected',
    'grey-9-c@example.edu deferred',
  ]);
  await server.stop();
  const [report] = await sendMails(smtp, composed.mails.slice(0, 1), { ...options, delays: [] });
  expect(report?.outcome).toBe('deferred');
  expect(report?.reply).not.toMatch(/127\.0\.0\.1/);
});
