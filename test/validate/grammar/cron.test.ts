import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronFault } from '../../../src/validate/grammar/cron.ts';

const example = 'Write five fields, for example "0 22 * * 1-5" for ten in the evening on working days.';

describe('a cron line', () => {
  it.each([
    '* * * * *',
    '0 22 * * 1-5',
    '*/15 * * * *',
    '5/10 * * * *',
    '0 0 1,15 * *',
    '0 0 1-31/2 * *',
    '30 7 * * MON-FRI',
    '0 0 * jan,Jul *',
    '0 0 ? * sun',
    '0 0 31 1 *',
    '0 0 29 2 *',
    '0 0 31 2 1',
    '  0   0 * * *  ',
    '@daily',
    '@hourly',
    '00 08 * * *',
  ])('%j is one', (line) => {
    expect(cronFault(line)).toBeUndefined();
  });

  it.each([
    ['0 0 * * 7', '"7" is no day of week: Sunday is 0', example],
    ['0 0 * * 0-7', '"0-7" is no day of week: Sunday is 0', example],
    ['60 * * * *', '"60" is no minute: 0 to 59', example],
    ['* 24 * * *', '"24" is no hour: 0 to 23', example],
    ['* * 0 * *', '"0" is no day of month: 1 to 31', example],
    ['* * * 13 *', '"13" is no month: 1 to 12 or jan to dec', example],
    ['* * * 0 *', '"0" is no month: 1 to 12 or jan to dec', example],
    ['* * * Sept *', '"Sept" is no month: 1 to 12 or jan to dec', example],
    ['* * * * Monday', '"Monday" is no day of week: 0 to 6 or sun to sat', example],
    ['* * L * *', '"L" is no day of month: "L", "W" and "#" are not supported', example],
    ['* * 15W * *', '"15W" is no day of month: "L", "W" and "#" are not supported', example],
    ['* * * * 5#2', '"5#2" is no day of week: "L", "W" and "#" are not supported', example],
    ['*/0 * * * *', '"*/0" is no minute: a step is a number above 0', example],
    ['*/x * * * *', '"*/x" is no minute: a step is a number above 0', example],
    ['10-5 * * * *', '"10-5" is no minute: the range ends before it begins', example],
    ['1-2-3 * * * *', '"1-2-3" is no minute', example],
    ['1//2 * * * *', '"1//2" is no minute', example],
    ['1,,2 * * * *', '"" is no minute: 0 to 59', example],
    ['-5 * * * *', '"-5" is no minute: 0 to 59', example],
    ['*-5 * * * *', '"*-5" is no minute', example],
    ['* * * *', 'it has 4 fields, not five', example],
    ['0 0 0 * * *', 'it has 6 fields, not five', example],
    ['', 'it has 0 fields, not five', example],
    ['0 0 31 2 *', 'there is no such day, so it is never due', 'Correct the day or the month.'],
    ['0 0 31 4,6,9,11 *', 'there is no such day, so it is never due', 'Correct the day or the month.'],
    ['0 0 30-31 feb *', 'there is no such day, so it is never due', 'Correct the day or the month.'],
    ['TZ=UTC 0 0 * * *', 'a zone inside the line is refused', 'Put the zone into the field "timeZone".'],
    ['CRON_TZ=UTC 0 0 * * *', 'a zone inside the line is refused', 'Put the zone into the field "timeZone".'],
    [
      '@every 1h',
      '"@every" counts from whenever the controller started',
      'Write the times, for example "0 */2 * * *".',
    ],
    ['@reboot', 'with "@" there is only @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly', example],
  ])('%j is none', (line, why, remedy) => {
    const message = `${JSON.stringify(line)} is no cron line that Kubernetes takes: ${why}.`;
    expect(cronFault(line)).toEqual({ code: 'cron-invalid', message, remedy });
  });

  it('is whatever five fields in their ranges say, except days that never come', () => {
    const field = (first: number, last: number) => {
      const value = fc.integer({ min: first, max: last });
      const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
      const part = fc.oneof(fc.constantFrom('*', '?'), value.map(String), range);
      const stepped = fc.tuple(part, fc.integer({ min: 1, max: 99 })).map(([text, step]) => `${text}/${step}`);
      return fc.array(fc.oneof(part, stepped), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(','));
    };
    const line = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6));
    fc.assert(
      fc.property(line, (fields) => {
        expect(cronFault(fields.join(' '))).toBeUndefined();
      }),
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.array(fc.constantFrom('*', '/', '-', ',', '5', ' ', 'L', '@', 'mon'))),
        (text) => {
          cronFault(Array.isArray(text) ? text.join('') : text);
        },
      ),
    );
  });
});
