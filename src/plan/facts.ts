import type { BackingStore, ClaimState, Seconds } from '../resolve/state.ts';

/**
 * What is remembered of a unit in `out/inventory.jsonl`: enough for the checks across units and for saying what a
 * change does, without reading the unit's source again. Plain JSON.
 */
export type Facts =
  | ClaimFacts
  | MaintenanceFacts
  | ComponentFacts
  | InstallationFacts
  | ShutdownFacts
  | RecordFacts
  | SettingsFacts
  | SystemFacts;

export interface ClaimFacts {
  readonly kind: 'claim';
  readonly name: string;
  readonly cluster: string;
  readonly state: ClaimState;
  readonly owners: readonly string[];
  readonly version: string;
  readonly replicas: number;
  readonly backingStore: BackingStore;
  readonly storage: string;
  readonly host?: string;
  readonly protected: boolean;
  readonly expiry: { readonly after: Seconds; readonly grace: Seconds } | 'Never';
  /** RFC 3339 in UTC; absent when it is not extended. */
  readonly extendedUntil?: string;
  /** RFC 3339; from the older system's annotation; absent without it. */
  readonly renewedAt?: string;
  /** What it syncs from its host beyond its namespace; absent when nothing. */
  readonly hostSync?: readonly string[];
  readonly schedules: number;
  /** What each of them does, as a phrase that goes on after its name; absent without any. */
  readonly timetable?: readonly string[];
  /** Most that its namespace may use, by resource; absent where nothing is limited. */
  readonly quota?: Readonly<Record<string, string>>;
  /** With a quota: what one control-plane replica asks for of it. */
  readonly requests?: Readonly<Record<string, string>>;
  /** Values of its own, or of its chart, by path, as text; absent when there are none. */
  readonly values?: Readonly<Record<string, string>>;
  readonly identity: string;
}

export interface MaintenanceFacts {
  readonly kind: 'maintenance';
  readonly name: string;
  readonly cluster: string;
  readonly nodes: readonly { readonly address: string; readonly pool: string; readonly taints: readonly string[] }[];
  readonly deadlineSeconds: Seconds;
  readonly ignorePdb: boolean;
  /** How many nodes each pool has in all; absent in inventories from before it was kept. */
  readonly pools?: Readonly<Record<string, number>>;
}

export interface InstallationFacts {
  readonly kind: 'installation';
  readonly name: string;
  readonly cluster: string;
  readonly state: 'Installed' | 'Deleted';
  readonly components: readonly string[];
  /** Absent when Ordered. */
  readonly strategy?: 'Quick';
}

export interface ComponentFacts {
  readonly kind: 'component';
  readonly installation: string;
  readonly name: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly wave: number;
  readonly dependsOn: readonly string[];
  /** Of its manifests' bytes, or of its chart's name, version and values. */
  readonly digest: string;
  /** What becomes of its volumes when it is uninstalled; absent when they stay. */
  readonly volumes?: 'Delete';
  /** What runs when it is uninstalled, by `preDelete final-snapshot`; absent when nothing does. */
  readonly hooks?: Readonly<Record<string, string>>;
}

export interface ShutdownFacts {
  readonly kind: 'shutdown';
  readonly cluster: string;
  readonly action: 'Shutdown' | 'Restart' | 'None';
}

export interface RecordFacts {
  readonly kind: 'record';
  readonly name: string;
  /** Published ones, RFC 3339 in UTC. */
  readonly deadlines?: { readonly sleep?: string; readonly delete?: string };
  /** Present while it sleeps because it expired: until it is renewed, its deletion stands. */
  readonly expired?: true;
  readonly uninstalled?: { readonly at: string; readonly data: 'Deleted' | 'Kept' };
}

/** Every setting by its path, as text: what a change of settings does to running things is often nowhere else. */
export interface SettingsFacts {
  readonly kind: 'settings';
  readonly name: 'settings';
  readonly values: Readonly<Record<string, string>>;
}

export interface SystemFacts {
  readonly kind: 'system';
  readonly cluster: string;
  readonly name: string;
}
