import { type ChangeKind, changeWords, counted, isOwnChange } from '../plan/change.ts';
import { whyText } from '../plan/danger.ts';
import type { Plan, PlannedChange } from '../plan/plan.ts';
import { needText, rulesMet } from './approval-words.ts';
import { printable } from './escape.ts';
import { type FieldWords, objectWords, type Sign, unitTitle } from './object-words.ts';
import { rehearsalText } from './rehearsal/text.ts';
import type { Style } from './style.ts';

/** Changes by kind, in their order, then the objects where they were asked for; a plan without changes is one line. */
export function planText({ changes, objects, rehearsals = [] }: Plan, style: Style): string {
  const rehearsed = rehearsals.map((rehearsal) => rehearsalText(rehearsal, style));
  const isSame = changes.length === 0 && (objects ?? []).length === 0;
  if (isSame) return `${['Nothing changes.', ...rehearsed].join('\n\n')}\n`;
  const blocks = changeGroups(changes).map(({ heading, changes: group }) =>
    [style.bold(`${heading} (${group.length})`), ...group.flatMap((change) => changeLines(change, style))].join('\n'),
  );
  const all = [style.bold(planTitle(changes)), ...blocks, ...rehearsed, ...objectBlocks(objects, style)];
  return `${all.join('\n\n')}\n`;
}

function changeLines(change: PlannedChange, style: Style): string[] {
  const text = printable(change.text);
  const needs = change.needs.map((need) => `    ${(need.approved ? style.green : style.yellow)(needText(need))}`);
  if (change.dangers.length === 0) return [`  - ${text}`, ...needs];
  return [
    `  ${style.red('!')} ${text}`,
    ...change.dangers.map(({ why }) => `    ${style.red(printable(why))}`),
    ...needs,
  ];
}

function objectBlocks(objects: Plan['objects'], style: Style): string[] {
  return (objects ?? []).map((unit) =>
    [
      style.bold(printable(`Objects of ${unitTitle(unit)}`)),
      ...unit.objects
        .map(objectWords)
        .flatMap(({ sign, title, fields }) => [
          `  ${signed(sign, title, style)}`,
          ...fields.map((field) => `      ${signed(field.sign, fieldText(field), style)}`),
        ]),
    ].join('\n'),
  );
}

function fieldText({ path, before, after }: FieldWords): string {
  return `${path}: ${[before, after].filter((value) => value !== undefined).join(' → ')}`;
}

function signed(sign: Sign, text: string, style: Style): string {
  const mark = { '+': style.green, '-': style.red, '~': style.yellow }[sign];
  return mark(`${sign} ${printable(text)}`);
}

/** `5 changes, 2 dangers, 1 approval missing`. A count of many is no change of its own, but a danger of its own. */
export function planTitle(changes: readonly PlannedChange[]): string {
  const own = changes.filter(isOwnChange).length;
  const dangers = changes.filter((change) => change.dangers.length > 0).length;
  const missing = rulesMet(changes).filter(({ approved }) => !approved).length;
  return [
    counted(own, 'change'),
    ...(dangers === 0 ? [] : [counted(dangers, 'danger')]),
    ...(missing === 0 ? [] : [`${counted(missing, 'approval')} missing`]),
  ].join(', ');
}

/** One line for the status of a commit, at most 140 characters as GitHub has it: the gravest kinds first. */
export function statusLine(plan: Plan): string {
  if (plan.changes.length === 0) return 'Nothing changes';
  const kinds = changeGroups(plan.changes)
    .filter(isOwnChange)
    .map(({ kind, changes }) => `${changeWords[kind].verb} ${changes.length}`);
  const title = planTitle(plan.changes);
  const whole = `${title}: ${kinds.join(', ')}`;
  for (let shown = kinds.length; shown > 0; shown -= 1) {
    const line = shown === kinds.length ? whole : `${title}: ${kinds.slice(0, shown).join(', ')}, …`;
    if (line.length <= longestStatus) return line;
  }
  return title;
}

const longestStatus = 140;

export interface ChangeGroup {
  readonly kind: ChangeKind;
  readonly heading: string;
  readonly changes: readonly PlannedChange[];
}

/** Neighbours of one kind: the changes come sorted by kind. */
export function changeGroups(changes: readonly PlannedChange[]): readonly ChangeGroup[] {
  const groups = new Map<ChangeKind, PlannedChange[]>();
  for (const change of changes) {
    const group = groups.get(change.kind);
    if (group === undefined) groups.set(change.kind, [change]);
    else group.push(change);
  }
  return [...groups].map(([kind, group]) => ({ kind, heading: changeWords[kind].heading, changes: group }));
}

/** Dangers as one sentence or more: a capital at the beginning, a full stop at the end. */
export function whySentence({ dangers }: PlannedChange): string {
  const text = whyText(dangers);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
