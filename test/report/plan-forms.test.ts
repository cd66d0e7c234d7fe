import { describe, expect, it } from 'vitest';
import type { ObjectDiff } from '../../src/plan/object-diff.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type PlanForm, planForms, planIn, refusalIn, reportTarget } from '../../src/report/forms.ts';
import { statusLine } from '../../src/report/plan.ts';
import type { Problem } from '../../src/validate/finding.ts';
import { claim, record } from '../plan/facts.ts';
import { hostile, planBetween, planned } from './plans.ts';

const place = {
  file: 'state/claims/ada.yaml',
  line: 7,
  column: 10,
  endLine: 7,
  endColumn: 17,
  excerpt: '  state: Deleted',
};
const need = { rule: 'data', approved: false, labelOnly: false };

const deleted = planBetween([claim('ada', { state: 'Sleeping' })], [claim('ada', { state: 'Deleted' })]);
const plan: Plan = { ...deleted, changes: planned(deleted.changes, { place, needs: [need] }) };
const withObjects = (...objects: ObjectDiff[]): Plan => ({
  ...plan,
  objects: [{ unit: 'claim/ada', cluster: 'west', objects }],
});
const replicas: ObjectDiff = {
  id: 'apps/StatefulSet/vcluster-ada/ada',
  action: 'changed',
  fields: [
    { path: 'metadata.labels.a', after: 'x' },
    { path: 'metadata.labels.b', before: ['y', 1] },
    { path: 'spec.replicas', before: 3, after: 0 },
  ],
};

describe('the text of a plan', () => {
  it('says what is to be approved, and what differs between the objects', async () => {
    expect(
      await planIn('text', withObjects(replicas, { id: '/Service/vcluster-ada/ada', action: 'removed', fields: [] })),
    ).toBe(`1 change, 1 danger, 1 approval missing

Ordered to be deleted (1)
  ! Virtual cluster ada on west is ordered to be deleted.
    everything in it is uninstalled and its data is lost
    needs approval: data

Objects of claim/ada on west
  ~ StatefulSet ada in vcluster-ada
      + metadata.labels.a: "x"
      - metadata.labels.b: ["y",1]
      ~ spec.replicas: 3 → 0
  - Service ada in vcluster-ada
`);
  });

  it('cuts long values and says how long they are', async () => {
    const long = { ...replicas, fields: [{ path: 'data', after: `${'x'.repeat(198)}🦊🦊` }] };
    expect(await planIn('text', withObjects(long))).toContain(`      + data: "${'x'.repeat(198)}… (204 characters)\n`);
  });
});

describe('the comment', () => {
  it('says how to approve, links the report, and shows objects as a diff', async () => {
    const text = await planIn('markdown', withObjects(replicas), { reportUrl: 'https://ci.example/run/1' });
    expect(text).toBe(`<!-- quiesce-plan -->
### Quiesce: 1 change, 1 danger, 1 approval missing

The work tree is compared, with what is not committed.

- 🔒 **data** is to be approved for 1 change: add the trailer \`Quiesce-Approve: data\` to a commit, or the label \`quiesce-approve/data\`.

- ⚠️ **Virtual cluster ada on west is ordered to be deleted.** Everything in it is uninstalled and its data is lost. 🔒 data

<details><summary>Objects (1)</summary>

claim/ada on west

\`\`\`diff
@@ StatefulSet ada in vcluster-ada changed @@
+ metadata.labels.a: "x"
- metadata.labels.b: ["y",1]
- spec.replicas: 3
+ spec.replicas: 0
\`\`\`

</details>

_From HEAD to worktree, by \`quiesce plan\`._ [The whole report](https://ci.example/run/1).
`);
  });

  it.each([
    ['javascript:alert(1)', undefined],
    ['not an address', undefined],
    ['https://ci.example/a) [x](https://evil.example', 'https://ci.example/a%29%20%5Bx%5D%28https://evil.example'],
    ['https://ci.example/<script>', 'https://ci.example/%3Cscript%3E'],
  ])('links %j only as an address', async (reportUrl, link) => {
    const text = await planIn('markdown', plan, { reportUrl });
    if (link === undefined) expect(text).not.toContain('The whole report');
    else expect(text).toContain(`[The whole report](${link}).\n`);
  });

  it('nothing in a manifest ends the block it stands in', async () => {
    const fence = { ...replicas, fields: [{ path: 'data', after: '`````\n# x' }] };
    const text = await planIn('markdown', withObjects(fence));
    expect(text).toContain('\n``````diff\n');
    expect(text).toContain('\n+ data: "`````\\n# x"\n``````\n');
  });

  it('keeps the limit with enormous objects, shares the room, and says what is left out', async () => {
    const large = Array.from({ length: 300 }, (_, index) => ({
      unit: `claim/c${index}`,
      cluster: 'west',
      objects: Array.from({ length: 20 }, (__, number) => ({ ...replicas, id: `apps/StatefulSet/ns/s${number}` })),
    }));
    const text = await planIn('markdown', { ...plan, objects: large });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(text)).toBeGreaterThan(20_000);
    expect(text).toMatch(/# … and \d+ more lines\n```\n/);
    expect(text).toMatch(/… and \d+ more: `quiesce plan --objects` lists them\n\n<\/details>/);
    expect(text).toContain('claim/c1 on west');
  });
});

