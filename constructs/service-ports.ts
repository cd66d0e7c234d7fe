import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';

/** Named TCP ports: `{ https: [443, 8443] }` leads from 443 to the container's 8443. */
export function servicePorts(
  ports: Readonly<Record<string, readonly [port: number, target: number]>>,
): k8s.ServicePort[] {
  return Object.entries(ports).map(([name, [port, target]]) => ({
    name,
    port,
    targetPort: k8s.IntOrString.fromNumber(target),
    protocol: 'TCP',
  }));
}
