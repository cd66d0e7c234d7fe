import type { Access } from '../test/support/access.ts';
import { create } from '../test/support/objects.ts';
import { pod } from '../test/support/workloads.ts';

/** What runs inside of virtual clusters, as it is seen from outside: Pods that the claim's syncer made here. */
const tenants = [
  { claim: 'registrar-portal', pod: 'enrolment', node: 'general-101' },
  { claim: 'registrar-portal', pod: 'certificates', node: 'general-102' },
  { claim: 'web-engineering', pod: 'shop', node: 'general-103' },
  { claim: 'web-engineering', pod: 'shop-database', node: 'general-103' },
] as const;

/** Without a syncer nobody makes them anew. They take their time to end, so that there is something to see. */
export async function createTenants(access: Access): Promise<void> {
  for (const { claim, pod: name, node } of tenants) {
    const labels = { 'vcluster.loft.sh/managed-by': claim, 'vcluster.loft.sh/namespace': 'default' };
    const options = { labels, behaviour: 'slow-shutdown', graceSeconds: 6, spec: { nodeName: node } } as const;
    const where = { name: `${name}-x-default-x-${claim}`, namespace: `vcluster-${claim}` };
    await create(access, pod({ ...where, pod: options }));
  }
}
