import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { markdownText, printable } from '../../src/report/escape.ts';
import { planText } from '../../src/report/plan.ts';
import { planMarkdown } from '../../src/report/plan-markdown.ts';
import { plainStyle, type Style } from '../../src/report/style.ts';
import { claim, maintenance, node } from '../plan/facts.ts';
import { planBetween } from './plans.ts';

const plan = planBetween(
  [claim('ada'), claim('bob'), claim('eve'), maintenance()],
  [
    claim('ada', { state: 'Sleeping' }),
    claim('bob', { state: 'Deleted' }),
    claim('eve', { state: 'Sleeping' }),
    maintenance({ nodes: [node('10.0.0.1')] }),
  ],
);
const nothing = planBetween([], [], { from: 'a', to: 'b' });
const part = (from: number, to?: number): Plan => ({
  ...plan,
  from: 'a',
  to: 'b',
  changes: plan.changes.slice(from, to),
});
const tags: Style = { ...plainStyle, bold: (text) => `<b>${text}</b>`, red: (text) => `<r>${text}</r>` };

describe('planText', () => {
  it('groups changes, danger first in each kind', () => {
    expect(planText(plan, plainStyle)).toBe(`4 changes, 1 danger

Ordered to be deleted (1)
  ! Virtual cluster bob on west is ordered to be deleted.
    everything in it is uninstalled and its data is lost
    it runs until now: there is no grace period of a sleep, in which somebody could miss it

Nodes entering maintenance (1)
  - Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints (maintenance:NoSchedule, maintenance:NoExecute) and is drained within 20 min.

Going to sleep (2)
  - Virtual cluster ada on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.
  - Virtual cluster eve on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.
`);
  });

  it('says when nothing changes', () => {
    expect(planText(nothing, plainStyle)).toBe('Nothing changes.\n');
  });

  it('sets headings and dangers off', () => {
    expect(planText(part(0, 1), tags)).toBe(
      '<b>1 change, 1 danger</b>\n\n<b>Ordered to be deleted (1)</b>\n  <r>!</r> Virtual cluster bob on west is ordered to be deleted.\n    <r>everything in it is uninstalled and its data is lost</r>\n    <r>it runs until now: there is no grace period of a sleep, in which somebody could miss it</r>\n',
    );
  });

  it('obeys no terminal escape in names', () => {
    expect(
      planText(planBetween([], [claim('ada', { owners: ['\u001b]0;title\u0007\u202e\r\nX'] })]), plainStyle),
    ).toContain('owned by \\u{1b}]0;title\\u{7}\\u{202e}\\u{d}\\u{a}X.');
  });
});

describe('planMarkdown', () => {
  it('shows dangers openly and folds the rest', () => {
    expect(planMarkdown(plan)).toBe(`<!-- quiesce-plan -->
### Quiesce: 4 changes, 1 danger

The work tree is compared, with what is not committed.

- ⚠️ **Virtual cluster bob on west is ordered to be deleted.** Everything in it is uninstalled and its data is lost; it runs until now: there is no grace period of a sleep, in which somebody could miss it.

<details><summary>Nodes entering maintenance (1)</summary>

- Node 10.0.0.1 of pool workers enters maintenance: it gets 2 taints \\(maintenance:NoSchedule, maintenance:NoExecute\\) and is drained within 20 min.

</details>

<details><summary>Going to sleep (2)</summary>

- Virtual cluster ada on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.
- Virtual cluster eve on west goes to sleep: 3 control-plane replicas and every pod in it stop, data stays.

</details>

_From HEAD to worktree, by \`quiesce plan\`._
`);
  });

  it('says when nothing changes, and when nothing is dangerous', () => {
    expect(planMarkdown(nothing)).toBe(
      '<!-- quiesce-plan -->\n### Quiesce: nothing changes\n\n_From a to b, by `quiesce plan`._\n',
    );
    expect(planMarkdown(part(1))).toContain('\n\nNothing here is marked as dangerous.\n');
  });

  it("keeps within GitHub's limit, and gives every part its share", () => {
    const many = (state: 'Running' | 'Sleeping' | 'Deleted', from: number) =>
      Array.from({ length: 2000 }, (_, index) => claim(`c${from + index}`, { state }));
    const huge = planBetween(
      [...many('Running', 0), ...many('Running', 10_000), ...many('Sleeping', 20_000)],
      [...many('Deleted', 0), ...many('Sleeping', 10_000), ...many('Running', 20_000)],
    );
    const text = planMarkdown(huge);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(text)).toBeGreaterThan(60_000);
    expect(text).toContain('### Quiesce: 6000 changes, 2002 dangers\n');
    expect(text).toMatch(/⚠️ \*\*2000 virtual clusters at once: ordered to be deleted/);
    expect(text).toMatch(/- … and \d+ more: `quiesce plan` lists them\n\n<details><summary>Going to sleep \(2000\)/);
    expect(text).toMatch(/<summary>Waking up \(2000\)<\/summary>\n\n- Virtual cluster c20000 /);
    expect(text).toMatch(/by `quiesce plan`\._\n$/);
  });

  it('keeps any limit that the head fits in, with every fold closed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 4000 }),
        fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 10 }),
        (limit, owners) => {
          const text = planMarkdown(
            planBetween(
              [claim('x')],
              [...owners.map((owner, index) => claim(`c${index}`, { owners: [owner], host: 'h' }))],
            ),
            { limit },
          );
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
          expect(text.split('<details>').length).toBe(text.split('</details>').length);
        },
      ),
    );
  });
});

describe('markdownText', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src\\=x onerror\\=alert\\(1\\)&gt;'],
    ['[click](https://evil.example)', '\\[click\\]\\(https\\://evil.example\\)'],
    ['www.evil.example', 'www\\.evil.example'],
    ['`code` **bold** _it_ ~~x~~', '\\`code\\` \\*\\*bold\\*\\* \\_it\\_ \\~\\~\u2060x\\~\\~'],
    ['@team and ada@example.edu', '@\u2060team and ada@example.edu'],
    [
      'fixes #12, !7, %3, $4, ~bug, &5, GH-6',
      'fixes \\#\u206012, \\!\u20607, %\u20603, \\$\u20604, \\~\u2060bug, &amp;\u20605, GH-\u20606',
    ],
    ['a\n\n# heading\r\n- item', 'a\\\\u\\{a\\}\\\\u\\{a\\}\\# heading\\\\u\\{d\\}\\\\u\\{a\\}- item'],
    ['<!-- quiesce-plan -->', '&lt;\\!-- quiesce-plan --&gt;'],
  ])('%j', (text, escaped) => {
    expect(markdownText(text)).toBe(escaped);
  });

  it('leaves nothing that could open HTML, a link, code or a mention', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&@#`*_[]()!|\\$~ab1:/.\n\u001b ') }), (text) => {
        const escaped = markdownText(text);
        expect(escaped).not.toMatch(/[<>\n]|(?<!\\)(?:\\\\)*[`*_[\]()|$](?<!\\[`*_[\]()|$])/);
        expect(escaped).not.toMatch(/\p{Cc}|(?<![\p{L}\p{N}])@[\p{L}\p{N}]|#[\p{L}\p{N}]/u);
      }),
    );
  });
});

describe('printable', () => {
  it('keeps letters of any script and spells out what cannot be seen', () => {
    expect(printable('Zoë 漢字 🦊 a\tb\u200b\u2028')).toBe('Zoë 漢字 🦊 a\\u{9}b\\u{200b}\\u{2028}');
  });
});
