import { closest } from '../suggest.ts';
import { type Fault, shown } from './fault.ts';
import { qualifiedNameFault } from './names.ts';

const ofContainers = ['cpu', 'memory', 'ephemeral-storage'];
const ofQuotas = [
  ...ofContainers,
  ...ofContainers.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  'pods',
  'services',
  'services.loadbalancers',
  'services.nodeports',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
];
const hugePages = /^(?:requests\.)?hugepages-[0-9]+[KMG]i$/;

/** What a container may request: a standard name, huge pages, or `vendor.example/thing`. */
export function resourceNameFault(name: string): Fault | undefined {
  return nameFault(name, ofContainers, 'container resource');
}

/** What a ResourceQuota may count: also `count/<resource>.<group>` and `<class>.storageclass.storage.k8s.io/…`. */
export function quotaNameFault(name: string): Fault | undefined {
  return nameFault(name, ofQuotas, 'quota');
}

function nameFault(name: string, known: readonly string[], what: string): Fault | undefined {
  if (known.includes(name) || hugePages.test(name)) return undefined;
  if (name.includes('/')) {
    const fault = qualifiedNameFault(name);
    return fault === undefined ? undefined : { ...fault, path: [name] };
  }
  const meant = closest(name, known);
  return {
    code: 'resource-name-unknown',
    message: `${shown(name)} is no ${what} that Kubernetes knows.`,
    remedy:
      meant === undefined ? `Use one of ${known.join(', ')}, or a name with a domain.` : `Did you mean "${meant}"?`,
    path: [name],
    on: 'key',
  };
}