describe('the status line', () => {
  it('has the gravest first and fits into 140 characters', () => {
    expect(statusLine(plan)).toBe('1 change, 1 danger, 1 approval missing: delete 1');
    expect(statusLine(planBetween([], []))).toBe('Nothing changes');
    const before = Array.from({ length: 40 }, (_, index) => claim(`c${index}`, { host: `h${index}.edu` }));
    const states = [
      { state: 'Deleted' },
      { state: 'Sleeping' },
      { version: '9.9.9' },
      { replicas: 1 },
      { host: 'x.edu' },
      { cluster: 'east' },
      { expiry: 'Never' },
      { schedules: 1, timetable: ['sleeps at "0 20 * * *" (Etc/UTC)'] },
      { protected: true },
      { storage: '1Gi' },
      { backingStore: 'externalDatabase' },
      { owners: ['x@example.edu'] },
    ] as const;
    const after = before.map((each, index) => ({ ...each, ...states[index % states.length] }));
    const line = statusLine(planBetween(before, after));
    expect(line.length).toBeLessThanOrEqual(140);
    expect(line).toMatch(/^40 changes, \d+ dangers: delete 4, move \d, sleep 4, .*, …$/);
  });
});

describe('at the lines of the state', () => {
  it('dangers are results of SARIF', async () => {
    const log = JSON.parse(await planIn('sarif', plan)) as {
      runs: { results: object[]; tool: { driver: { rules: { id: string }[] } } }[];
    };
    const [run] = log.runs;
    expect(run?.results).toMatchObject([
      {
        ruleId: 'plan/data-lost',
        level: 'warning',
        message: {
          text: 'Virtual cluster ada on west is ordered to be deleted.\nEverything in it is uninstalled and its data is lost.\nneeds approval: data',
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'state/claims/ada.yaml' },
              region: { startLine: 7, startColumn: 10, endLine: 7, endColumn: 17 },
            },
          },
        ],
      },
    ]);
    expect(run?.tool.driver.rules.map(({ id }) => id)).toContain('plan/data-lost');
  });

  it('and annotations of GitHub, of which it shows ten', async () => {
    expect(await planIn('github', plan)).toBe(
      '::warning file=state/claims/ada.yaml,line=7,endLine=7,col=10,endColumn=16,title=data lost::Virtual cluster ada on west is ordered to be deleted.%0AEverything in it is uninstalled and its data is lost.%0Aneeds approval: data\n' +
        '::notice title=Quiesce::1 change, 1 danger, 1 approval missing\n',
    );
    const many = Array.from({ length: 12 }, () => plan.changes).flat();
    const lines = (await planIn('github', { ...plan, changes: many })).trim().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toContain('GitHub shows ten: 2 dangers more in the plan.');
  });

  it('and findings of GitLab, each with a fingerprint of its own', async () => {
    const other = planned(deleted.changes, { text: 'Another.' });
    const list = JSON.parse(await planIn('gitlab', { ...plan, changes: [...plan.changes, ...other] })) as {
      fingerprint: string;
    }[];
    expect(list[0]).toMatchObject({
      check_name: 'data lost',
      severity: 'major',
      location: { path: 'state/claims/ada.yaml', lines: { begin: 7 } },
    });
    expect(new Set(list.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });
});

