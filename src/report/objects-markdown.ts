import type { UnitDiff } from '../plan/plan.ts';
import { markdownText, printable } from './escape.ts';
import { bytes, fitted } from './markdown-room.ts';
import { objectWords, unitTitle } from './object-words.ts';

/** Objects and their fields, folded, a block for each unit; at most `room` bytes, or nothing. */
export function objectsMarkdown(units: readonly UnitDiff[], room: number): string {
  const count = units.reduce((sum, { objects }) => sum + objects.length, 0);
  const open = `\n<details><summary>Objects (${count})</summary>\n`;
  const close = '\n</details>\n';
  const inner = room - bytes(open) - bytes(close) - bytes(rest(units.length));
  const blocks: string[] = [];
  let used = 0;
  for (const unit of units) {
    // No unit may take more than half of what is left, so that a large one does not hide all others.
    const block = unitBlock(unit, units.length === 1 ? inner - used : Math.floor((inner - used) / 2));
    if (block === '') break;
    blocks.push(block);
    used += bytes(block);
  }
  const said = blocks.length === units.length ? '' : rest(units.length - blocks.length);
  return blocks.length === 0 ? '' : `${open}${blocks.join('')}${said}${close}`;
}

function rest(left: number): string {
  return `\n… and ${left} more: \`quiesce plan --objects\` lists them\n`;
}

/** A fence is longer than any row of backticks in it: nothing that a manifest says can end it. */
function unitBlock(unit: UnitDiff, room: number): string {
  const lines = unit.objects.flatMap(objectLines);
  const longest = Math.max(2, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((row) => row.length));
  const fence = '`'.repeat(longest + 1);
  const open = `\n${markdownText(unitTitle(unit))}\n\n${fence}diff\n`;
  return fitted({ open, items: lines, close: `${fence}\n`, rest: (left) => `# … and ${left} more lines\n` }, room);
}

function objectLines(diff: UnitDiff['objects'][number]): string[] {
  const { action, title, fields } = objectWords(diff);
  return [
    `@@ ${printable(title)} ${action} @@\n`,
    ...fields.flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [`- ${printable(`${path}: ${before}`)}\n`]),
      ...(after === undefined ? [] : [`+ ${printable(`${path}: ${after}`)}\n`]),
    ]),
  ];
}
