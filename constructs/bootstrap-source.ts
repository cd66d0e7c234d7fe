import type { Content } from '../src/plan/unit.ts';
import type { GitSettings, HostCluster, Settings } from '../src/resolve/state.ts';

type BootstrapContent = Extract<Content, { readonly kind: 'bootstrap' }>;

/** What is to be applied to one host cluster. */
export type BootstrapProps = Omit<BootstrapContent, 'kind'>;

/** Where an applier finds it: repository, branch, and the cluster's folder relative to the repository. */
export interface AppliedSource {
  readonly url: string;
  readonly branch: string;
  readonly folder: string;
}

export function appliedSource({ url, branch, target }: GitSettings, cluster: HostCluster): AppliedSource {
  const steps = [...target.path.split('/'), cluster.name].filter((step) => step !== '' && step !== '.');
  return { url: target.url ?? url, branch: target.branch ?? branch, folder: steps.join('/') };
}

/**
 * Name of an applier's object. With dots, which none of the parts can contain: joined with dashes, installation `a-b`
 * with component `c` and installation `a` with component `b-c` would be one.
 */
export function applierName(settings: Settings, cluster: HostCluster, ...parts: readonly string[]): string {
  return [settings.name, cluster.name, ...parts].join('.');
}
