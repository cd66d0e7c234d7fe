import { markdownText } from './escape.ts';
import type { Refused } from './forms.ts';
import { fitted } from './markdown-room.ts';
import { commentLimit, type MarkdownOptions, planMarker } from './plan-markdown.ts';
import { problemsSummary } from './problems.ts';
import { refusalText } from './refusal-words.ts';

/** The comment for a state that does not compile: it takes the place of a plan that no longer holds. */
export function refusalMarkdown({ at, problems }: Refused, { limit }: MarkdownOptions): string {
  const why = markdownText(refusalText({ at, problems }));
  const open = `${planMarker}\n### Quiesce: no plan, ${problemsSummary(problems)}\n\n${why}\n\n`;
  const items = problems.map(({ severity, code, message, remedy, place }) => {
    const file = place === undefined ? '' : `${markdownText(`${place.file}:${place.line}`)}: `;
    return `- ${severity === 'error' ? '❌' : '⚠️'} ${file}**${markdownText(message)}** ${markdownText(remedy)} (${code})\n`;
  });
  const close = '\n_By `quiesce plan`._\n';
  const rest = (left: number): string => `- … and ${left} more: \`quiesce validate\` lists them\n`;
  const text = fitted({ open, items, close, rest }, limit ?? commentLimit);
  return text === '' ? `${planMarker}\n` : text;
}
