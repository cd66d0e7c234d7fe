import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MailKind } from '../../src/lifecycle/decision.ts';
import { type News, writeLetter } from '../../src/mail/letter.ts';
import { runs } from '../support/runs.ts';
import { ada, mailOf, now } from './news.ts';

const link = 'https://keepalive.example.edu/renew/abc.def.ghi';
const options = { sender: 'quiesce@example.edu', own: () => undefined, now };
const news = (change: Partial<News> = {}): News => ({
  mail: mailOf(),
  owner: ada,
  instance: 'campus',
  language: 'en',
  link,
  ...change,
});
const letter = (change: Partial<News> = {}) => writeLetter(news(change), options).letter;
const unfolded = (calendar = ''): string[] => calendar.replaceAll('\r\n ', '').trimEnd().split('\r\n');

describe('a letter', () => {
  it('says claim, date, consequence and link, in English', () => {
    const { subject, text } = letter();
    expect(subject).toBe('analytical-engine will be put to sleep on 9 December 2026');
    expect(text).toMatchInlineSnapshot(`
      "Hello Ada Lovelace,

      nobody has renewed the virtual cluster analytical-engine for a while. If nobody does, it will be put to sleep.

      Virtual cluster: analytical-engine
      Put to sleep: Wednesday, 9 December 2026, 00:30 (CET)
      Deleted: Sunday, 7 February 2027, 00:30 (CET)

      Is it still needed? Open this page and press the button on it. You need no password.

      https://keepalive.example.edu/renew/abc.def.ghi

      If nobody renews it:

      - On that date its control plane and everything that runs in it stop. Nothing is deleted, and it can be woken up again.
      - Later it is deleted, with all of its data. You will get another mail before that.

      The attached file puts the date into your calendar. If you have questions, answer this mail.
      "
    `);
  });

  it('says the same in German to whoever reads German', () => {
    const { subject, text, html, language } = letter({ owner: { ...ada, language: 'de' } });
    expect(subject).toBe('analytical-engine wird am 9. Dezember 2026 schlafen gelegt');
    expect(text).toContain('Schlafen gelegt: Mittwoch, 9. Dezember 2026, 00:30 Uhr (MEZ)\n');
    expect(html).toContain('<html lang="de">');
    expect(language).toBe('de');
  });

  it('has dates in the zone of its reader', () => {
    const { text } = letter({ owner: { ...ada, timeZone: 'America/New_York' } });
    expect(text).toContain('Put to sleep: Tuesday, 8 December 2026, 18:30 (GMT-5)\n');
  });

  it.each<MailKind>(['sleepWarning', 'asleep', 'deletionWarning', 'deletionOrdered'])(
    '%s is complete in both',
    (kind) => {
      for (const language of ['en', 'de'] as const) {
        const mail = mailOf({ kind, ...(kind === 'deletionOrdered' && { by: 'Expiry' }) });
        const { subject, text, html, calendar } = letter({ mail, language });
        for (const part of [subject, text, html]) expect(part).not.toMatch(/[{}]{2}|undefined|NaN/);
        expect(subject).toContain('analytical-engine');
        expect(text).toMatch(/9(\.|) De[cz]ember 2026/);
        expect(text.includes(link)).toBe(kind !== 'deletionOrdered');
        expect(calendar !== undefined).toBe(kind !== 'deletionOrdered');
      }
    },
  );

  it('asks for an answer where there is no page to press a button on', () => {
    const { link: _link, ...rest } = news();
    const { text, html } = writeLetter(rest, options).letter;
    expect(text).toContain('Is it still needed? Then answer this mail before that date.');
    expect(html).not.toContain('href');
  });

  it('tells of one that sleeps already that it does', () => {
    const { text } = letter({ mail: mailOf({ state: 'Sleeping' }) });
    expect(text).toContain('- It sleeps already. From that date on it counts as given up.\n');
    expect(text).not.toContain('control plane');
  });

  it('says the same in HTML, with a button, a table and a list', () => {
    const { html } = letter();
    expect(html).toContain(`<a class="button" href="${link}">Keep it running</a>`);
    expect(html).toContain(
      '<tr><th scope="row">Put to sleep</th><td>Wednesday, 9 December 2026, 00:30 (CET)</td></tr>',
    );
    expect(html).toMatch(/<ul><li>On that date .*<\/li><li>Later it is deleted/);
  });
});

