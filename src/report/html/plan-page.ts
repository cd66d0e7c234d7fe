import type { Plan } from '../../plan/plan.ts';
import { planTitle } from '../plan.ts';
import { approvalsSection } from './approvals.ts';
import { changesSection, dangersSection } from './changes.ts';
import { claimsSection } from './claims.ts';
import { deadlinesSection } from './deadlines.ts';
import { html } from './markup.ts';
import { objectsSection } from './objects.ts';
import { overviewSection } from './overview.ts';
import { page } from './page.ts';
import { rehearsalSection } from './rehearsal/section.ts';
import type { Section } from './section.ts';

const planSections: readonly Section[] = [
  overviewSection,
  approvalsSection,
  dangersSection,
  rehearsalSection,
  changesSection,
  claimsSection,
  deadlinesSection,
  objectsSection,
];

/** The whole report. */
export function planHtml(plan: Plan): string {
  return page({
    title: plan.changes.length === 0 ? 'Nothing changes' : planTitle(plan.changes),
    ...(plan.rehearsals !== undefined && { foot: rehearsedFoot }),
    about: html`From <code>${plan.from}</code> to <code>${plan.to}</code>`,
    sections: planSections.flatMap(({ id, title, body }) => {
      const content = body(plan);
      return content === undefined ? [] : [{ id, title, content }];
    }),
  });
}

const rehearsedFoot = html`Made by <code>quiesce plan</code> from the two states and the snapshots: it says what the sidecar does on a cluster as it was then. What may take long lies between two paces, and what cannot be known is listed.`;
