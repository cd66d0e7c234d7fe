import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { templateFindings } from '../../src/mail/template-findings.ts';
import { locate } from '../../src/validate/locate.ts';

function problemsOf(file: string, text: string): string[] {
  const problems = locate(templateFindings(file, text), () => new TextEncoder().encode(text));
  return problems.map(
    ({ place, message, remedy }) => `${place?.file}:${place?.line}:${place?.column} ${message} ${remedy}`,
  );
}

const letter = 'state/mail/en/sleep-warning.txt';
const sound = 'Subject: {{claim}}\n\nUntil {{deadline}}:\n\n{{link}}\n';

describe('a template of a mail', () => {
  const folder = fileURLToPath(new URL('../../src/mail/templates/', import.meta.url));
  const ours = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(txt|html)$/.test(name));

  it.each(ours)('is sound if it is a copy of ours: %s', (name) => {
    expect(problemsOf(`state/mail/${name}`, readFileSync(`${folder}${name}`, 'utf8'))).toEqual([]);
  });

  it.each([
    [
      'a name that there is not',
      'Subject: {{claim}}\n\nUntil {{dedline}} or {{deadline}}: {{link}}\n',
      ['3:7 There is no `{{dedline}}` to be filled in. Did you mean `{{deadline}}`?'],
    ],
    [
      'a brace too few',
      `${sound}\nHello {{owner}\n`,
      ['7:7 `{{` is not followed by a name and `}}`. Complete it, as in `{{claim}}`.'],
    ],
    [
      'a section that does not end',
      `${sound}\n{{#asleep}}\nIt sleeps.\n`,
      ['7:1 This section does not end. End it with `{{/asleep}}`.'],
    ],
    [
      'an end without its section',
      `${sound}{{/asleep}}\n`,
      ['6:1 No section `asleep` is open here. Remove it, or begin the section.'],
    ],
    [
      'sections in each other',
      `${sound}{{#asleep}}\n{{^deletion}}\n{{/deletion}}\n`,
      ['7:1 Sections do not nest. End `{{#asleep}}` first.'],
    ],
    [
      'a section within a line',
      `${sound}Yes{{#asleep}}\n{{/asleep}}\n`,
      ['6:4 A section begins and ends on a line of its own. Put it on a line that holds nothing else.'],
    ],
    [
      'no subject',
      '\nUntil {{deadline}}: {{link}}\n',
      ['1:1 The letter has no subject. Begin the file with a line `Subject: …`.'],
    ],
    [
      'neither date nor link',
      'Subject: Soon\n\nIt ends soon.\n',
      [
        '1:1 It does not say `{{deadline}}`. Add it: else it is not used.',
        '1:1 It does not say `{{link}}`. Add it: else it is not used where there is a keep-alive page.',
      ],
    ],
  ])('with %s says where', (_, text, expected) => {
    expect(problemsOf(letter, text)).toEqual(expected.map((each) => `${letter}:${each}`));
  });

  it('that tells of an order to delete needs neither', () => {
    expect(problemsOf('state/mail/de/deletion-ordered.txt', 'Subject: Weg\n\nWeg.\n')).toEqual([]);
  });

  it('of the page around the letter needs a place for it, and has no sections', () => {
    expect(problemsOf('state/mail/layout.html', '<p>{{claim}}</p>\n{{#subject}}\n{{/subject}}\n')).toEqual([
      'state/mail/layout.html:1:1 It does not say `{{{body}}}`. Add it: else it is not used.',
      'state/mail/layout.html:1:4 There is no `{{claim}}` to be filled in. There is language, subject, body.',
      'state/mail/layout.html:2:1 A layout has no sections. Remove it.',
      'state/mail/layout.html:3:1 A layout has no sections. Remove it.',
    ]);
  });

  it.each([
    ['state/mail/en/sleep-warnings.txt', 'Did you mean `state/mail/en/sleep-warning.txt`?'],
    ['state/mail/fr/asleep.txt', 'Did you mean `state/mail/en/asleep.txt`?'],
    ['state/mail/logo.png', 'There is layout.html, en/sleep-warning.txt'],
  ])('that nothing reads is named: %s', (file, remedy) => {
    const [problem] = problemsOf(file, '');
    expect(problem).toContain(`Nothing reads \`${file}\`. ${remedy}`);
  });
});
