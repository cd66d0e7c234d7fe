import type { Change } from '../../src/plan/change.ts';
import { changes } from '../../src/plan/changes.ts';
import type { Facts } from '../../src/plan/facts.ts';
import type { Plan, PlannedChange } from '../../src/plan/plan.ts';
import { claimCounts, deadlinesIn } from '../../src/plan/plan.ts';

/** A plan of these facts, as `quiesce plan` makes it without looking into objects. */
export function planBetween(before: readonly Facts[], after: readonly Facts[], different: Partial<Plan> = {}): Plan {
  return {
    from: 'HEAD',
    to: 'worktree',
    changes: planned(changes(before, after)),
    claims: claimCounts(before, after),
    deadlines: deadlinesIn(after),
    ...different,
  };
}

export function planned(list: readonly Change[], different: Partial<PlannedChange> = {}): readonly PlannedChange[] {
  return list.map((change) => ({ ...change, needs: [], ...different }));
}

/** What somebody writes into a name who wants to be more than a name. */
export const hostile = [
  '<img src=x onerror=alert(1)><script>alert(1)</script>',
  '"><svg/onload=alert(1)>',
  "' style='position:fixed",
  '</style></details></table><h1>',
  '&lt;b&gt; &amp;',
  '[click](https://evil.example) ![x](https://evil.example/x.png) https://evil.example www.evil.example',
  '```\n# heading\n- item\n```',
  '`code` **bold** | table | <!-- quiesce-plan -->',
  '@everybody fixes #12 !7 ~bug',
  '\u001b[31mred\u001b]0;title\u0007\r\n::error::x\n##[error]x',
  '\u202egnp.exe\u2066\u200b',
  '\u0024{{ secrets.TOKEN }} %0A::error::y',
] as const;
