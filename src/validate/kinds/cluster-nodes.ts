import type { DeclaredNode, Taint } from '../../resolve/state.ts';
import type { DataPath, Origin } from '../finding.ts';
import type { WrittenClusterConfig } from '../written.ts';

/** A pool as the file declares it, with the place of its spec. */
export interface DeclaredPool {
  readonly name: string;
  readonly role: DeclaredNode['role'];
  readonly origin: Origin;
  readonly path: DataPath;
  readonly addresses: readonly string[];
  readonly taints: readonly Taint[];
}

interface PoolSpec {
  readonly nodes?: readonly { readonly address: string }[] | null | undefined;
  readonly taints?: readonly WrittenTaint[] | null | undefined;
}

interface WrittenTaint {
  readonly key: string;
  readonly effect: Taint['effect'];
  readonly value?: string | undefined;
}

/** Control plane and load balancers first, which are part of the Cluster document and have no name of their own. */
export function declaredPools({ cluster, origin, pools }: WrittenClusterConfig): DeclaredPool[] {
  const { controlPlane, loadBalancer } = cluster.spec;
  return [
    toPool(
      'control-plane',
      'control-plane',
      origin,
      ['spec', 'controlPlane', 'nodePoolSpec'],
      controlPlane?.nodePoolSpec,
    ),
    toPool(
      'load-balancer',
      'load-balancer',
      origin,
      ['spec', 'loadBalancer', 'nodePoolSpec'],
      loadBalancer?.nodePoolSpec,
    ),
    ...pools.map((each) => toPool(each.pool.metadata.name, 'worker', each.origin, ['spec'], each.pool.spec)),
  ];
}

function toPool(
  name: string,
  role: DeclaredNode['role'],
  origin: Origin,
  path: DataPath,
  spec: PoolSpec | null | undefined,
): DeclaredPool {
  const taints = (spec?.taints ?? []).map(({ key, effect, value }) => ({
    key,
    effect,
    ...(value !== undefined && value !== '' && { value }),
  }));
  return { name, role, origin, path, addresses: (spec?.nodes ?? []).map(({ address }) => address), taints };
}

export interface NodePlace extends DeclaredNode {
  readonly origin: Origin;
  readonly path: DataPath;
}

/** Every declared node with the place of its address. */
export function declaredNodes(written: WrittenClusterConfig): NodePlace[] {
  return declaredPools(written).flatMap(({ name, role, origin, path, addresses, taints }) =>
    addresses.map((address, index) => ({
      address,
      pool: name,
      role,
      taints,
      origin,
      path: [...path, 'nodes', index, 'address'],
    })),
  );
}
