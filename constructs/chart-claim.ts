import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { addNamespace } from './claim.ts';
import type { ClaimProps } from './claim-props.ts';
import { addClaimResource } from './claim-resource.ts';
import { addExposure } from './exposure.ts';
import { claimLabel } from './metadata.ts';
import { applyOrder, isClusterScoped, type ObjectId } from './object-ids.ts';
import { fieldsOf, type PlainData, type PlainObject } from './plain-object.ts';
import { protectedAnnotations, protectedKinds } from './protection.ts';
import { scaleFor } from './sleep.ts';

/**
 * What Quiesce is for, laid over the objects of somebody else's chart: the namespace, protection, sleep, exposure and
 * the claim itself. The chart's values never say that a claim sleeps: its pod template carries a hash of them, so the
 * pods would be replaced on waking, and the chart's replica count would be lost.
 */
export function overlayChart(objects: readonly PlainData[], props: ClaimProps): PlainObject[] {
  const { shape, text } = props;
  const placed = objects.map((object) => inNamespace(object as PlainObject, text.namespace));
  const hasNamespace = placed.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === text.namespace);
  const own = build((chart) => {
    if (!hasNamespace) addNamespace(chart, props);
    addExposure(chart, props);
  });
  const rest = [...placed.map((object) => overlay(object, props)), ...own].sort(
    (a, b) => applyOrder(a.kind) - applyOrder(b.kind),
  );
  const replicas = chartReplicas(placed, text.name) ?? shape.replicas;
  const claim = build((chart) => addClaimResource(chart, props, { objects: rest.map(objectId), replicas }));
  return shape.state === 'Deleted' ? claim : [...rest, ...claim];
}

/**
 * The workloads that run a virtual cluster's control plane, as vCluster's chart labels them. A chart without any is
 * none of vCluster's: it could not be put to sleep.
 */
export function controlPlaneWorkloads(objects: readonly PlainData[], claim: string): PlainObject[] {
  return objects.map((object) => object as PlainObject).filter((object) => isControlPlane(object, claim));
}

function isControlPlane(object: PlainObject, claim: string): boolean {
  const { app, release } = fieldsOf(object.metadata.labels);
  const isWorkload = object.kind === 'StatefulSet' || object.kind === 'Deployment';
  return isWorkload && release === claim && (app === 'vcluster' || app === 'vcluster-etcd');
}

/** Charts leave the namespace to Helm, which no applier of plain manifests is. */
function inNamespace(object: PlainObject, namespace: string): PlainObject {
  const { kind, metadata } = object;
  if (metadata.namespace !== undefined || isClusterScoped(kind)) return object;
  return { ...object, metadata: { ...metadata, namespace } };
}

function overlay(object: PlainObject, props: ClaimProps): PlainObject {
  const { metadata } = object;
  const claim = props.text.name;
  const scale = isControlPlane(object, claim) ? scaleFor(props.shape.state, replicasOf(object)) : undefined;
  const annotations = {
    ...fieldsOf(metadata.annotations),
    ...(isProtected(object, claim) && protectedAnnotations),
    ...scale?.annotations,
  };
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...fieldsOf(metadata.labels), [claimLabel]: claim },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(scale !== undefined && { spec: { ...fieldsOf(object.spec), replicas: scale.replicas } }),
  };
}

/** The same as of the built-in constructs, accounts and roles inside the namespace included (see `rbac.ts`). */
function isProtected(object: PlainObject, claim: string): boolean {
  const { kind, metadata } = object;
  return (
    protectedKinds.has(kind) ||
    isControlPlane(object, claim) ||
    (kind === 'Secret' && metadata.name === `vc-config-${claim}`) ||
    ['ServiceAccount', 'Role', 'RoleBinding'].includes(kind)
  );
}

/** The chart's own count is the one to go back to; a claim's is for the built-in constructs. */
function chartReplicas(objects: readonly PlainObject[], claim: string): number | undefined {
  const workloads = controlPlaneWorkloads(objects, claim);
  const controlPlane = workloads.find(({ metadata }) => fieldsOf(metadata.labels).app === 'vcluster');
  return controlPlane && replicasOf(controlPlane);
}

/** Whether it runs is for the claim to say, so a chart that renders no replicas at all counts as one. */
function replicasOf(workload: PlainObject): number {
  const { replicas } = fieldsOf(workload.spec);
  return typeof replicas === 'number' && replicas > 0 ? replicas : 1;
}

function objectId({ apiVersion, kind, metadata }: PlainObject): ObjectId {
  const { name, namespace } = metadata;
  return { apiVersion, kind, ...(typeof namespace === 'string' && { namespace }), name };
}

function build(fill: (scope: Construct) => void): PlainObject[] {
  const chart = new Chart(new App(), 'claim');
  fill(chart);
  return chart.toJson() as PlainObject[];
}
