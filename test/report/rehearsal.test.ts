import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { rehearsedChanges } from '../../src/plan/rehearsed-changes.ts';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { planForms, planIn } from '../../src/report/forms.ts';
import { lengthText, shortSpan, whenText } from '../../src/report/rehearsal/words.ts';
import { hostile, planBetween, planned } from './plans.ts';
import { blockedNode, drained, rehearsal } from './rehearsals.ts';

const place = {
  file: 'state/clusters/atlas-metal.yaml',
  line: 12,
  column: 9,
  endLine: 12,
  endColumn: 22,
  excerpt: '      - 10.0.0.5',
};

function planOf(...rehearsals: Rehearsal[]): Plan {
  const changes = planned(rehearsals.flatMap(rehearsedChanges), { place });
  return { ...planBetween([], []), changes, rehearsals };
}

describe('what a rehearsal shows is marked', () => {
  it('a block that can never drain, pods with nowhere to go, an uninstall that never ends', () => {
    expect(rehearsedChanges(rehearsal())).toEqual([
      {
        kind: 'rehearsed',
        subject: { kind: 'config', name: 'atlas-metal', cluster: 'atlas' },
        text: 'Maintenance of atlas-metal on atlas is held up for ever on node n5.',
        dangers: [
          {
            kind: 'never-drains',
            why: 'Budget shop/db never lets shop/db-1 go: of 3 pods 3 have to be healthy; shop/held-by-a-finalizer is still there at the end; 1 pod is removed (1 past a budget) at the deadline of 20 min',
          },
        ],
        unit: 'maintenance/atlas-metal',
      },
      {
        kind: 'rehearsed',
        subject: { kind: 'config', name: 'atlas-metal', cluster: 'atlas' },
        text: '3 pods of atlas-metal on atlas may find no other node, 1 of them whatever happens.',
        dangers: [
          {
            kind: 'nowhere-to-go',
            why: 'of shop/db: 11 nodes out of reach of its volume; of shop/web-5c9: 2 nodes tainted gpu=true:NoSchedule, 9 nodes too little cpu',
          },
        ],
        unit: 'maintenance/atlas-metal',
      },
      {
        kind: 'rehearsed',
        subject: { kind: 'installation', name: 'monitoring', cluster: 'atlas' },
        text: 'The uninstall of installation monitoring on atlas does not come to an end.',
        dangers: [
          {
            kind: 'never-ends',
            why: 'Dashboard mon/main keeps the finalizer example.com/hold and nobody serves it',
          },
        ],
        unit: 'installation/monitoring',
      },
    ]);
  });

  it('a deadline that is too short, however quickly things go', () => {
    const [block] = rehearsal().maintenance;
    if (block === undefined) throw new Error('the example has a block');
    const hurried = { ...blockedNode, blockers: [], stuck: [], moves: [] };
    const [found] = rehearsedChanges(rehearsal({ maintenance: [{ ...block, nodes: [hurried] }], uninstalls: [] }));
    expect(found?.text).toBe('The deadline of 20 min is too short to drain atlas-metal on atlas.');
    expect(found?.dangers).toEqual([
      { kind: 'removed-at-deadline', why: '1 pod is removed (1 past a budget): shop/db-1' },
    ]);
  });

  it('nothing where all goes well', () => {
    const [block] = rehearsal().maintenance;
    if (block === undefined) throw new Error('the example has a block');
    const well = { ...drained, moves: drained.moves.filter(({ nowhere }) => nowhere === undefined) };
    expect(rehearsedChanges(rehearsal({ maintenance: [{ ...block, nodes: [well] }], uninstalls: [] }))).toEqual([]);
  });

  it('at the lines of the state, in code scanning and as annotations', async () => {
    const log = JSON.parse(await planIn('sarif', planOf(rehearsal())));
    const [first] = log.runs[0].results;
    expect(first.ruleId).toBe('plan/never-drains');
    expect(first.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'state/clusters/atlas-metal.yaml' },
      region: { startLine: 12 },
    });
    expect(await planIn('github', planOf(rehearsal()))).toContain(
      '::warning file=state/clusters/atlas-metal.yaml,line=12,endLine=12,col=9,endColumn=21,title=never drains::Maintenance of atlas-metal on atlas is held up for ever on node n5.',
    );
  });
});

describe('times', () => {
  it.each([
    [{ from: 0, to: 0 }, 'at once', 'no time', '0 s'],
    [{ from: 5, to: 90 }, 'after 5 to 90 s', '5 to 90 s', '5 to 90 s'],
    [{ from: 40, to: 600 }, 'after 40 s to 10 min', '40 s to 10 min', '40 s to 10 min'],
    [{ from: 9000, to: 9000 }, 'after 2.5 h', '2.5 h', '2.5 h'],
    [{ from: 60, to: null }, 'after 60 s at the earliest, perhaps never', '60 s or longer, perhaps for ever', '≥ 60 s'],
    [{ from: null, to: null }, 'never', 'for ever', 'never'],
  ])('%j', (span, when, length, short) => {
    expect([whenText(span), lengthText(span), shortSpan(span)]).toEqual([when, length, short]);
  });
});

