import { type AuditLine, sidecarUser } from '../sidecar/audit.ts';

/** What holds of every uninstall: of the claims named, by UID, with the grace that each has, and nothing of others. */
export function brokenUninstall(lines: readonly AuditLine[], claims: readonly string[]): string[] {
  const ours = lines.filter(({ user }) => user === sidecarUser);
  const deletions = ours.filter(({ verb }) => verb.startsWith('delete'));
  const isTheirs = ({ namespace, resource, name = '' }: AuditLine) =>
    namespace === undefined || resource === 'namespaces'
      ? claims.some((claim) => name.includes(claim))
      : claims.some((claim) => isSpaceOf(claim, namespace));
  return [
    ...deletions.filter((line) => !isTheirs(line)).map(({ resource, name }) => `${resource} ${name} is of no claim`),
    ...deletions.filter(({ verb }) => verb === 'deletecollection').map(({ resource }) => `all ${resource} at once`),
    ...deletions.filter(({ resource }) => resource === 'vclusterclaims').map(({ name }) => `claim ${name} was deleted`),
    ...unfenced(deletions),
    ...graceless(ours),
  ];
}

/** Its own, and what these tests call the copies that a virtual cluster has made. */
function isSpaceOf(claim: string, namespace: string): boolean {
  return namespace === `vcluster-${claim}` || namespace.endsWith(`-of-${claim}`);
}

/** What holds of every run of the claims loop while nothing is to be uninstalled, from what the API server has seen. */
export function brokenPromises(lines: readonly AuditLine[]): string[] {
  const ours = lines.filter(({ user }) => user === sidecarUser);
  const deletions = ours.filter(({ verb }) => verb.startsWith('delete'));
  return [
    ...deletions
      .filter(({ resource, verb }) => resource !== 'pods' || verb === 'deletecollection')
      .map(({ resource, name }) => `${resource} ${name} was deleted`),
    ...deletions
      .filter(({ namespace = '' }) => !/^vcluster-|-of-/.test(namespace))
      .map(({ namespace, name }) => `${namespace}/${name} is of no claim`),
    ...unfenced(deletions),
    ...graceless(ours),
    ...ours
      .filter(({ verb, resource }) => ['create', 'update', 'patch'].includes(verb) && !written.includes(resource))
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`),
  ];
}

const written: readonly string[] = ['leases', 'events', 'vclusterclaims', 'maintenanceblocks'];

function unfenced(deletions: readonly AuditLine[]): string[] {
  const without = deletions.filter((line) => !bodyOf(line).includes('"preconditions":{"uid":'));
  return without.map(({ resource, name }) => `${resource} ${name} was deleted without its UID`);
}

function graceless(lines: readonly AuditLine[]): string[] {
  const without = lines.filter((line) => /"gracePeriodSeconds":\s*0\b/.test(bodyOf(line)));
  return without.map(({ resource, name }) => `${resource} ${name} got no grace`);
}

function bodyOf({ body }: AuditLine): string {
  return JSON.stringify(body ?? {});
}
