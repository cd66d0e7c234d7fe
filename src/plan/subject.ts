import { type Change, type ChangeKind, changeWords, counted, isOwnChange } from './change.ts';
import { whyText } from './danger.ts';

export interface CommitWords {
  /** At most 72 characters, one line. */
  readonly subject: string;
  /** One line for each change, however long and however many: who writes the message wraps and cuts. */
  readonly body: readonly string[];
}

const width = 72;
/** A plan as a commit message. */
export function commitWords(changes: readonly Change[]): CommitWords {
  if (changes.length === 0) return { subject: 'Render manifests again: the state says the same', body: [] };
  return { subject: subjectLine(changes), body: changes.map(bullet) };
}

/** As much as fits: all names, else counts where there are several, else the first of them. */
function subjectLine(changes: readonly Change[]): string {
  const groups = grouped(changes);
  const phrases = groups.map(
    ([kind, names]) => `${changeWords[kind].verb} ${names.length === 1 ? names[0] : names.length}`,
  );
  const named = groups.map(([kind, names]) => `${changeWords[kind].verb} ${names.join(', ')}`);
  const candidates = [
    named,
    phrases,
    ...phrases.map((_, dropped) => shortened(groups, phrases, phrases.length - 1 - dropped)),
  ];
  const lines = candidates.map((parts) => capitalised(parts.join('; ')));
  return lines.find((line) => line.length <= width) ?? capitalised(counted(changes.length, 'change'));
}

/** The first `shown` phrases, which are the gravest, and how many changes the rest is. */
function shortened(groups: readonly Group[], phrases: readonly string[], shown: number): string[] {
  const rest = groups.slice(shown).reduce((sum, [, names]) => sum + names.length, 0);
  return [...phrases.slice(0, shown), counted(rest, shown === 0 ? 'change' : 'more change')];
}

type Group = readonly [kind: ChangeKind, names: readonly string[]];

/** Names by kind, in the order of the changes. A count of many is no change of its own. */
function grouped(changes: readonly Change[]): readonly Group[] {
  const names = new Map<ChangeKind, string[]>();
  for (const { kind, subject } of changes) {
    if (!isOwnChange({ kind })) continue;
    const same = names.get(kind);
    if (same === undefined) names.set(kind, [oneLine(subject.name)]);
    else same.push(oneLine(subject.name));
  }
  return [...names];
}

function bullet({ text, dangers }: Change): string {
  return `- ${oneLine(dangers.length === 0 ? text : `${text} (!) ${whyText(dangers)}`)}`;
}

/**
 * Owners and hosts are text that people wrote: no line breaks and no terminal escapes in a commit message, and no
 * mention or "fixes #12" that a forge would act upon (an invisible word joiner stands in between).
 */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ').replaceAll(/((?<![\p{L}\p{N}])@|#)(?=[\p{L}\p{N}])/gu, '$1\u2060');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
