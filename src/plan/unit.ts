import type {
  Claim,
  ClusterConfig,
  Component,
  DeclaredNode,
  HostCluster,
  Installation,
  Settings,
  Shutdown,
} from '../resolve/state.ts';
import type { Origin } from '../validate/finding.ts';
import type { Facts } from './facts.ts';

/** One file of `out/`, or one source worth remembering (`content` absent: records). */
export interface Unit {
  /** `claim/<name>`, `maintenance/<config>`, `component/<installation>/<name>`, …: unique in an instance. */
  readonly id: string;
  /** Relative to `out/`, with `/`. Absent when nothing is rendered. */
  readonly path?: string;
  /** The state document that asks for it. */
  readonly origin: Origin;
  readonly facts: Facts;
  readonly content?: Content;
}

export type Content =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'maintenance'; readonly config: ClusterConfig }
  | { readonly kind: 'nodes'; readonly config: ClusterConfig }
  | { readonly kind: 'installation'; readonly installation: Installation }
  | { readonly kind: 'component'; readonly installation: Installation; readonly component: Component }
  /** `nodes`: every node that the cluster's configs declare. */
  | { readonly kind: 'shutdown'; readonly shutdown: Shutdown; readonly nodes: readonly DeclaredNode[] }
  | { readonly kind: 'system'; readonly part: SystemPart; readonly cluster: HostCluster }
  | {
      readonly kind: 'bootstrap';
      readonly cluster: HostCluster;
      /** What else there is on this cluster, each sorted: appliers without a directory generator need the names. */
      readonly claims: readonly string[];
      readonly configs: readonly string[];
      readonly installations: readonly { readonly name: string; readonly components: readonly ComponentOrder[] }[];
    };

interface ComponentOrder {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/** `out/<cluster>/system/<part>.k8s.yaml` */
export type SystemPart = 'crds' | 'sidecar' | 'lifecycle' | 'keepalive' | 'policy';

/** What rendering any unit may look at besides its content. */
export interface RenderContext {
  readonly settings: Settings;
  readonly version: string;
}
