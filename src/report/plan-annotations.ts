import { counted } from '../plan/change.ts';
import { dangerWords } from '../plan/danger.ts';
import type { Plan } from '../plan/plan.ts';
import { needText } from './approval-words.ts';
import { annotation, mostOfALevel } from './github.ts';
import { planTitle, whySentence } from './plan.ts';

/** Workflow commands that show dangers next to the changed lines; GitHub drops what is more than ten without a word. */
export function planAnnotations({ changes }: Plan): string {
  const dangerous = changes.filter(({ dangers }) => dangers.length > 0);
  const shown = dangerous.slice(0, mostOfALevel).map((change) => {
    const { text, dangers, needs, place } = change;
    return annotation({
      level: 'warning',
      title: dangers.map(({ kind }) => dangerWords[kind]).join(', '),
      lines: [text, whySentence(change), ...needs.map(needText)],
      ...(place !== undefined && { place }),
    });
  });
  const more = dangerous.length - shown.length;
  const rest = more > 0 ? `. GitHub shows ten: ${counted(more, 'danger')} more in the plan.` : '';
  const title = changes.length === 0 ? 'nothing changes' : planTitle(changes);
  return [...shown, `::notice title=Quiesce::${title}${rest}`].map((line) => `${line}\n`).join('');
}
