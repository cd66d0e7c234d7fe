import { counted } from '../../plan/change.ts';
import { approvalTexts, type RuleMet, rulesMet } from '../approval-words.ts';
import { html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

export const approvalsSection: Section = {
  id: 'approvals',
  title: 'Approvals',
  body: ({ changes }) => {
    const rules = rulesMet(changes);
    return rules.length === 0 ? undefined : html`<ul class="plain">\n${rules.map(ruleItem)}</ul>\n`;
  },
};

function ruleItem(met: RuleMet): Markup {
  const what = html`<strong>${met.rule}</strong>, for ${counted(met.changes, 'change')}`;
  if (met.approved) return html`<li><span class="badge good">approved</span> ${what}</li>\n`;
  const { trailer, label } = approvalTexts(met);
  const written = trailer === undefined ? undefined : html`the trailer <code>${trailer}</code> in a commit, or `;
  return html`<li><span class="badge wait">needs approval</span> ${what}: ${written}the label <code>${label}</code></li>\n`;
}
