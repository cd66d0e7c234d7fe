import type { LifecycleRecord } from '../resolve/state.ts';
import type { Decision, LifecycleInstallation, ObservedResource } from './decision.ts';
import { type Draft, emptyRecord, held } from './draft.ts';
import { endOf, observe } from './observed.ts';

interface InstallationScene {
  readonly now: number;
  readonly installation: LifecycleInstallation;
  readonly record: LifecycleRecord | undefined;
  readonly resource: ObservedResource | undefined;
}

/** An installation does not expire: what the cluster says of it is noted, and its file goes when it is uninstalled. */
export function decideInstallation({ now, installation, record, resource }: InstallationScene): Decision | undefined {
  const { name, state, origin } = installation;
  const isOver = state === 'Deleted' && resource?.uninstalled !== undefined;
  const isOfThisLife = record !== undefined && (record.uninstalled === undefined || state === 'Deleted');
  const known = isOfThisLife
    ? record
    : emptyRecord({ origin: record?.origin ?? { file: `state/records/${name}.yaml`, document: 0 }, name });
  // The state of a claim means nothing here.
  const draft: Draft = { state: 'Running', record: known, isOver, mails: [], holds: [], events: [] };
  const observed = asked(observe(draft, resource, now), installation, resource);
  const uninstalled = isOver ? resource.uninstalled : undefined;
  const next = uninstalled === undefined ? observed.record : endOf(observed.record, uninstalled);
  if (next === known && observed.holds.length === 0) return undefined;
  return {
    kind: 'installation',
    name,
    ...(isOver && { remove: { file: origin.file } }),
    ...(next !== known && { record: { kind: 'write', record: next } as const }),
    mails: [],
    holds: observed.holds,
    events: uninstalled === undefined ? observed.events : [...observed.events, { kind: 'uninstalled', ...uninstalled }],
  };
}

function asked(draft: Draft, { name, state }: LifecycleInstallation, resource: ObservedResource | undefined): Draft {
  if (resource?.deletionAsked === undefined || state === 'Deleted') return draft;
  const message = `Somebody asked for the deletion of ${name} with kubectl; it is ordered by "state: Deleted".`;
  return held(draft, { code: 'deletion-asked', message });
}
