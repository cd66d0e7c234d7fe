import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { apiGroup } from './api-group.ts';

const POLICY = 'quiesce-claim-deletion';

/**
 * Only these groups may delete a claim with kubectl; with git, whoever may merge.
 *
 * Once git says Deleted, anybody with the verb may: then it is the applier that prunes the resource, under an account
 * that is not known here (on another cluster it is whatever its kubeconfig says). Before that, an applier must not
 * delete it either, so its account is no exception. Kubernetes' own controllers are one: refusing the garbage collector
 * would only leave things behind. `system:masters` is none: who has it can take this policy away.
 *
 * In version v1, so from Kubernetes 1.30 on; the typed constructs know the beta only.
 */
export function addClaimDeletionPolicy(scope: Construct, groups: readonly string[]): void {
  const metadata = { name: POLICY, labels: { 'app.kubernetes.io/part-of': 'quiesce' } };
  new ApiObject(scope, 'policy', {
    apiVersion: API_VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [claimDeletion] },
      variables: [
        { name: 'groups', expression: celList(groups) },
        { name: 'controllers', expression: celList(controllers) },
      ],
      validations: [{ expression: allowed.join(' || '), message: refusal(groups), reason: 'Forbidden' }],
    },
  });
  new ApiObject(scope, 'binding', {
    apiVersion: API_VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: POLICY, validationActions: ['Deny'] },
  });
}

const API_VERSION = 'admissionregistration.k8s.io/v1';

const claimDeletion = {
  apiGroups: [apiGroup],
  apiVersions: ['*'],
  operations: ['DELETE'],
  resources: ['vclusterclaims'],
  scope: 'Cluster',
};

const allowed: readonly string[] = [
  "oldObject.spec.state == 'Deleted'",
  'request.userInfo.groups.exists(group, group in variables.groups)',
  'request.userInfo.username in variables.controllers',
];

function refusal(groups: readonly string[]): string {
  const who = groups.length === 0 ? 'Nobody may' : `Only members of ${groups.join(', ')} may`;
  return `${who} delete a claim with kubectl; set spec.state to Deleted in git`;
}

/** The garbage collector and the namespace controller, with accounts of their own and without. */
const controllers: readonly string[] = [
  'system:kube-controller-manager',
  'system:serviceaccount:kube-system:generic-garbage-collector',
  'system:serviceaccount:kube-system:namespace-controller',
];

/** A JSON string is a CEL string: both know the same escapes. */
function celList(values: readonly string[]): string {
  return JSON.stringify(values);
}
