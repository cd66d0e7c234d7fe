import type { ClaimDocument } from '../validate/kinds/claim.ts';
import type { Hash } from './tools.ts';

/** Enough to tell all claims of the world apart, and short enough for a line of the inventory. */
const digits = 20;

/**
 * What makes a claim the same under another name: its owners and what it asks for, as written, so that a change of the
 * settings changes no identity. State and schedules come and go and do not count.
 */
export function identityOf(spec: ClaimDocument['spec'], hash: Hash): string {
  const { state: _state, sleepSchedules: _schedules, ...lasting } = spec;
  return hash(canonical(lasting)).slice(0, digits);
}

/** JSON with sorted keys: the order in which somebody wrote them is no difference. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
