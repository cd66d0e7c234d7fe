/** For terminals and logs: what could move the cursor, hide text or start a line shows as `\u{1b}`. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? ''}}`);
}

/**
 * Text within a line of Markdown, for GitHub, GitLab and Forgejo alike: no HTML, no emphasis, no link, and nobody is
 * mentioned. Mentions and references (`@ada`, `#12`, `!12`, `GH-12`) are looked for after Markdown has been rendered,
 * so no backslash stops them: an invisible word joiner does.
 */
export function markdownText(text: string): string {
  return printable(text)
    .replaceAll(/((?<![\p{L}\p{N}])@|[#!$%&~])(?=[\p{L}\p{N}_"])|\bGH-(?=\d)/giu, (sign) => `${sign}\u2060`)
    .replaceAll(/[\\`*_{}[\]()#|~$!^=]|:(?=\/\/)|(?<=\bwww)\./gi, (sign) => `\\${sign}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
