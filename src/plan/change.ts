import { type Danger, whyText } from './danger.ts';

/** One thing that a change of state does to something that runs, in words a reviewer can judge. Plain JSON. */
export interface Change {
  readonly kind: ChangeKind;
  readonly subject: ChangeSubject;
  /** One sentence. Names in it are as people wrote them: whoever prints it escapes it. */
  readonly text: string;
  /** Why it deserves a second look; empty when it does not. */
  readonly dangers: readonly Danger[];
  /** Id of the unit that it shows in (`claim/ada`); empty for what is about many units. */
  readonly unit: string;
}

export interface ChangeSubject {
  readonly kind:
    | 'claim'
    | 'node'
    | 'config'
    | 'installation'
    | 'component'
    | 'cluster'
    | 'system'
    | 'record'
    | 'object'
    | 'all';
  readonly name: string;
  /** Host cluster; empty for what belongs to none. */
  readonly cluster: string;
}

export interface ChangeWords {
  /** Above a list of such changes. */
  readonly heading: string;
  /** In front of names, as in "Sleep ada, bob". */
  readonly verb: string;
}

/** Every kind, in the order of every list: what destroys first, then what stops, moves, starts, and the rest. */
export const changeWords = {
  'mass-change': { heading: 'Many at once', verb: 'change many' },
  rehearsed: { heading: 'What the rehearsal shows', verb: 'heed' },
  'deletion-ordered': { heading: 'Ordered to be deleted', verb: 'delete' },
  gone: { heading: 'Gone', verb: 'forget' },
  renamed: { heading: 'Renamed', verb: 'rename' },
  moved: { heading: 'Moved to another cluster', verb: 'move' },
  'deletion-withdrawn': { heading: 'Deletion withdrawn', verb: 'keep' },
  'installation-deleted': { heading: 'Installations to be uninstalled', verb: 'uninstall' },
  'installation-gone': { heading: 'Installations gone', verb: 'forget' },
  'installation-restored': { heading: 'Uninstall withdrawn', verb: 'keep' },
  'component-removed': { heading: 'Components removed', verb: 'drop' },
  'shutdown-ordered': { heading: 'Clusters to be shut down', verb: 'shut down' },
  'restart-ordered': { heading: 'Clusters to be restarted', verb: 'restart' },
  'shutdown-withdrawn': { heading: 'Shutdown or restart withdrawn', verb: 'let run' },
  'node-enters': { heading: 'Nodes entering maintenance', verb: 'maintain' },
  'node-leaves': { heading: 'Nodes leaving maintenance', verb: 'release' },
  'node-taints': { heading: 'Taints of nodes in maintenance', verb: 'taint' },
  'budgets-ignored': { heading: 'Disruption budgets ignored', verb: 'force' },
  'budgets-respected': { heading: 'Disruption budgets respected', verb: 'respect budgets of' },
  'deadline-changed': { heading: 'Maintenance deadlines', verb: 'set the deadline of' },
  sleeps: { heading: 'Going to sleep', verb: 'sleep' },
  wakes: { heading: 'Waking up', verb: 'wake' },
  created: { heading: 'Created', verb: 'create' },
  exposed: { heading: 'Exposed', verb: 'expose' },
  unexposed: { heading: 'No longer exposed', verb: 'hide' },
  'host-changed': { heading: 'Another host name', verb: 'change the host of' },
  'store-changed': { heading: 'Another backing store', verb: 'change the store of' },
  'storage-changed': { heading: 'Another volume size', verb: 'resize' },
  'host-access-changed': { heading: 'Access to the host cluster', verb: 'change the rights of' },
  'ha-changed': { heading: 'Control-plane replicas', verb: 'scale' },
  'version-changed': { heading: 'Versions', verb: 'upgrade' },
  unprotected: { heading: 'Protection removed', verb: 'unprotect' },
  protected: { heading: 'Protected', verb: 'protect' },
  'deadline-moved': { heading: 'Published deadlines', verb: 'move the deadline of' },
  'expiry-changed': { heading: 'Expiry', verb: 'set the expiry of' },
  'owner-changed': { heading: 'Owners', verb: 'hand over' },
  'quota-changed': { heading: 'Quotas', verb: 'set the quota of' },
  'schedules-changed': { heading: 'Sleep schedules', verb: 'reschedule' },
  changed: { heading: 'Other settings', verb: 'configure' },
  'installation-created': { heading: 'Installations', verb: 'install' },
  'component-added': { heading: 'Components added', verb: 'add' },
  'component-changed': { heading: 'Components changed', verb: 'change' },
  'removal-changed': { heading: 'How it would be removed', verb: 'change the removal of' },
  'object-changed': { heading: 'Objects', verb: 'change' },
  'settings-changed': { heading: 'Settings', verb: 'set' },
  'uninstall-recorded': { heading: 'Uninstalls completed', verb: 'record' },
  'record-removed': { heading: 'Records removed', verb: 'drop the record of' },
  'cluster-removed': { heading: 'Host clusters removed', verb: 'drop' },
  'cluster-added': { heading: 'Host clusters added', verb: 'add' },
  'system-removed': { heading: 'Parts of Quiesce removed', verb: 'drop' },
  'system-added': { heading: 'Parts of Quiesce added', verb: 'add' },
  'config-removed': { heading: 'Cluster configs removed', verb: 'drop' },
  'config-added': { heading: 'Cluster configs added', verb: 'add' },
} as const satisfies Record<string, ChangeWords>;

export type ChangeKind = keyof typeof changeWords;

/** A count of many, and what a rehearsal shows, are no changes of their own: they are said of others. */
export function isOwnChange({ kind }: Pick<Change, 'kind'>): boolean {
  return kind !== 'mass-change' && kind !== 'rehearsed';
}

const rank = new Map(Object.keys(changeWords).map((kind, index) => [kind, index]));

/** Total: two changes that compare equal say the same. By code units, never the locale. */
export function compareChanges(a: Change, b: Change): number {
  return (
    (rank.get(a.kind) ?? 0) - (rank.get(b.kind) ?? 0) ||
    compareText(a.subject.cluster, b.subject.cluster) ||
    compareText(a.subject.name, b.subject.name) ||
    compareText(a.subject.kind, b.subject.kind) ||
    compareText(a.text, b.text) ||
    compareText(whyText(a.dangers), whyText(b.dangers)) ||
    compareText(a.unit, b.unit)
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `3 nodes`, `1 node`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The largest units that tell it exactly: `90 d`, `20 min`, `1 h 30 min`. */
export function durationText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const;
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return parts.length === 0 ? `${seconds} s` : parts.join(' ');
}