describe('a state that cannot be compared', () => {
  const problem: Problem = {
    code: 'unknown-key',
    severity: 'error',
    message: 'There is no key `stat`.',
    remedy: 'Did you mean state?',
    place,
    related: [],
  };
  const refused = { at: 'HEAD', problems: [problem] };

  it('takes the place of the plan in the comment', async () => {
    expect(await refusalIn('markdown', refused)).toBe(`<!-- quiesce-plan -->
### Quiesce: no plan, 1 problem: 1 error

The state at HEAD has problems, so there is nothing to compare.

- ❌ state/claims/ada.yaml:7: **There is no key \\\`stat\\\`.** Did you mean state? (unknown-key)

_By \`quiesce plan\`._
`);
    const many = Array.from({ length: 5000 }, () => problem);
    const text = await refusalIn('markdown', { at: 'HEAD', problems: many });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/- … and \d+ more: `quiesce validate` lists them\n/);
  });

  it.each(planForms)('is told as %s', async (form) => {
    const text = await refusalIn(form, refused);
    expect(text).toContain(form === 'status' ? 'The state has 1 problem: 1 error' : 'stat');
    if (form === 'json' || form === 'sarif' || form === 'gitlab') expect(() => JSON.parse(text)).not.toThrow();
  });
});

describe('reportTarget', () => {
  it.each<[string, [PlanForm, string] | undefined]>([
    ['plan.html', ['html', 'plan.html']],
    ['a/b.md', ['markdown', 'a/b.md']],
    ['gitlab=quality.json', ['gitlab', 'quality.json']],
    ['quality.json', ['json', 'quality.json']],
    ['status=x', ['status', 'x']],
    ['plan', undefined],
    ['nonsense=plan', undefined],
    ['constructor', undefined],
  ])('%s', (text, target) => {
    const found = reportTarget(text);
    expect(found && [found.form, found.file]).toEqual(target);
  });
});

describe('whatever the names', () => {
  const evil = (text: string): Plan => {
    const before = [claim('ada', { owners: [text], host: text, version: text }), record(text)];
    const after = [
      claim('ada', { state: 'Deleted', owners: [text], host: `${text}x` }),
      claim(text, { owners: [text] }),
    ];
    const base = planBetween(before, after, { from: text, to: text });
    const diff = {
      id: `apps/StatefulSet/${text}/${text}`,
      action: 'changed',
      fields: [{ path: text, before: text, after: [text] }],
    } as const;
    return {
      ...base,
      changes: planned(base.changes, { place: { ...place, file: text, excerpt: text } }),
      objects: [{ unit: `claim/${text}`, cluster: text, objects: [diff] }],
    };
  };

  it.each(hostile)('%j', async (text) => {
    for (const form of planForms) {
      const made = await planIn(form, evil(text));
      // JSON is for programs: it escapes what a terminal would obey, and keeps the rest as it is.
      const isJson = form === 'json' || form === 'sarif' || form === 'gitlab';
      expect(made.replaceAll('\n', '')).not.toMatch(
        isJson ? /(?=[^\u0080-\uffff])\p{Cc}/u : /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
      );
      if (form === 'html') expect(made).not.toMatch(/<(?:img|script|svg)|onerror=a[^&]*(?:"|')>/);
      if (form === 'markdown') {
        const outside = made.replaceAll(/^(`{3,})diff\n[\s\S]*?^\1$/gm, '');
        expect(outside.slice(1)).not.toContain('<!-- quiesce-plan -->');
        expect(outside).not.toMatch(/<(?!\/?(?:details|summary)>|!-- quiesce-plan -->)/);
        expect(outside).not.toMatch(/(?<!\\)\[(?!The whole report)/);
        expect(outside).not.toMatch(/(?<![\p{L}\p{N}])@[\p{L}\p{N}]|#\d/u);
      }
      if (form === 'github') {
        for (const line of made.trimEnd().split('\n')) expect(line).toMatch(/^::(?:warning|notice) /);
      }
    }
  });
});

describe('the same plan', () => {
  it('gives the same bytes', async () => {
    for (const form of planForms) expect(await planIn(form, plan)).toBe(await planIn(form, structuredClone(plan)));
  });
});
