import { isRemovable, type ServedKind } from './discovery.ts';
import type { ListAsk } from './listing.ts';
import type { SeenObject } from './observation.ts';
import type { Ownership, UninstallPlan } from './plan.ts';
import { wholeKinds } from './project.ts';
import type { Survey } from './survey.ts';

/** By label: cluster-wide by what all components have in common, so that one list serves all of them. */
export async function readOwn(
  tools: Survey,
  isOfInterest: (kind: ServedKind) => boolean,
): Promise<readonly SeenObject[]> {
  const kinds = tools.discovery.kinds.filter(isRemovable).filter(isOfInterest);
  const own = tools.plan.components.flatMap((component) => component.own);
  const asks = kinds.flatMap((kind) => {
    const applicable = own.filter((each) => mayOwn(each, kind));
    const everywhere = selectorsOf(
      applicable.filter(({ namespace }) => namespace === undefined),
      tools.plan.subject.kind,
    );
    const whole = wholeKinds.includes(kind.kind);
    return [
      ...everywhere.map((labelSelector) => tools.follow({ kind, labelSelector, whole })),
      ...withinNamespaces(applicable).map((place) => tools.list({ kind, ...place, whole })),
    ];
  });
  return (await Promise.all(asks)).flat();
}

function mayOwn({ kinds, clusterScoped, namespace }: Ownership, { kind, resource }: ServedKind): boolean {
  if (kinds !== undefined && !kinds.includes(kind)) return false;
  return resource.namespaced ? clusterScoped !== true : namespace === undefined;
}

/** Where several labels count, everything is listed once: what is not ours is told apart afterwards. */
function withinNamespaces(own: readonly Ownership[]): Pick<ListAsk, 'namespace' | 'labelSelector'>[] {
  const byNamespace = new Map<string, Set<string>>();
  for (const { namespace, labels } of own) {
    if (namespace === undefined) continue;
    byNamespace.set(namespace, new Set([...(byNamespace.get(namespace) ?? []), selectorOf(labels)]));
  }
  return [...byNamespace].map(([namespace, selectors]) => {
    const [labelSelector = ''] = selectors;
    return selectors.size > 1 ? { namespace } : { namespace, labelSelector };
  });
}

/**
 * Claims are many, and several may go at once: asked for by the label's name alone, one list serves all of them, and
 * whose an object is, is told apart afterwards.
 */
function selectorsOf(own: readonly Ownership[], kind: UninstallPlan['subject']['kind']): string[] {
  const [first, ...others] = own;
  if (first === undefined) return [];
  if (kind === 'VClusterClaim') return [...new Set(own.map(({ labels }) => Object.keys(labels).join(',')))];
  const common = Object.entries(first.labels).filter(([key, value]) =>
    others.every(({ labels }) => labels[key] === value),
  );
  if (common.length > 0) return [selectorOf(Object.fromEntries(common))];
  return [...new Set(own.map(({ labels }) => selectorOf(labels)))];
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
