import { ApiObject, App, Chart } from 'cdk8s';
import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import { Construct } from 'constructs';
import type { ClaimProps } from './claim-props.ts';
import { addClaimResource } from './claim-resource.ts';
import { addControlPlane, addControlPlaneServices } from './control-plane.ts';
import { addEtcd, addEtcdServices } from './etcd.ts';
import { addExposure } from './exposure.ts';
import { addLimits } from './limits.ts';
import { chartLabels, claimLabel } from './metadata.ts';
import type { ObjectId } from './object-ids.ts';
import { protectedAnnotations } from './protection.ts';
import { addRoles, addServiceAccounts } from './rbac.ts';

/**
 * Everything that is rendered for one claim, in the order to apply it in. Its chart must have no namespace of its own:
 * cdk8s puts a chart's namespace on cluster-scoped objects too.
 */
export class ClaimObjects extends Construct {
  constructor(scope: Construct, id: string, props: ClaimProps) {
    super(scope, id);
    // A deleted claim still names what was rendered for it, since that is what has to go.
    const place = props.shape.state === 'Deleted' ? new Chart(new App(), 'not-rendered') : this;
    addVirtualCluster(place, props);
    addClaimResource(this, props, { objects: objectIds(place), replicas: props.shape.replicas });
  }
}

function addVirtualCluster(scope: Construct, props: ClaimProps): void {
  const separateEtcd = props.shape.backingStore === 'deployedEtcd';
  addNamespace(scope, props);
  addLimits(scope, props);
  addServiceAccounts(scope, props);
  addConfig(scope, props);
  addRoles(scope, props);
  addControlPlaneServices(scope, props);
  if (separateEtcd) addEtcdServices(scope, props);
  addControlPlane(scope, props);
  if (separateEtcd) addEtcd(scope, props);
  addExposure(scope, props);
}

export function addNamespace(scope: Construct, { text }: ClaimProps): void {
  new k8s.KubeNamespace(scope, 'namespace', {
    metadata: { name: text.namespace, labels: { [claimLabel]: text.name }, annotations: protectedAnnotations },
  });
}

/** `data`, not `stringData`: it is what the API server gives back, so nothing differs. */
function addConfig(scope: Construct, { shape, text }: ClaimProps): void {
  new k8s.KubeSecret(scope, 'config', {
    metadata: {
      name: `vc-config-${text.name}`,
      namespace: text.namespace,
      labels: chartLabels(shape, text),
      annotations: protectedAnnotations,
    },
    type: 'Opaque',
    data: { 'config.yaml': text.config },
  });
}

function objectIds(scope: Construct): ObjectId[] {
  return scope.node
    .findAll()
    .filter((child) => ApiObject.isApiObject(child))
    .map(({ apiVersion, kind, metadata, name }) => ({
      apiVersion,
      kind,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      name,
    }));
}
