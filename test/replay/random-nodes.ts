import type { Chance } from '../lifecycle/simulation/chance.ts';
import type { NodeOptions } from '../support/nodes.ts';
import type { KubeObject } from '../support/objects.ts';
import { pod } from '../support/workloads.ts';
import type { Mirror } from './random-cluster.ts';

export function randomNodes(chance: Chance, prefix: string, subnet: string): readonly NodeOptions[] {
  return Array.from({ length: chance.between(2, 8) }, (_, index) => ({
    name: `${prefix}-n${index + 1}`,
    internalIP: `${subnet}.${index + 1}`,
    labels: { disk: chance.of(['fast', 'slow']), zone: chance.of(['east', 'west']) },
    capacity: { cpu: chance.of(['2', '4', '8', '16']), memory: chance.of(['4Gi', '16Gi', '64Gi']), pods: '30' },
    ...(chance.happens(0.12) && { taints: [{ key: 'dedicated', value: 'group', effect: 'NoSchedule' }] }),
  }));
}

/** What looks like a CSI driver: it registers one with the kubelet, and the node says that it has it. */
export function csiObjects(chance: Chance, nodes: readonly NodeOptions[], where: string): readonly KubeObject[] {
  if (!chance.happens(0.3)) return [];
  return nodes.filter(() => chance.happens(0.7)).flatMap(({ name }) => [csiNode(name), driverOn(name, where)]);
}

function csiNode(name: string): KubeObject {
  const drivers = [{ name: 'quiesce.test', nodeID: name }];
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name }, spec: { drivers } };
}

function driverOn(node: string, where: string): KubeObject {
  const plugins = { name: 'registrar', hostPath: { path: '/var/lib/kubelet/plugins_registry' } };
  const spec = { nodeName: node, volumes: [plugins] };
  return pod({
    name: `driver-${node}`,
    namespace: where,
    pod: { graceSeconds: 1, readyAfter: '1s', goneAfter: '1s', spec },
  });
}

/** Static pods of kubelets, which tolerate whatever removes others. */
export function mirrors(chance: Chance, nodes: readonly NodeOptions[], where: string): readonly Mirror[] {
  if (!chance.happens(0.25)) return [];
  return nodes.filter(() => chance.happens(0.5)).map(({ name }) => mirrorOn(name, where));
}

function mirrorOn(node: string, where: string): Mirror {
  const annotations = { 'kubernetes.io/config.mirror': 'static', 'kubernetes.io/config.source': 'file' };
  const spec = { nodeName: node, tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] };
  const written = pod({ name: `static-${node}`, namespace: where, pod: { annotations, graceSeconds: 1, spec } });
  return { ...written, spec: { ...written.spec, nodeName: node } };
}
