import type { AuditLine } from '../sidecar/audit.ts';
import { sidecarUser } from '../sidecar/audit.ts';

/** What holds of every uninstall, from what the API server has seen and not from what we say. */
export function brokenInvariants(lines: readonly AuditLine[], customers: readonly string[]): string[] {
  const ours = lines.filter(({ user }) => user === sidecarUser);
  const deletions = ours.filter(({ verb }) => verb.startsWith('delete'));
  return [
    ...deletions.filter(({ verb }) => verb === 'deletecollection').map((line) => `${wordsOf(line)} was a collection`),
    ...deletions.filter(({ body }) => !hasUid(body)).map((line) => `${wordsOf(line)} was deleted without its UID`),
    ...deletions
      .filter(({ body }) => /"gracePeriodSeconds"/.test(text(body)))
      .map((line) => `${wordsOf(line)} lost its grace`),
    ...deletions
      .filter((line) => customers.includes(line.name ?? ''))
      .map((line) => `${wordsOf(line)} is a customer's`),
    ...ours
      .filter(({ verb, resource, body }) => verb === 'patch' && !known.includes(resource) && !/"uid":/.test(text(body)))
      .map((line) => `${wordsOf(line)} was patched without its UID`),
  ];
}

/** And of `stackOfEverything`, killed or not: its hook ran once, and its kind went after everything of that kind. */
export function brokenCourse(lines: readonly AuditLine[], customers: readonly string[]): string[] {
  const hooks = lines.filter(
    ({ user, verb, resource, status }) =>
      user === sidecarUser && verb === 'create' && resource === 'jobs' && status < 300,
  );
  const granted = deletionsIn(lines);
  const [kind, object] = ['customresourcedefinitions gears.shop.example.edu', 'gears main'].map((each) =>
    granted.indexOf(each),
  );
  const isInOrder = kind !== undefined && object !== undefined && object >= 0 && kind > object;
  return [
    ...brokenInvariants(lines, customers),
    ...(hooks.length === 1 ? [] : [`the hook was begun ${hooks.length} times`]),
    ...(isInOrder ? [] : [`in the wrong order: ${granted.join(', ')}`]),
  ];
}

const known: readonly string[] = ['events', 'leases'];

function hasUid(body: AuditLine['body']): boolean {
  return /"preconditions":\{[^}]*"uid":/.test(text(body));
}

function text(body: AuditLine['body']): string {
  return JSON.stringify(body ?? {});
}

function wordsOf({ resource, namespace, name }: AuditLine): string {
  return `${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The order in which the sidecar asked for deletions that were granted: `resource name`. */
export function deletionsIn(lines: readonly AuditLine[]): string[] {
  return lines
    .filter(({ user, verb, status }) => user === sidecarUser && verb === 'delete' && status < 300)
    .sort((a, b) => a.received - b.received)
    .map(({ resource, name }) => `${resource} ${name}`);
}
