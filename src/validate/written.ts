import type { Origin } from './finding.ts';
import type { ClaimDocument } from './kinds/claim.ts';
import type { ClusterDocument, NodePoolDocument } from './kinds/cluster.ts';
import type { InstallationDocument } from './kinds/installation.ts';
import type { RecordDocument } from './kinds/record.ts';
import type { SettingsDocument } from './kinds/settings.ts';
import type { ShutdownDocument } from './kinds/shutdown.ts';

// What people wrote, typed and with its place, before any default is filled in.

export type WrittenSettings = SettingsDocument & { readonly origin: Origin };
export type WrittenClaim = ClaimDocument & { readonly origin: Origin };
export type WrittenInstallation = InstallationDocument & { readonly origin: Origin };
export type WrittenShutdown = ShutdownDocument & { readonly origin: Origin };
export type WrittenRecord = RecordDocument & { readonly origin: Origin };

/** One file of `state/clusters/`: the documents of it that are read. */
export interface WrittenClusterConfig {
  readonly kind: 'Cluster';
  /** Of the `Cluster` document. */
  readonly origin: Origin;
  readonly cluster: ClusterDocument;
  /** In the order of the file; pools of other clusters are left out. */
  readonly pools: readonly WrittenNodePool[];
}

export interface WrittenNodePool {
  readonly origin: Origin;
  readonly pool: NodePoolDocument;
}

export type Written =
  | WrittenSettings
  | WrittenClaim
  | WrittenClusterConfig
  | WrittenInstallation
  | WrittenShutdown
  | WrittenRecord;
