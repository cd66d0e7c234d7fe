import { counted } from '../plan/change.ts';
import type { Plan, PlannedChange } from '../plan/plan.ts';
import { approvalTexts, type RuleMet, rulesMet } from './approval-words.ts';
import { markdownText } from './escape.ts';
import { bytes, fitted } from './markdown-room.ts';
import { objectsMarkdown } from './objects-markdown.ts';
import { changeGroups, planTitle, whySentence } from './plan.ts';
import { rehearsalsMarkdown } from './rehearsal/markdown.ts';

/** First line of the comment: by it the next run finds the comment to update. */
export const planMarker = '<!-- quiesce-plan -->';

/**
 * GitHub takes 65,536 characters a comment, GitLab a million. Counted here are bytes, of which there are never fewer, so
 * that the limit holds however a forge counts.
 */
export const commentLimit = 65_536;

export interface MarkdownOptions {
  /** Bytes the whole text may have. */
  readonly limit?: number;
  /** Where the whole report can be seen. */
  readonly reportUrl?: string;
}

/** What a comment is made of, in order. Each part gets its share of the room that those before it left. */
interface Part {
  readonly share: number;
  readonly isWanted: (plan: Plan) => boolean;
  /** At most `room` bytes, or nothing. */
  readonly write: (plan: Plan, room: number) => string;
}

const parts: readonly Part[] = [
  { share: 1, isWanted: ({ changes }) => missing(changes).length > 0, write: approvalsPart },
  { share: 6, isWanted: ({ changes }) => changes.some(isDangerous), write: dangersPart },
  {
    share: 5,
    isWanted: ({ rehearsals = [] }) => rehearsals.length > 0,
    write: ({ rehearsals = [] }, room) => rehearsalsMarkdown(rehearsals, room),
  },
  { share: 4, isWanted: ({ changes }) => !changes.every(isDangerous), write: othersPart },
  {
    share: 4,
    isWanted: ({ objects = [] }) => objects.length > 0,
    write: ({ objects = [] }, room) => objectsMarkdown(objects, room),
  },
];

/** A plan as one comment: what is dangerous first and open, the rest folded, each part within its budget. */
export function planMarkdown(plan: Plan, options: MarkdownOptions = {}): string {
  const head = headOf(plan);
  const foot = footOf(plan, options);
  const room = (options.limit ?? commentLimit) - bytes(head) - bytes(foot);
  const wanted = parts.filter(({ isWanted }) => isWanted(plan));
  let text = '';
  wanted.forEach(({ share, write }, index) => {
    const shares = wanted.slice(index).reduce((sum, part) => sum + part.share, 0);
    text += write(plan, Math.floor(((room - bytes(text)) * share) / shares));
  });
  return `${head}${text}${foot}`;
}

function headOf({ changes, to, objects = [] }: Plan): string {
  const title = changes.length === 0 ? 'nothing changes' : planTitle(changes);
  const lines = [planMarker, `### Quiesce: ${title}`];
  if (changes.length > 0 && !changes.some(isDangerous)) lines.push('', 'Nothing here is marked as dangerous.');
  if (changes.length === 0 && objects.length > 0)
    lines.push('', 'The state says the same, but other bytes are rendered.');
  if (to === 'worktree') lines.push('', 'The work tree is compared, with what is not committed.');
  return `${lines.join('\n')}\n`;
}

function footOf({ from, to }: Plan, { reportUrl }: MarkdownOptions): string {
  const link = reportUrl === undefined ? undefined : linkTo(reportUrl);
  const report = link === undefined ? '' : ` [The whole report](${link}).`;
  return `\n_From ${markdownText(from)} to ${markdownText(to)}, by \`quiesce plan\`._${report}\n`;
}

/** Only what is a web address becomes a link, and nothing in it ends the link early. */
function linkTo(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return href.replaceAll(/[()<>[\]\\`*_|]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function approvalsPart({ changes }: Plan, room: number): string {
  const items = missing(changes).map((need) => {
    const { trailer, label } = approvalTexts(need);
    const ways = [
      ...(trailer === undefined ? [] : [`the trailer \`${trailer}\` to a commit`]),
      `the label \`${label}\``,
    ];
    return `- 🔒 **${markdownText(need.rule)}** is to be approved for ${counted(need.changes, 'change')}: add ${ways.join(', or ')}.\n`;
  });
  return fitted({ open: '\n', items, close: '', rest }, room);
}

function missing(changes: readonly PlannedChange[]): readonly RuleMet[] {
  return rulesMet(changes).filter(({ approved }) => !approved);
}

function dangersPart({ changes }: Plan, room: number): string {
  return fitted({ open: '\n', items: changes.filter(isDangerous).map(item), close: '', rest }, room);
}

/** Every group gets an equal share of the room that is left; what one does not need goes to those after it. */
function othersPart({ changes }: Plan, room: number): string {
  const groups = changeGroups(changes.filter((change) => !isDangerous(change)));
  let text = '';
  for (const [index, { heading, changes: group }] of groups.entries()) {
    const share = Math.floor((room - bytes(text)) / (groups.length - index));
    const open = `\n<details><summary>${heading} (${group.length})</summary>\n\n`;
    text += fitted({ open, items: group.map(item), close: '\n</details>\n', rest }, share);
  }
  return text;
}

function rest(left: number): string {
  return `- … and ${left} more: \`quiesce plan\` lists them\n`;
}

function isDangerous({ dangers }: PlannedChange): boolean {
  return dangers.length > 0;
}

function item(change: PlannedChange): string {
  const needs = change.needs.map(({ rule, approved }) => ` ${approved ? '✅' : '🔒'} ${markdownText(rule)}`).join('');
  if (!isDangerous(change)) return `- ${markdownText(change.text)}${needs}\n`;
  return `- ⚠️ **${markdownText(change.text)}** ${markdownText(whySentence(change))}${needs}\n`;
}
