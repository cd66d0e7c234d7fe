import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryReport } from '../../src/lifecycle/decision.ts';
import { dataOf, reportsIn } from '../../src/runner/unrecorded.ts';
import { mailOf } from '../mail/news.ts';

const configMap = (binaryData: unknown): string => JSON.stringify({ kind: 'ConfigMap', binaryData });

function reportTo(to: string): DeliveryReport {
  return { mail: mailOf({ to: [{ name: 'Ö', email: to }] }), to, at: 1_780_000_000_000, outcome: 'accepted' };
}

describe('what was sent and is not on record', () => {
  it('is read as it was kept', () => {
    fc.assert(
      fc.property(fc.array(fc.emailAddress(), { maxLength: 20 }), (addresses) => {
        const reports = addresses.map(reportTo);
        expect(reportsIn(configMap(dataOf(reports)))).toEqual(reports);
      }),
    );
  });

  it('of several owners stays one mail', () => {
    const mail = mailOf();
    const reports = ['a@example.edu', 'b@example.edu'].map((to) => ({ ...reportTo(to), mail }));
    const read = reportsIn(configMap(dataOf(reports))) ?? [];
    expect(new Set(read.map((report) => report.mail)).size).toBe(1);
  });

  it('of thousands of mails fits into a ConfigMap', () => {
    const reports = Array.from({ length: 5000 }, (_, index) => reportTo(`owner-${index}@example.edu`));
    expect(dataOf(reports).reports.length).toBeLessThan(900_000);
  });

  it.each([
    ['no object', '[]'],
    ['no JSON', 'no'],
    ['without data', configMap(undefined)],
    ['with other data', configMap({ reports: Buffer.from('hello').toString('base64') })],
  ])('is not read from what somebody else has written: %s', (_, text) => expect(reportsIn(text)).toBeUndefined());
});
