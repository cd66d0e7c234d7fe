import type { KubeObject } from '../../support/objects.ts';

/** Manifests as people write them: without a namespace, which the component has. */

interface Manifest extends KubeObject {
  readonly metadata: KubeObject['metadata'];
}

const image = 'registry.example.edu/app:1';

function podTemplate(app: string) {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'app', image }] } };
}

export function deployment(name: string, replicas = 2): Manifest {
  const spec = { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name) };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
}

export function statefulSet(name: string): Manifest {
  const claim = {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'standard',
    },
  };
  const selector = { matchLabels: { app: name } };
  const spec = { replicas: 2, serviceName: name, selector, template: podTemplate(name), volumeClaimTemplates: [claim] };
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name }, spec };
}

export function service(name: string): Manifest {
  const spec = { selector: { app: name }, ports: [{ port: 443 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}

export function configMap(name: string, metadata: object = {}): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { a: 'b' } };
}

export function placed(object: Manifest, namespace: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

export function definition(plural: string, kind: string): Manifest {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.shop.example.edu` },
    spec: {
      group: 'shop.example.edu',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

export function custom(kind: string, name: string): Manifest {
  return { apiVersion: 'shop.example.edu/v1', kind, metadata: { name } };
}

/** Refuses nothing and cannot be reached: whatever it matches cannot be changed. */
export function deadWebhook(name: string, namespace: string, objectSelector: object): Manifest {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.edu`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 1,
        clientConfig: { service: { namespace, name: 'nobody', path: '/' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }],
        objectSelector,
      },
    ],
  };
}
