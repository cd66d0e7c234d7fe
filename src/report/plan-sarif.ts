import { dangerWords } from '../plan/danger.ts';
import type { Plan, PlannedChange } from '../plan/plan.ts';
import { needText } from './approval-words.ts';
import { printable } from './escape.ts';
import { whySentence } from './plan.ts';
import { type SarifResult, type SarifRule, sarifLog } from './sarif.ts';

/** Dangers at the lines that ask for them. What is not dangerous is no finding. */
export function planSarif({ changes }: Plan): string {
  return sarifLog(rules, changes.filter(({ dangers }) => dangers.length > 0).map(result));
}

const rules: readonly SarifRule[] = Object.entries(dangerWords).map(([kind, words]) => {
  const full = 'The change does this to something that runs: a reviewer has to know of it.';
  return { id: `plan/${kind}`, level: 'warning', short: words, full, help: { text: full, markdown: full } };
});

/** One for each change, under its first danger: the gravest, as rules put them. */
function result(change: PlannedChange): SarifResult {
  const { dangers, text, needs, place } = change;
  const lines = [text, whySentence(change), ...needs.map(needText)];
  return {
    rule: `plan/${dangers[0]?.kind}`,
    level: 'warning',
    message: lines.map(printable).join('\n'),
    ...(place !== undefined && { place }),
    related: [],
  };
}
