import * as z from 'zod';

// Bare-metal cluster configs belong to their users and to `bmctl`: several documents in one file, most of whose fields
// mean nothing here. Every object is loose; only what is read is described.

export const bareMetalGroup = 'baremetal.cluster.gke.io';
export const deadlineAnnotation = `${bareMetalGroup}/maintenance-mode-deadline-seconds`;
export const ignorePdbAnnotation = `${bareMetalGroup}/maintenance-mode-ignore-pdb`;

const node = z.looseObject({ address: z.string().describe('IP address of the node.') });
const nodes = z.array(node).describe('Its machines.');

const taint = z.looseObject({
  key: z.string().describe('Label key of the taint.'),
  value: z.string().describe('Value.').optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).describe('What it does.'),
});

const poolSpec = z.looseObject({
  nodes: nodes.nullish(),
  taints: z.array(taint).describe('Taints on every node of the pool.').nullish(),
});

const poolHolder = z.looseObject({ nodePoolSpec: poolSpec.nullish() });

export const clusterSchema = z
  .looseObject({
    apiVersion: z.string().describe('baremetal.cluster.gke.io/v1'),
    kind: z.literal('Cluster').describe('Always Cluster.'),
    metadata: z.looseObject({
      name: z.string().describe('Name of the cluster, as the file.'),
      namespace: z.string().nullish(),
      annotations: z
        .looseObject({
          [deadlineAnnotation]: z
            .unknown()
            .describe(
              'Seconds until a node counts as in maintenance although pods are left, as text. Default: "1200".',
            ),
          [ignorePdbAnnotation]: z
            .unknown()
            .describe('Present with any value: drain by taint, disruption budgets ignored. Remove it for the default.'),
        })
        .partial()
        .nullish(),
    }),
    spec: z.looseObject({
      anthosBareMetalVersion: z.string().describe('Version; up to 1.28 nodes are drained by taint.').nullish(),
      controlPlane: poolHolder.describe('Control plane.').nullish(),
      loadBalancer: poolHolder.describe('Load balancers.').nullish(),
      maintenanceBlocks: z
        .looseObject({
          cidrBlocks: z
            .array(z.string())
            .describe('Nodes to put into maintenance: addresses, ranges `first-last`, networks; IPv4 and IPv6.')
            .nullish(),
        })
        .describe('Nodes under maintenance.')
        .nullish(),
    }),
  })
  .describe('A bare-metal cluster.');

export const nodePoolSchema = z
  .looseObject({
    apiVersion: z.string().describe('baremetal.cluster.gke.io/v1'),
    kind: z.literal('NodePool').describe('Always NodePool.'),
    metadata: z.looseObject({ name: z.string().describe('Name of the pool.'), namespace: z.string().nullish() }),
    spec: z.looseObject({
      clusterName: z.string().describe('The cluster it belongs to.').nullish(),
      nodes: nodes.nullish(),
      taints: z.array(taint).describe('Taints on every node of the pool.').nullish(),
    }),
  })
  .describe('A pool of worker nodes.');

export type ClusterDocument = z.infer<typeof clusterSchema>;
export type NodePoolDocument = z.infer<typeof nodePoolSchema>;
