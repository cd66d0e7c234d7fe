import { isMap, type JsonObject, type ObjectDiff } from './object-diff.ts';

/**
 * What the API server refuses to change, by kind. Each pattern meets paths of fields that are fixed; `but` those that are
 * not. Rules from the validation of Kubernetes 1.31 (`ValidateStatefulSetUpdate` and its like in pkg/apis).
 */
const fixed: Readonly<Record<string, { readonly fields: RegExp; readonly but?: RegExp }>> = {
  StatefulSet: {
    fields: /^spec\./,
    but: /^spec\.(?:replicas|ordinals|template|updateStrategy|persistentVolumeClaimRetentionPolicy|minReadySeconds|revisionHistoryLimit)\b/,
  },
  Deployment: { fields: /^spec\.selector\b/ },
  DaemonSet: { fields: /^spec\.selector\b/ },
  ReplicaSet: { fields: /^spec\.selector\b/ },
  Job: { fields: /^spec\.(?:selector|template|completionMode|completions|podFailurePolicy)\b/ },
  Service: { fields: /^spec\.clusterIPs?\b/ },
  PersistentVolumeClaim: { fields: /^spec\./, but: /^spec\.(?:resources|volumeAttributesClassName)\b/ },
  PersistentVolume: { fields: /^spec\.(?:csi|nfs|local|hostPath|iscsi|volumeMode)\b/ },
  StorageClass: { fields: /^(?:provisioner|parameters|reclaimPolicy|volumeBindingMode)\b/ },
  PriorityClass: { fields: /^(?:value|preemptionPolicy)\b/ },
  RoleBinding: { fields: /^roleRef\b/ },
  ClusterRoleBinding: { fields: /^roleRef\b/ },
  CustomResourceDefinition: { fields: /^spec\.(?:scope|group|names\.kind)\b/ },
  Secret: { fields: /^type$/ },
};

/** Paths of changed fields that the API server will refuse, sorted as in the diff. */
export function immutableFields(kind: string, before: JsonObject, diff: ObjectDiff): readonly string[] {
  const paths = diff.fields.map(({ path }) => path);
  const { fields, but } = fixed[kind] ?? {};
  const refused = fields === undefined ? [] : paths.filter((path) => fields.test(path) && but?.test(path) !== true);
  const isFrozen = (kind === 'Secret' || kind === 'ConfigMap') && before.immutable === true;
  const frozen = isFrozen ? paths.filter((path) => /^(?:data|stringData|binaryData|immutable)\b/.test(path)) : [];
  const bare =
    kind === 'Pod' && isMap(before.spec) ? paths.filter((path) => /^spec\./.test(path) && !/\.image$/.test(path)) : [];
  return [...refused, ...frozen, ...bare];
}
