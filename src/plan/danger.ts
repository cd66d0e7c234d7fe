/** Why a change deserves a second look. Plain JSON; policies and reports go by the kind, people by the sentence. */
export interface Danger {
  readonly kind: DangerKind;
  /** Without a capital and a full stop: it stands behind a colon as well. Names in it are as people wrote them. */
  readonly why: string;
}

/** Every kind with what stands on its badge: a policy names the kind, and may have it approved. */
export const dangerWords = {
  'data-lost': 'data lost',
  'no-grace': 'deleted without grace',
  'protection-removed': 'protection',
  'left-behind': 'left behind',
  'public-exposure': 'public exposure',
  'rbac-widened': 'rights widened',
  'ha-reduced': 'HA reduced',
  'quota-reduced': 'quota reduced',
  outage: 'outage',
  'budgets-ignored': 'budgets ignored',
  'deadline-shortened': 'shorter deadline',
  'expires-sooner': 'expires sooner',
  'volume-shrunk': 'volume shrunk',
  'immutable-field': 'immutable field',
  downgrade: 'downgrade',
  'guard-changed': 'guard changed',
  'instance-wide': 'instance-wide',
  'mass-change': 'mass change',
  'never-drains': 'never drains',
  'removed-at-deadline': 'removed at the deadline',
  'nowhere-to-go': 'nowhere to go',
  'never-ends': 'never ends',
  refused: 'refused by the compiler',
} as const satisfies Record<string, string>;

export type DangerKind = keyof typeof dangerWords;

export function danger(kind: DangerKind, why: string): readonly Danger[] {
  return [{ kind, why }];
}

/** All reasons of a change in one text; empty when there is none. */
export function whyText(dangers: readonly Danger[]): string {
  return dangers.map(({ why }) => why).join('; ');
}