describe('a rehearsal in a plan', () => {
  it('says in text what moves, what is in the way and who has to act', async () => {
    const text = await planIn('text', planOf(rehearsal()));
    expect(text).toContain(`Rehearsed on atlas
Snapshot of 2026-03-01 08:00 UTC, 3 h before this: 12 nodes, 431 pods, Kubernetes v1.35.0.
  Maintenance of atlas-metal: 3 nodes, 2 at a time, deadline 20 min a node: it takes 20 min or longer, perhaps for ever.
    n4 (10.0.0.4) of workers: in maintenance after 95 s to 9 min, drained; 6 pods evicted, 3 left alone
    n5 (10.0.0.5): in maintenance after 20 min at the earliest, perhaps never, by its deadline; 3 pods evicted, 1 removed by taint, 2 left alone; still there at the end: shop/held-by-a-finalizer
`);
    expect(text).toContain('who has to act: the owner of the workload');
    expect(text).toContain('What this cannot know\n  - The snapshot is 3 h old.\n');
  });

  it('folds the nodes in the comment and leaves open what is in the way', async () => {
    const text = await planIn('markdown', planOf(rehearsal()));
    const [open = ''] = text.split('<details>');
    expect(open).toContain('#### Rehearsed on atlas');
    expect(open).toContain(
      '  - ⛔ Budget shop/db never lets shop/db-1 go: of 3 pods 3 have to be healthy. (for ever, 1 node; who has to act: the owner of the workload)',
    );
    expect(text).toContain('<details><summary>Nodes of atlas-metal (5)</summary>\n\n| node | what happens | pods |\n');
    expect(text).toContain('- 🗑️ data: PersistentVolumeClaim mon/data-0\n');
  });

  it('keeps the limit of a comment with many clusters, nodes and objects, and says what is left out', async () => {
    const [block] = rehearsal().maintenance;
    const [uninstall] = rehearsal().uninstalls;
    if (block === undefined || uninstall === undefined) throw new Error('the example has both');
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...blockedNode, node: `node-${index}` }));
    const deleted = Array.from({ length: 1000 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'mon',
      name: `config-${index}`,
      how: 'order' as const,
      isData: false,
    }));
    const large = rehearsal({ maintenance: [{ ...block, nodes: many }], uninstalls: [{ ...uninstall, deleted }] });
    const others = Array.from({ length: 5 }, (_, index) => ({
      ...large,
      cluster: { ...large.cluster, name: `c${index}` },
    }));
    const text = await planIn('markdown', planOf(large, ...others));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    expect(text).toContain('#### Rehearsed on c4');
    expect(text).toMatch(/\| … and \d+ more \| \| \|\n/);
    expect(text).toMatch(/- … and \d+ more: the whole report has them\n/);
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  it('gives the same bytes', async () => {
    for (const form of planForms) {
      expect(await planIn(form, planOf(rehearsal()))).toBe(await planIn(form, structuredClone(planOf(rehearsal()))));
    }
  });
});

describe('nothing that a cluster calls its things gets out of the text', () => {
  const evil = (text: string): Rehearsal =>
    JSON.parse(JSON.stringify(rehearsal()), (key, value: unknown) =>
      typeof value === 'string' && !kept.has(key) ? text : value,
    );
  // What decides; a program of ours has written it, never a person.
  const kept = new Set(['course', 'by', 'why', 'code', 'who', 'reason', 'how', 'ends', 'strategy', 'takenAt', 'what']);

  it.each(hostile)('%j', async (text) => {
    for (const form of planForms) {
      const made = await planIn(form, planOf(evil(text)));
      const isJson = form === 'json' || form === 'sarif' || form === 'gitlab';
      expect(made.replaceAll('\n', '')).not.toMatch(
        isJson ? /(?=[^\u0080-\uffff])\p{Cc}/u : /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
      );
      if (form === 'html') expect(made).not.toMatch(/<(?:img|script|svg\/)|onerror=a[^&<]*(?:"|')>/);
      if (form === 'markdown') {
        expect(made.slice(1)).not.toContain('<!-- quiesce-plan -->');
        expect(made).not.toMatch(/<(?!\/?(?:details|summary)>|!-- quiesce-plan -->)/);
        expect(made).not.toMatch(/(?<!\\)\[/);
        expect(made).not.toMatch(/(?<![\p{L}\p{N}])@[\p{L}\p{N}]|#\d/u);
        for (const row of made.split('\n').filter((line) => line.startsWith('| ')))
          expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
      }
      if (form === 'github') {
        for (const line of made.trimEnd().split('\n')) expect(line).toMatch(/^::(?:warning|notice) /);
      }
    }
  });
});
