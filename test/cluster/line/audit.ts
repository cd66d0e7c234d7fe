import { brokenUninstall } from '../claims/audit.ts';
import { type AuditLine, sidecarUser } from '../sidecar/audit.ts';

/** Besides what the sidecar does: whatever anybody deletes, and makes or changes, also in a dry run. */
export const watchedByAll: readonly object[] = [
  { level: 'Metadata', verbs: ['delete', 'deletecollection'] },
  { level: 'Metadata', users: ['admin'], verbs: ['create', 'patch'] },
];

interface Ordered {
  /** Uninstalled, as the installation is. */
  readonly claims: readonly string[];
  /** Of these something went, and they live: they slept, or were restored in the middle. */
  readonly living: readonly string[];
  readonly installation: string;
  /** Of the installation's own, in other namespaces. */
  readonly swept: readonly string[];
  /** Names that nobody may delete. */
  readonly customers: readonly string[];
}

/** What holds of everything that was put to rest beside an applier, from what the API server has seen. */
export function brokenRest(lines: readonly AuditLine[], ordered: Ordered): string[] {
  const { claims, living, installation, swept, customers } = ordered;
  const isOfInstallation = ({ namespace, name = '' }: AuditLine) =>
    namespace === installation || name.startsWith(installation) || swept.includes(name);
  const namespaces = [...claims.map((claim) => `vcluster-${claim}`), installation];
  const granted = lines.filter(({ status }) => status < 300);
  return [
    ...(lines.some(isApplier) ? [] : ['nothing is known of the applier']),
    ...brokenUninstall(
      lines.filter((line) => !isOfInstallation(line)),
      [...claims, ...living],
    ),
    ...granted
      .filter((line) => isDeletion(line) && customers.includes(line.name ?? ''))
      .map(({ resource, name }) => `${resource} ${name} is a customer's`),
    ...granted.filter(isLossByApplier).map((line) => `${line.agent} deleted ${line.resource} ${line.name}`),
    ...namespaces.flatMap((namespace) => madeAgain(granted, namespace)),
    ...namespaces.flatMap((namespace) => deletedAfterTheEnd(granted, namespace)),
  ];
}

function isDeletion({ verb, requestUri }: AuditLine): boolean {
  return verb.startsWith('delete') && !requestUri.includes('dryRun=');
}

const holding: readonly string[] = [
  ...['customresourcedefinitions', 'namespaces', 'persistentvolumeclaims', 'services', 'statefulsets', 'deployments'],
  ...['secrets', 'serviceaccounts'],
];

/** Deleting what holds data is the sidecar's alone. */
function isLossByApplier(line: AuditLine): boolean {
  return isApplier(line) && isDeletion(line) && holding.includes(line.resource);
}

function isApplier({ agent }: AuditLine): boolean {
  return /^(?:argocd|kustomize|flux-kustomize)/.test(agent);
}

/** By self-heal, what the sidecar had deleted. */
function madeAgain(lines: readonly AuditLine[], namespace: string): string[] {
  const inIt = lines.filter((line) => line.namespace === namespace || isNamespace(line, namespace));
  const begun = inIt.find(({ user, verb }) => user === sidecarUser && verb === 'delete')?.received ?? Infinity;
  const made = inIt.filter((line) => isApplier(line) && line.status === 201 && line.received > begun);
  return made
    .filter(({ requestUri }) => !requestUri.includes('dryRun='))
    .map(({ agent, resource, name }) => `${agent} made ${resource} ${namespace}/${name} again`);
}

function isNamespace({ resource, name }: AuditLine, namespace: string): boolean {
  return resource === 'namespaces' && name === namespace;
}

/** `Deleted` says that nothing is left that was to go. */
function deletedAfterTheEnd(lines: readonly AuditLine[], namespace: string): string[] {
  const name = namespace.replace('vcluster-', '');
  const ends = lines.filter((line) => line.user === sidecarUser && line.name === name && saysDeleted(line));
  const end = ends[0]?.received;
  if (end === undefined) return [`nobody said that ${name} is Deleted`];
  return lines
    .filter((line) => isDeletion(line) && line.received > end)
    .filter((line) => line.namespace === namespace || isNamespace(line, namespace))
    .map((line) => `${line.resource} ${line.name} was deleted after ${name} was Deleted`);
}

function saysDeleted({ verb, subresource, body }: AuditLine): boolean {
  const { status } = (body ?? {}) as { readonly status?: { readonly phase?: string } };
  return verb === 'patch' && subresource === 'status' && status?.phase === 'Deleted';
}
