import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openInstance, settings } from './instance.ts';

let instance: Instance;
beforeAll(async () => {
  const mail = `  mail: { from: quiesce@example.edu, host: smtp.example.edu }\n`;
  instance = await openInstance({
    'state/settings.yaml': settings + mail,
    'state/claims/ada.yaml': claimFile('ada'),
    'state/claims/bob.yaml': claimFile('bob', '  sleepSchedules: [{ sleep: 0 20 * * *, timeZone: Europe/Berlin }]\n'),
    'state/claims/carl.yaml': claimFile('carl', '  expiry: Never\n'),
    'state/records/ada.yaml': `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata: { name: ada }
spec: { identity: a1b2c3d4, firstSeen: "2026-01-01T00:00:00Z" }
`,
  });
});
afterAll(() => instance.workshop.close());

const span = ['--from', '2026-03-20', '--until', '30d'] as const;

describe('quiesce forecast', () => {
  it('says day by day what will happen', async () => {
    expect((await instance.quiesce('forecast', ...span)).stdout).toBe(`\
Until 2026-04-19 (30 days), if nobody renews anything: 1 claim put to sleep, 0 deletions ordered, 2 mails sent

2026-03-24 Tue
  18:17  ada is warned of its sleep at 2026-04-01 00:00: mail to ada@example.edu

2026-04-01 Wed
  00:17  ada is put to sleep; its deletion is ordered at 2026-05-31 00:00
  01:17  ada is told that it sleeps, and is deleted at 2026-05-31 00:00: mail to ada@example.edu

By sleep schedules (--schedules lists each)
  bob sleeps 1 time, wakes 0 times, first at 2026-03-20 19:17

Times are in Etc/UTC. It is assumed that mails are accepted, that the runner looks when its schedule says, and that nobody renews, wakes or edits a claim.
`);
  });

  it('says it claim by claim, of those that are named', async () => {
    const { stdout } = await instance.quiesce('forecast', 'bob', ...span, '--by', 'claim', '--schedules');
    expect(stdout).toContain(`
bob on west, ada@example.edu
  2026-03-20 19:17  sleeps by its schedule "0 20 * * *" (Europe/Berlin)
`);
    expect(stdout).not.toContain('ada is');
  });

  it('answers in JSON, as a calendar, as a drawing, and as a page', async () => {
    const json = JSON.parse((await instance.quiesce('forecast', 'ada', ...span, '--json')).stdout);
    expect(json).toMatchObject({
      ok: true,
      from: '2026-03-20T00:00:00Z',
      until: '2026-04-19T00:00:00Z',
      claims: [
        {
          name: 'ada',
          events: [
            { kind: 'mail', mail: 'sleepWarning', at: '2026-03-24T18:17:00Z', deadline: '2026-04-01T00:00:00Z' },
            { kind: 'expires', at: '2026-04-01T00:17:00Z', deletion: '2026-05-31T00:00:00Z' },
            { kind: 'mail', mail: 'asleep', at: '2026-04-01T01:17:00Z' },
          ],
        },
      ],
    });
    const ics = (await instance.quiesce('forecast', 'ada', ...span, '--ics')).stdout;
    expect(ics.match(/^DTSTART:.*$/gm)?.map((line) => line.trim())).toEqual([
      'DTSTART:20260324T181700Z',
      'DTSTART:20260401T001700Z',
      'DTSTART:20260401T011700Z',
    ]);
    const svg = (await instance.quiesce('forecast', 'ada', ...span, '--svg')).stdout;
    expect(svg).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns/);
    const page = (await instance.quiesce('forecast', 'ada', ...span, '--html')).stdout;
    expect(page).toContain('<svg xmlns');
    // Nothing is loaded from elsewhere, and nothing runs.
    expect([page, svg].map((text) => /<script|<link|<img|url\(|href="http/.test(text))).toEqual([false, false]);
    expect((await instance.quiesce('forecast', 'ada', ...span, '--ics')).stdout).toBe(ics);
  });

  it.each([
    [['--until', '2026-03-19'], '--until 2026-03-19: that is not after the beginning'],
    [['--until', 'soon'], '--until soon: write a day'],
    [['--until', '99w', '--svg', '--html'], '--svg and --html are different answers: name one'],
    [['nobody'], 'there is no claim called nobody that could be read'],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await instance.quiesce('forecast', '--from', '2026-03-20', ...args);
    expect([status, stderr.includes(message)]).toEqual([2, true]);
  });
});
