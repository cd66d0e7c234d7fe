import { at, type DataPath, type Location, type Origin } from '../validate/finding.ts';
import type { Change, ChangeKind } from './change.ts';
import type { Facts } from './facts.ts';

/** A unit of the state after the change, with the document that asks for it. */
export interface PlacedUnit {
  readonly id: string;
  readonly origin: Origin;
  readonly facts: Facts;
}

/**
 * Where in `state/` a change was asked for: the field that says it, as far as one does. Nowhere for what is gone, since
 * there is no line of it any more.
 */
export function changeLocation(change: Change, units: ReadonlyMap<string, PlacedUnit>): Location {
  const unit = units.get(change.unit) ?? parentOf(change.unit, units);
  if (unit === undefined) return { kind: 'nowhere' };
  return at(unit.origin, pathOf(change, units));
}

/** A component that is gone was taken off the list of its installation. */
function parentOf(unit: string, units: ReadonlyMap<string, PlacedUnit>): PlacedUnit | undefined {
  const [kind, installation] = unit.split('/');
  return kind === 'component' ? units.get(`installation/${installation}`) : undefined;
}

function pathOf({ kind, unit, subject }: Change, units: ReadonlyMap<string, PlacedUnit>): DataPath {
  if (kind === 'settings-changed') return settingPath(subject.name);
  if (kind === 'rehearsed') return unit.startsWith('maintenance/') ? blocks : state;
  if (unit.startsWith('component/')) return componentPath(unit, units);
  return fields[kind] ?? ['metadata', 'name'];
}

/** A path of facts has names where the document has numbers: up to there it leads to the same place. */
function settingPath(path: string): DataPath {
  const [first = '', second] = path.split('.');
  if (first === 'name') return ['metadata', 'name'];
  return second === undefined || first === 'clusters' ? ['spec', first] : ['spec', first, second];
}

function componentPath(unit: string, units: ReadonlyMap<string, PlacedUnit>): DataPath {
  const [, installation = '', name = ''] = unit.split('/');
  const facts = units.get(`installation/${installation}`)?.facts;
  const index = facts?.kind === 'installation' ? facts.components.indexOf(name) : -1;
  return index < 0 ? ['spec', 'components'] : ['spec', 'components', index, 'name'];
}

const state: DataPath = ['spec', 'state'];
const action: DataPath = ['spec', 'action'];
const blocks: DataPath = ['spec', 'maintenanceBlocks', 'cidrBlocks'];
const annotation = (name: string): DataPath => ['metadata', 'annotations', `baremetal.cluster.gke.io/${name}`];

/** Fields that say it; where one is left to its default, the nearest thing that is there is shown. */
const fields: Partial<Record<ChangeKind, DataPath>> = {
  'deletion-ordered': state,
  'deletion-withdrawn': state,
  'installation-deleted': state,
  'installation-restored': state,
  sleeps: state,
  wakes: state,
  moved: ['spec', 'cluster'],
  'shutdown-ordered': action,
  'restart-ordered': action,
  'shutdown-withdrawn': action,
  // Of nodes: of claims it is about none in particular, and nowhere.
  'mass-change': blocks,
  'node-enters': blocks,
  'node-leaves': blocks,
  'node-taints': blocks,
  'budgets-ignored': annotation('maintenance-mode-ignore-pdb'),
  'deadline-changed': annotation('maintenance-mode-deadline-seconds'),
  exposed: ['spec', 'expose'],
  unexposed: ['spec', 'expose'],
  'store-changed': ['spec', 'backingStore'],
  'storage-changed': ['spec', 'storage', 'size'],
  'ha-changed': ['spec', 'replicas'],
  'host-access-changed': ['spec', 'values'],
  'version-changed': ['spec', 'version'],
  unprotected: ['spec', 'protected'],
  protected: ['spec', 'protected'],
  'expiry-changed': ['spec', 'expiry'],
  'owner-changed': ['spec', 'owner'],
  'schedules-changed': ['spec', 'sleepSchedules'],
  'removal-changed': ['spec', 'deletion'],
  'deadline-moved': ['spec', 'deadlines'],
  'uninstall-recorded': ['spec', 'uninstalled'],
};