describe('the same warning', () => {
  it('has the same Message-ID to the same person, and another to another or of another date', () => {
    const id = (change: Partial<News>) => letter(change).messageId;
    const first = id({});
    expect(first).toMatch(/^sleepWarning\.[0-9a-f]{32}@example\.edu$/);
    expect(id({ link: 'https://keepalive.example.edu/renew/other' })).toBe(first);
    expect(id({ owner: { ...ada, name: 'A. Lovelace', email: 'ACCEPT-ada@example.edu' } })).toBe(first);
    const others = [
      id({ owner: { ...ada, email: 'bob@example.edu' } }),
      id({ mail: mailOf({ deadline: now.getTime() }) }),
      id({ mail: mailOf({ kind: 'deletionWarning' }) }),
      id({ mail: mailOf({ identity: 'ffffffffffffffffffff' }) }),
      id({ mail: mailOf({ claim: 'other' }) }),
      id({ instance: 'other' }),
    ];
    expect(new Set([first, ...others]).size).toBe(7);
  });

  it('moves its entry in the calendar when its date moves', () => {
    const entry = (deadline: string) => unfolded(letter({ mail: mailOf({ deadline: Date.parse(deadline) }) }).calendar);
    const field = (lines: readonly string[], name: string) => lines.find((line) => line.startsWith(name));
    const [before, after] = [entry('2026-12-08T23:30:00Z'), entry('2026-12-20T23:30:00Z')];
    expect(field(before, 'UID:')).toBe(field(after, 'UID:'));
    expect(field(before, 'DTSTART:')).toBe('DTSTART:20261208T233000Z');
    const sequence = (lines: readonly string[]) => Number(field(lines, 'SEQUENCE:')?.slice(9));
    expect(sequence(after)).toBeGreaterThan(sequence(before));
    expect(before).toContain('METHOD:PUBLISH');
    expect(before).toContain('TRIGGER:-P1D');
  });
});

describe('whatever a name holds', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'x\r\nBcc: everybody@example.com',
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '{{link}}',
      '\nBEGIN:VALARM\nACTION:EMAIL',
      'a\u2028b\u202e',
      '- item',
      'Label: value',
    ),
  );

  it('stays one line of text: no header, no markup, no calendar property comes of it', () => {
    const plain = letter();
    const tags = (html: string): string =>
      html
        .replace(/<title>.*<\/title>/s, '')
        .match(/<\/?[a-z]+/g)
        ?.join() ?? '';
    fc.assert(
      fc.property(anything, anything, (name, claim) => {
        const odd = letter({ owner: { ...ada, name }, mail: mailOf({ claim }) });
        expect(odd.subject).not.toMatch(/[\r\n\u2028\u2029\0]/);
        expect(odd.to.name).not.toMatch(/[\r\n\u2028\u2029\0]/);
        expect(odd.text.split('\n').length).toBe(plain.text.split('\n').length);
        expect(tags(odd.html)).toBe(tags(plain.html));
        const names = (calendar: string | undefined) => unfolded(calendar).map((line) => line.split(/[:;]/)[0]);
        expect(names(odd.calendar)).toEqual(names(plain.calendar));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("the user's own template", () => {
  const own = (files: Readonly<Record<string, string>>) => ({ ...options, own: (file: string) => files[file] });
  const text = 'Subject: Heads up, {{owner}}\n\n{{claim}} ends on {{deadline}}.\n\n{{link}}\n';

  it('takes the place of ours, each file by itself', () => {
    const { letter: mine, fault } = writeLetter(news(), own({ 'en/sleep-warning.txt': text }));
    expect({ fault, subject: mine.subject, text: mine.text }).toEqual({
      fault: undefined,
      subject: 'Heads up, Ada Lovelace',
      text: `analytical-engine ends on Wednesday, 9 December 2026, 00:30 (CET).\n\n${link}\n`,
    });
    expect(mine.calendar).toBeUndefined();
    expect(mine.html).toContain('<!doctype html>');
    const layout = writeLetter(news(), own({ 'layout.html': '<p>{{subject}}</p>{{{body}}}' })).letter;
    expect(layout.html).toMatch(/^<p>analytical-engine will be put to sleep on 9 December 2026<\/p><p>Hello/);
    expect(layout.text).toBe(letter().text);
  });

  it.each([
    ['Subject: x\n\n{{claim}} {{deadline}}\n', 'it has no {{link}}'],
    ['Subject: x\n\n{{claim}} {{link}}\n', 'it does not say {{deadline}}'],
    ['{{deadline}} {{link}}\n', 'it has no line "Subject: …" at its top'],
    [
      'Subject: x\n\n{{deadlin}}\n',
      'it uses {{deadlin}}; there is instance, claim, cluster, owner, deadline, day, deletion, since, asleep, expired, link',
    ],
  ])('that cannot be used gives way to ours, and says why: %j', (broken, why) => {
    const written = writeLetter(news(), own({ 'en/sleep-warning.txt': broken }));
    expect(written.fault).toBe(`state/mail/en/sleep-warning.txt cannot be used: ${why}.`);
    expect(written.letter).toEqual(letter());
  });
});
