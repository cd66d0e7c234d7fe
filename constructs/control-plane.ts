import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { ClaimProps } from './claim-props.ts';
import { controlPlanePod, hasOwnData } from './control-plane-pod.ts';
import { chartLabels, podLabels } from './metadata.ts';
import { protectedAnnotations } from './protection.ts';
import { servicePorts } from './service-ports.ts';
import { scaleFor } from './sleep.ts';
import { DataStatefulSet, dataVolumeClaims } from './stateful-set.ts';

/** Synced objects are owned by the first Service, so deleting it deletes the tenant's pods and volumes. */
export function addControlPlaneServices(scope: Construct, { shape, text }: ClaimProps): void {
  const { namespace, name } = text;
  new k8s.KubeService(scope, 'service', {
    metadata: {
      name,
      namespace,
      labels: { ...chartLabels(shape, text), 'vcluster.loft.sh/service': 'true' },
      annotations: protectedAnnotations,
    },
    spec: {
      type: 'ClusterIP',
      selector: podLabels(text),
      ports: servicePorts({ https: [443, 8443], kubelet: [10250, 8443] }),
    },
  });
  if (!hasOwnData(shape)) return;
  const etcd = shape.backingStore === 'embeddedEtcd' ? ({ etcd: [2379, 2379], peer: [2380, 2380] } as const) : {};
  new k8s.KubeService(scope, 'headless-service', {
    metadata: {
      name: `${name}-headless`,
      namespace,
      labels: chartLabels(shape, text),
      annotations: protectedAnnotations,
    },
    spec: {
      clusterIp: 'None',
      publishNotReadyAddresses: true,
      selector: podLabels(text),
      ports: servicePorts({ https: [443, 8443], ...etcd }),
    },
  });
}

export function addControlPlane(scope: Construct, props: ClaimProps): void {
  const { shape, text } = props;
  const scale = scaleFor(shape.state, shape.replicas);
  const metadata = {
    name: text.name,
    namespace: text.namespace,
    labels: chartLabels(shape, text),
    annotations: { ...protectedAnnotations, ...scale.annotations },
  };
  const common = {
    replicas: scale.replicas,
    selector: { matchLabels: podLabels(text) },
    template: controlPlanePod(props),
  };
  if (hasOwnData(shape)) {
    const spec = {
      serviceName: `${text.name}-headless`,
      podManagementPolicy: 'Parallel',
      ...dataVolumeClaims(shape.storage),
    };
    new DataStatefulSet(scope, 'control-plane', { metadata, spec: { ...common, ...spec } });
  } else {
    new k8s.KubeDeployment(scope, 'control-plane', {
      metadata,
      spec: { ...common, strategy: rollout(shape.replicas) },
    });
  }
}

/** One replica is replaced only when its successor is ready. By the HA count also while asleep, as the template is. */
function rollout(replicas: number): k8s.DeploymentStrategy {
  return {
    type: 'RollingUpdate',
    rollingUpdate: {
      maxSurge: k8s.IntOrString.fromNumber(1),
      maxUnavailable: k8s.IntOrString.fromNumber(replicas === 1 ? 0 : 1),
    },
  };
}
