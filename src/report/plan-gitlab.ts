import { createHash } from 'node:crypto';
import { dangerWords } from '../plan/danger.ts';
import type { Plan } from '../plan/plan.ts';
import type { Place, Problem } from '../validate/finding.ts';
import { printable } from './escape.ts';
import { whySentence } from './plan.ts';

/** Dangers as a Code Quality report: GitLab shows it at the lines of a merge request. */
export function planGitlab({ changes }: Plan): string {
  const dangerous = changes.filter(({ dangers }) => dangers.length > 0);
  return report(
    dangerous.map((change) => ({
      check: change.dangers.map(({ kind }) => dangerWords[kind]).join(', '),
      severity: 'major',
      text: `${change.text} ${whySentence(change)}`,
      place: change.place,
    })),
  );
}

export function problemsGitlab(problems: readonly Problem[]): string {
  return report(
    problems.map(({ code, severity, message, remedy, place }) => ({
      check: code,
      severity: severity === 'error' ? 'blocker' : 'minor',
      text: `${message} ${remedy}`,
      place,
    })),
  );
}

interface Entry {
  readonly check: string;
  readonly severity: 'blocker' | 'major' | 'minor';
  readonly text: string;
  readonly place: Place | undefined;
}

/** Every entry has to be somewhere, and to have a fingerprint of its own. */
function report(entries: readonly Entry[]): string {
  const list = entries.map(({ check, severity, text, place }) => {
    const path = place?.file ?? 'state/settings.yaml';
    return {
      description: printable(text),
      check_name: check,
      fingerprint: createHash('sha256')
        .update(JSON.stringify([check, path, text]))
        .digest('hex'),
      severity,
      location: { path, lines: { begin: place?.line ?? 1 } },
    };
  });
  return `${JSON.stringify(list, undefined, 2)}\n`;
}
