import type { LabelSelector } from '../../sidecar/maintenance/observation.ts';
import type { Amounts, NodeRequirement, NodeTerm, Placement, PodTerm, SpreadTerm } from '../snapshot.ts';
import { amountsOf, largest, sum } from './amounts.ts';

type Quantities = Readonly<Record<string, string>>;

interface RawContainer {
  readonly resources?: { readonly requests?: Quantities };
  readonly restartPolicy?: string;
  readonly ports?: readonly { readonly hostPort?: number; readonly protocol?: string }[];
}

interface RawPodTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}

interface Required<T> {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: T;
}

export interface RawNodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

/** The part of a Pod's `spec` that a scheduler goes by. */
export interface RawPlacement {
  readonly containers?: readonly RawContainer[];
  readonly initContainers?: readonly RawContainer[];
  readonly resources?: { readonly requests?: Quantities };
  readonly overhead?: Quantities;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
  readonly resourceClaims?: readonly object[];
  readonly affinity?: {
    readonly nodeAffinity?: Required<{ readonly nodeSelectorTerms?: readonly RawNodeTerm[] }>;
    readonly podAffinity?: Required<readonly RawPodTerm[]>;
    readonly podAntiAffinity?: Required<readonly RawPodTerm[]>;
  };
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly maxSkew: number;
    readonly whenUnsatisfiable: string;
    readonly labelSelector?: LabelSelector;
  }[];
}

export function placementOf(spec: RawPlacement, { isOfDaemonSet }: { readonly isOfDaemonSet: boolean }): Placement {
  const { nodeSelector, affinity = {}, schedulerName = 'default-scheduler', resourceClaims = [] } = spec;
  const terms = affinity.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const nodeAffinity = terms && (isOfDaemonSet ? withoutNames(nodeTerms(terms)) : nodeTerms(terms));
  const spread = spreadOf(spec);
  const hostPorts = hostPortsOf(spec);
  return {
    requests: requestsOf(spec),
    ...(nodeSelector !== undefined && { nodeSelector }),
    ...(nodeAffinity !== undefined && { nodeAffinity }),
    ...podTerms('podAffinity', affinity.podAffinity),
    ...podTerms('podAntiAffinity', affinity.podAntiAffinity),
    ...(spread.length > 0 && { spread }),
    ...(hostPorts.length > 0 && { hostPorts }),
    ...(schedulerName !== 'default-scheduler' && { scheduler: schedulerName }),
    ...(resourceClaims.length > 0 && { claimsDevices: true as const }),
  };
}

/**
 * What the scheduler reserves: of the containers and the sidecars together, or of an init container with the sidecars
 * that are started before it, if that is more (kubernetes `pkg/api/v1/resource`).
 */
function requestsOf({ containers = [], initContainers = [], resources, overhead }: RawPlacement): Amounts {
  const requestOf = (container: RawContainer) => amountsOf(container.resources?.requests);
  const sidecars: Amounts[] = [];
  const starting: Amounts[] = [];
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') sidecars.push(requestOf(container));
    starting.push(sum([...sidecars, ...(container.restartPolicy === 'Always' ? [] : [requestOf(container)])]));
  }
  const running = sum([...containers.map(requestOf), ...sidecars]);
  const byContainers = largest([running, ...starting]);
  return sum([{ ...byContainers, ...amountsOf(resources?.requests) }, amountsOf(overhead)]);
}

export function nodeTerms(terms: readonly RawNodeTerm[]): NodeTerm[] {
  return terms.map(({ matchExpressions = [], matchFields = [] }) => ({
    ...(matchExpressions.length > 0 && { labels: matchExpressions }),
    ...(matchFields.length > 0 && { names: matchFields }),
  }));
}

/** The controller pins each of its Pods to a node; what it asks for besides is its template's. */
function withoutNames(terms: readonly NodeTerm[]): readonly NodeTerm[] | undefined {
  const rest = terms.flatMap(({ labels }) => (labels === undefined ? [] : [{ labels }]));
  return rest.length === 0 ? undefined : rest;
}

function podTerms(
  name: 'podAffinity' | 'podAntiAffinity',
  affinity: Required<readonly RawPodTerm[]> | undefined,
): Partial<Pick<Placement, 'podAffinity' | 'podAntiAffinity'>> {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.length === 0 ? {} : { [name]: terms.map(podTerm) };
}

function podTerm({ topologyKey, labelSelector, namespaces = [], namespaceSelector }: RawPodTerm): PodTerm {
  return {
    topologyKey,
    ...(labelSelector !== undefined && { selector: labelSelector }),
    ...(namespaceSelector !== undefined && { namespaces: '*' as const }),
    ...(namespaceSelector === undefined && namespaces.length > 0 && { namespaces }),
  };
}

function spreadOf({ topologySpreadConstraints = [] }: RawPlacement): SpreadTerm[] {
  return topologySpreadConstraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey, maxSkew, labelSelector }) => ({
      topologyKey,
      maxSkew,
      ...(labelSelector !== undefined && { selector: labelSelector }),
    }));
}

function hostPortsOf({ containers = [], initContainers = [] }: RawPlacement): string[] {
  const ports = [...containers, ...initContainers].flatMap((container) => container.ports ?? []);
  const taken = ports.flatMap(({ hostPort, protocol = 'TCP' }) =>
    hostPort === undefined || hostPort === 0 ? [] : [`${protocol}/${hostPort}`],
  );
  return [...new Set(taken)].sort();
}
