import type { Json } from '../render/yaml.ts';
import { isMap, type JsonObject } from './object-diff.ts';

/** What a Role or a binding grants that it did not grant before, in words; empty for every other kind. */
export function widenedRights(kind: string, before: JsonObject | undefined, after: JsonObject): readonly string[] {
  if (kind === 'Role' || kind === 'ClusterRole') return widenedRules(kind, before, after);
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return widenedSubjects(kind, before, after);
  return [];
}

interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** Empty for every name. */
  readonly names: readonly string[];
}

function widenedRules(kind: string, before: JsonObject | undefined, after: JsonObject): readonly string[] {
  const had = grantsOf(before);
  const more = grantsOf(after).filter((grant) => !had.some((other) => covers(other, grant)));
  const verbs = new Map<string, string[]>();
  for (const { group, resource, verb, names } of more) {
    const what = `${resource}${group === '' ? '' : `.${group}`}${names.length === 0 ? '' : ` named ${names.join(', ')}`}`;
    const known = verbs.get(what);
    if (known === undefined) verbs.set(what, [verb]);
    else if (!known.includes(verb)) known.push(verb);
  }
  const where = kind === 'ClusterRole' ? ' in the whole cluster' : '';
  return [...verbs].map(([what, list]) => `it may ${list.join(', ')} ${what}${where}`);
}

/** One for each group, resource and verb; a URL counts as a resource. */
function grantsOf(role: JsonObject | undefined): readonly Grant[] {
  return listOf(role?.rules).flatMap((rule) => {
    if (!isMap(rule)) return [];
    const names = textsOf(rule.resourceNames);
    const verbs = textsOf(rule.verbs);
    const urls = textsOf(rule.nonResourceURLs).flatMap((resource) =>
      verbs.map((verb) => ({ group: '', resource, verb, names: [] })),
    );
    const resources = textsOf(rule.apiGroups).flatMap((group) =>
      textsOf(rule.resources).flatMap((resource) => verbs.map((verb) => ({ group, resource, verb, names }))),
    );
    return [...resources, ...urls];
  });
}

/** As the API server matches rules: `*` is everything, no names are all names. */
function covers(had: Grant, wanted: Grant): boolean {
  const meets = (a: string, b: string): boolean => a === '*' || a === b;
  return (
    meets(had.group, wanted.group) &&
    (meets(had.resource, wanted.resource) || isSubresourceOfAll(had.resource, wanted.resource)) &&
    meets(had.verb, wanted.verb) &&
    (had.names.length === 0 || (wanted.names.length > 0 && wanted.names.every((name) => had.names.includes(name))))
  );
}

/** The rule `*` with a subresource behind it holds for that subresource of every resource. */
function isSubresourceOfAll(had: string, wanted: string): boolean {
  return had.startsWith('*/') && wanted.endsWith(had.slice(1));
}

function widenedSubjects(kind: string, before: JsonObject | undefined, after: JsonObject): readonly string[] {
  const had = new Set(subjectsOf(before));
  const role = isMap(after.roleRef) ? `${after.roleRef.kind} ${after.roleRef.name}` : 'a role';
  const where = kind === 'ClusterRoleBinding' ? ' in the whole cluster' : '';
  return subjectsOf(after)
    .filter((subject) => !had.has(subject))
    .map((subject) => `${subject} gets ${role}${where}`);
}

function subjectsOf(binding: JsonObject | undefined): readonly string[] {
  return listOf(binding?.subjects)
    .filter(isMap)
    .map(({ kind, name, namespace }) => `${kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}
