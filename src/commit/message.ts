export interface MessageParts {
  readonly subject: string;
  /** Lines of the body; an empty one makes a paragraph. */
  readonly body: readonly string[];
  readonly trailers: readonly { readonly key: string; readonly value: string }[];
}

/** What `git log --oneline` and the pages of git hosts show without cutting. */
const subjectLimit = 72;
/** A commit that changes ten thousand claims must not have ten thousand lines. */
const bodyLimit = 100;

/**
 * As many clauses as fit into one subject line, and how many there are besides:
 * `Sleep ada-dev; wake bob; 3 more`.
 */
export function subjectOf(clauses: readonly string[]): string {
  const clean = clauses.map(oneLine).filter((clause) => clause !== '');
  for (let count = clean.length; count > 0; count -= 1) {
    const left = clean.length - count;
    const subject = [...clean.slice(0, count), ...(left > 0 ? [`${left} more`] : [])].join('; ');
    if (lengthOf(subject) <= subjectLimit || count === 1) return subject;
  }
  return '';
}

/** The whole message. The subject is cut where it is too long, and then stands in full in the body. */
export function formatMessage(parts: MessageParts): string {
  const subject = oneLine(parts.subject);
  const short = shortened(subject);
  const body = parts.body.map((line) => line.trimEnd());
  const shown =
    body.length <= bodyLimit ? body : [...body.slice(0, bodyLimit), `… and ${body.length - bodyLimit} more lines`];
  const paragraphs = [
    short,
    short === subject ? '' : wrapped(subject).join('\n'),
    shown
      .flatMap((line) => wrapped(line))
      .join('\n')
      .trim(),
    parts.trailers.map(({ key, value }) => `${key}: ${oneLine(value)}`).join('\n'),
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function shortened(subject: string): string {
  if (lengthOf(subject) <= subjectLimit) return subject;
  const cut = [...subject].slice(0, subjectLimit - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > subjectLimit / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:]+$/, '')}…`;
}

/** Breaks a line at spaces; what belongs to a list item stays below it. Words are never broken. */
function wrapped(line: string): string[] {
  const indent = /^\s*(?:[-*] )?/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of controlFree(line.slice(indent.length)).split(' ')) {
    const isStart = current.trim() === '' || current === indent;
    if (!isStart && lengthOf(current) + 1 + lengthOf(word) > subjectLimit) {
      lines.push(current);
      current = ' '.repeat(indent.length) + word;
    } else current = isStart ? current + word : `${current} ${word}`;
  }
  return [...lines, current];
}

function oneLine(text: string): string {
  return controlFree(text).replace(/\s+/g, ' ').trim();
}

function controlFree(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function lengthOf(text: string): number {
  return [...text].length;
}
