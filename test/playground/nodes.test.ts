import { expect, it } from 'vitest';
import { nodesOf } from '../../playground/nodes.ts';

const config = `sshPrivateKeyPath: /home/operator/.ssh/one
---
apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata: {name: one, namespace: cluster-one}
spec:
  controlPlane: {nodePoolSpec: {nodes: [{address: 10.0.0.1}]}}
  loadBalancer: {nodePoolSpec: {nodes: [{address: 10.0.0.2}]}}
---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata: {name: gpu, namespace: cluster-one}
spec:
  nodes: [{address: "2001:db8::21"}, {address: 10.0.1.7}]
  labels: {example.edu/gpu: present}
  taints: [{key: example.edu/gpu, value: present, effect: NoSchedule}]
`;

it('there is a node for every machine of a cluster config, at its address', () => {
  const gpu = {
    labels: { 'node-role.kubernetes.io/gpu': '', 'example.edu/gpu': 'present' },
    taints: [{ key: 'example.edu/gpu', value: 'present', effect: 'NoSchedule' }],
  };
  expect(nodesOf(config)).toEqual([
    {
      name: 'control-plane-1',
      internalIP: '10.0.0.1',
      labels: { 'node-role.kubernetes.io/control-plane': '' },
      taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
    },
    { name: 'load-balancer-2', internalIP: '10.0.0.2', labels: { 'node-role.kubernetes.io/load-balancer': '' } },
    { name: 'gpu-21', internalIP: '2001:db8::21', ...gpu },
    { name: 'gpu-7', internalIP: '10.0.1.7', ...gpu },
  ]);
});
