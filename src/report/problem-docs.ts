import { type CodeEntry, problemCodes } from '../validate/codes.ts';

/** `docs/problems.md`: one section for each code, in alphabetical order. */
export function problemDocs(): string {
  const entries = Object.entries<CodeEntry>(problemCodes).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${[introduction, table(entries), ...entries.map(section)].join('\n\n')}\n`;
}

const introduction = `# Problems

<!-- Generated from src/validate/codes.ts by \`npm run docs\`. -->

What Quiesce can find wrong with a state. All problems are reported at once, each with its place, and while there is an
error nothing is written. Errors end a command with exit status 1; warnings do not. Codes are stable.`;

function table(entries: readonly (readonly [string, CodeEntry])[]): string {
  const rows = entries.map(
    ([code, { severity, title }]) => `| [\`${code}\`](#${code}) | ${severity} | ${title.replaceAll('|', '\\|')} |`,
  );
  return ['| code | severity | what |', '|---|---|---|', ...rows].join('\n');
}

function section([code, { severity, title, why, remedy }]: readonly [string, CodeEntry]): string {
  return [`## ${code}`, `**${title}** (${severity})`, why, `**What to do:** ${remedy}`].join('\n\n');
}
