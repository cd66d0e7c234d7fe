import { type Change, counted } from './change.ts';
import { claimContentRules } from './claim-content-rules.ts';
import { claimRules, exposed, hostAccessOf, type Said, storeNames, claimTitle as title } from './claim-rules.ts';
import { danger } from './danger.ts';
import type { ClaimFacts, RecordFacts } from './facts.ts';

/** What changes for a claim that is there before and after. `record` is the one that it has after. */
export function claimChanges(before: ClaimFacts, after: ClaimFacts, record?: RecordFacts): readonly Change[] {
  const said = [...claimRules, ...claimContentRules]
    .map((rule) => rule(before, after))
    .filter((change) => change !== undefined)
    .map((change) => (change.kind === 'wakes' ? { ...change, text: `${change.text}${standing(record)}` } : change));
  if (said.length === 0 && before.identity !== after.identity) {
    said.push({ kind: 'changed', text: `${title(after)} gets another configuration.` });
  }
  return said.map((change) => about(after, change));
}

/** Only a renewal renews: who wakes a claim in its grace has to know what still comes. */
function standing(record: RecordFacts | undefined): string {
  const deletion = record?.expired === true ? record.deadlines?.delete : undefined;
  return deletion === undefined
    ? ''
    : ` It has expired, and its deletion at ${deletion} stands until it is renewed: waking renews nothing.`;
}

export function claimCreated(claim: ClaimFacts): readonly Change[] {
  if (claim.state === 'Deleted') {
    return [about(claim, { kind: 'created', text: `${title(claim)} is declared and ordered to be deleted at once.` })];
  }
  const state = claim.state === 'Sleeping' ? ', asleep' : '';
  const owner = `owned by ${claim.owners.join(', ')}`;
  const size = `${counted(claim.replicas, 'replica')}, ${storeNames[claim.backingStore]}`;
  const created: Said = {
    kind: 'created',
    text: `${title(claim)} is created${state}: version ${claim.version}, ${size}, ${owner}.`,
  };
  return [created, exposed(claim), hostAccessOf(claim)].flatMap((said) =>
    said === undefined ? [] : [about(claim, said)],
  );
}

/** `record` is what was noted of its uninstall, before or after. */
export function claimGone(claim: ClaimFacts, record: RecordFacts | undefined): Change {
  const done = record?.uninstalled;
  if (done !== undefined) {
    const data = done.data === 'Deleted' ? 'its data was deleted' : 'its data was kept';
    return about(claim, {
      kind: 'gone',
      text: `${title(claim)} is gone: its uninstall was completed at ${done.at}, ${data}.`,
    });
  }
  return about(claim, {
    kind: 'gone',
    text: `${title(claim)} is no longer declared.`,
    dangers: danger(
      'left-behind',
      'no completed uninstall is recorded: what runs of it, and its data, would be left behind with nobody to look after it',
    ),
  });
}

export function claimRenamed(before: ClaimFacts, after: ClaimFacts): readonly Change[] {
  const renamed: Said = {
    kind: 'renamed',
    text: `${title(before)} is renamed to ${after.name}.`,
    dangers: danger(
      'left-behind',
      `nothing is moved: ${after.name} starts empty, and what runs of ${before.name} is left behind with its data`,
    ),
  };
  return [renamed, exposed(after)].flatMap((said) => (said === undefined ? [] : [about(after, said)]));
}

function about(claim: ClaimFacts, { kind, text, dangers = [] }: Said): Change {
  const { name, cluster } = claim;
  return { kind, subject: { kind: 'claim', name, cluster }, text, dangers, unit: `claim/${name}` };
}
