import type { LifecycleClaim } from '../lifecycle/decision.ts';
import { sha256 } from '../load/blob.ts';
import { inventoryName, parseInventory } from '../load/inventory.ts';
import type { Source } from '../load/tree.ts';
import type { ClaimFacts } from '../plan/facts.ts';
import type { InventoryLine } from '../plan/inventory.ts';
import { sourceKeys } from '../plan/keys.ts';
import type { Settings } from '../resolve/state.ts';
import { version } from '../version.ts';
import type { StateAtTip } from '../writeback/state-at-tip.ts';

/** As much of a state as is read of it; `bytes` is also asked for files beside it. */
export type CommittedState = Pick<StateAtTip, 'tree' | 'bytes'>;

/** Lines of the last compile's inventory; none where the output is not on the branch that was read. */
export async function compiledLines(
  state: CommittedState,
  { git: { target, branch } }: Settings,
): Promise<readonly InventoryLine[] | undefined> {
  if (target.url !== undefined || (target.branch ?? branch) !== branch) return undefined;
  const path = `${target.path}/${inventoryName}`;
  const bytes = await state.bytes(path);
  if (bytes === undefined) return undefined;
  const { lines, findings } = parseInventory(bytes, path);
  return findings.length > 0 ? undefined : lines;
}

/**
 * Claims as the last compile has read them, by their file: where file, settings and compiler are the same, the inventory
 * says of a claim what decides whether anything is due, and ten thousand files need not be read to find that nothing
 * is. Names of owners are not in it, so whatever is decided about such a claim is decided again on its file.
 */
export function knownClaims(
  sources: readonly Source[],
  lines: readonly InventoryLine[],
): ReadonlyMap<string, LifecycleClaim> {
  const keyOf = sourceKeys({ version, sources }, sha256);
  const known = new Map<string, LifecycleClaim>();
  const bySource = new Map(sources.map((source) => [source.path, source]));
  for (const { source: file, document = 0, key, facts } of lines) {
    const source = bySource.get(file);
    if (facts.kind !== 'claim' || facts.schedules > 0 || source === undefined || source.link !== undefined) continue;
    if (keyOf(source) === key) known.set(file, claimOf(facts, { file, document }));
  }
  return known;
}

function claimOf(facts: ClaimFacts, origin: LifecycleClaim['origin']): LifecycleClaim {
  const { name, cluster, state, expiry, extendedUntil, renewedAt, identity } = facts;
  return {
    origin,
    name,
    cluster,
    owners: facts.owners.map((email) => ({ name: '', email })),
    state,
    expiry,
    schedules: [],
    protected: facts.protected,
    identity,
    ...(extendedUntil !== undefined && { extendedUntil }),
    ...(renewedAt !== undefined && { renewedAt }),
  };
}
