import type { KubeObject } from '../test/support/objects.ts';
import { type Stage, volumeStages } from '../test/support/stages.ts';

const className = 'replicated-ssd';

/** Volumes of the class that a claim of the shipped state asks for come from the same pretended provisioner. */
export const storageClass: KubeObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: className },
  provisioner: 'quiesce.test',
  volumeBindingMode: 'Immediate',
};

/** Gives every Ingress an address, as a controller would: until it has one, Argo CD calls it unfinished. */
const ingressStage: Stage = {
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 'ingress-gets-an-address' },
  spec: {
    resourceRef: { apiGroup: 'networking.k8s.io/v1', kind: 'Ingress' },
    selector: {
      matchExpressions: [
        { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
        { key: '.status.loadBalancer.ingress', operator: 'DoesNotExist' },
      ],
    },
    next: { statusTemplate: 'loadBalancer: {ingress: [{ip: 10.20.0.6}]}' },
  },
};

export const standInStages: readonly Stage[] = [ingressStage, ...volumeStages.map(forOtherClass)];

function forOtherClass(stage: Stage): Stage {
  const { metadata, ...rest } = stage;
  const other = JSON.parse(JSON.stringify(rest).replaceAll(/\bstandard\b/g, className)) as Omit<Stage, 'metadata'>;
  return { ...other, metadata: { name: `${metadata.name}-${className}` } };
}
