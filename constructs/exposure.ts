import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Construct } from 'constructs';
import type { ClaimProps } from './claim-props.ts';
import { chartLabels } from './metadata.ts';

/**
 * Leads the claim's host name to the Service `http` in the virtual namespace `default`, under the name that it has on
 * the host. It is rendered whether or not that Service exists yet: creating it is how people publish something.
 * Not protected, so that a claim that is exposed no more is reachable no more.
 */
export function addExposure(scope: Construct, { shape, text }: ClaimProps): void {
  if (shape.ingress === undefined) return;
  const { className, annotations, tls, tlsSecret } = shape.ingress;
  const backend = { service: { name: text.service, port: { number: 80 } } };
  new k8s.KubeIngress(scope, 'ingress', {
    metadata: { name: text.name, namespace: text.namespace, labels: chartLabels(shape, text), annotations },
    spec: {
      ...(className !== undefined && { ingressClassName: className }),
      rules: [{ host: text.host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      // Without a common certificate: a Secret of the claim's own, which the issuer named by an annotation fills.
      ...(tls && { tls: [{ hosts: [text.host], secretName: tlsSecret ?? `${text.name}-tls` }] }),
    },
  });
}
