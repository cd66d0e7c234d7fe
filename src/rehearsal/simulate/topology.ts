import { matcher } from '../../sidecar/maintenance/label-selector.ts';
import type { ObservedPod } from '../../sidecar/maintenance/observation.ts';
import type { PodTerm, SpreadTerm } from '../snapshot.ts';
import type { SimulatedNode } from './cluster.ts';
import { misfit } from './fit.ts';
import type { RunningPod, SimulatedState } from './state.ts';
import { noUsage } from './usage.ts';

type LetsIn = (node: SimulatedNode) => boolean;

const anybody: LetsIn = () => true;

/** Whether a node takes a pod as far as the pods on it and around it tell: affinity, anti-affinity, an even spread. */
export function amongPods(state: SimulatedState, running: RunningPod): LetsIn {
  const { podAffinity = [], podAntiAffinity = [], spread = [] } = running.template.placement;
  const rules = [
    ...podAffinity.map((term) => near(state, running.pod, term)),
    ...podAntiAffinity.map((term) => far(state, running.pod, term)),
    ...repelledBy(state, running.pod),
    ...spread.map((term) => even(state, running, term)),
  ];
  return rules.length === 0 ? anybody : (node) => rules.every((letsIn) => letsIn(node));
}

/** The first of a group that wants to be together has nobody to go to, and may go anywhere. */
function near(state: SimulatedState, pod: ObservedPod, term: PodTerm): LetsIn {
  const domains = domainsOf(state, pod, term);
  const isFirst = domains.size === 0 && isMeant(term, pod.namespace)(pod);
  return ({ labels }) => {
    const domain = labels[term.topologyKey];
    return domain !== undefined && (isFirst || domains.has(domain));
  };
}

function far(state: SimulatedState, pod: ObservedPod, term: PodTerm): LetsIn {
  const domains = domainsOf(state, pod, term);
  return ({ labels }) => !domains.has(labels[term.topologyKey] ?? '');
}

/** Others that are there keep away whom they do not want. */
function repelledBy(state: SimulatedState, pod: ObservedPod): LetsIn[] {
  const taken = new Map<string, Set<string>>();
  for (const other of state.repelling.values()) {
    const labels = state.nodes.get(other.pod.node)?.labels;
    if (labels === undefined) continue;
    for (const term of other.template.placement.podAntiAffinity ?? []) {
      const domain = labels[term.topologyKey];
      if (domain === undefined || !isMeant(term, other.pod.namespace)(pod)) continue;
      taken.set(term.topologyKey, (taken.get(term.topologyKey) ?? new Set()).add(domain));
    }
  }
  return [...taken].map(
    ([key, domains]): LetsIn =>
      ({ labels }) =>
        !domains.has(labels[key] ?? ''),
  );
}

/** Domains in which a pod is that the term means. */
function domainsOf(state: SimulatedState, { namespace }: ObservedPod, term: PodTerm): Set<string> {
  const isMeantBy = isMeant(term, namespace);
  const domains = new Set<string>();
  for (const { pod } of state.pods.values()) {
    const domain = state.nodes.get(pod.node)?.labels[term.topologyKey];
    if (domain !== undefined && !domains.has(domain) && isMeantBy(pod)) domains.add(domain);
  }
  return domains;
}

function isMeant({ selector, namespaces }: PodTerm, own: string): (pod: ObservedPod) => boolean {
  const matches = matcher(selector);
  const among = namespaces ?? [own];
  return ({ namespace, labels }) => (among === '*' || among.includes(namespace)) && matches(labels);
}

/** Over the domains of all nodes that the pod could go to if nobody were there. */
function even(state: SimulatedState, { pod, template }: RunningPod, term: SpreadTerm): LetsIn {
  const matches = matcher(term.selector);
  const counts = new Map<string, number>();
  for (const node of state.nodes.values()) {
    const domain = node.labels[term.topologyKey];
    const blank = { ...node, taints: [], unschedulable: false, allocatable: {} };
    if (domain !== undefined && misfit(template, blank, noUsage()) === undefined) counts.set(domain, 0);
  }
  for (const { pod: other } of state.pods.values()) {
    const domain = state.nodes.get(other.node)?.labels[term.topologyKey];
    const count = domain === undefined ? undefined : counts.get(domain);
    const isCounted = other.namespace === pod.namespace && other.deletionAt === undefined && matches(other.labels);
    if (domain !== undefined && count !== undefined && isCounted) counts.set(domain, count + 1);
  }
  const least = Math.min(...counts.values());
  const own = matches(pod.labels) ? 1 : 0;
  return ({ labels }) => {
    const count = counts.get(labels[term.topologyKey] ?? '');
    return count !== undefined && count + own - least <= term.maxSkew;
  };
}
