import type { Component, Installation } from '../src/resolve/state.ts';
import { apiGroup } from './api-group.ts';
import { hookOf, isForLater, isHookJob, withoutHook } from './helm-hooks.ts';
import { isClusterScoped, type ObjectId } from './object-ids.ts';
import { componentLabel, installationLabel } from './ownership.ts';
import { fieldsOf, type PlainObject } from './plain-object.ts';
import { protectedAnnotations } from './protection.ts';
import { SYNC_WAVE, waveOf } from './sync-wave.ts';

/**
 * What a component's manifests or chart gave, with everything laid over that Quiesce is for.
 *
 * *All* of it is protected, not only what bears data: the applier stops rendering a component when its installation is
 * deleted, and would then prune the operator, its webhook and its permissions at once, in its own order, while custom
 * resources still need them to go. The sidecar removes in order; it also removes what an edit has dropped.
 */
export function componentObjects(
  installation: Installation,
  component: Component,
  loaded: readonly PlainObject[],
): PlainObject[] {
  const scopes = scopesOf(loaded);
  const wanted = loaded.filter((object) => !isForLater(object));
  const missing = rendersNamespace(installation, component, loaded) ? [namespaceOf(component)] : [];
  return [...missing, ...wanted].map((object) => {
    const placed = inNamespace(object, component.namespace, scopes);
    return owned(placed, installation, component);
  });
}

export function objectIdOf({ apiVersion, kind, metadata }: PlainObject): ObjectId {
  const { name, namespace } = metadata;
  return { apiVersion, kind, ...(typeof namespace === 'string' && { namespace }), name };
}

function owned(object: PlainObject, installation: Installation, component: Component): PlainObject {
  const wave = waveOf(object, component.wave, hookOf(object));
  const plain = withoutHook(object);
  const own = fieldsOf(plain.metadata.annotations);
  const protection = isHookJob(object)
    ? {}
    : { ...protectedAnnotations, [SYNC_OPTIONS]: syncOptions(own[SYNC_OPTIONS]) };
  const { status: _status, ...rest } = plain;
  const { creationTimestamp: _created, ...metadata } = plain.metadata;
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: {
        ...fieldsOf(metadata.labels),
        [installationLabel]: installation.name,
        [componentLabel]: component.name,
      },
      annotations: { ...own, ...protection, [SYNC_WAVE]: wave },
    },
  } as PlainObject;
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** The author's own options stay, unless they say the opposite. */
function syncOptions(own: unknown): string {
  const ours = (protectedAnnotations[SYNC_OPTIONS] ?? '').split(',');
  const names = new Set(ours.map(optionName));
  const others = typeof own === 'string' ? own.split(',').map((option) => option.trim()) : [];
  return [...others.filter((option) => option !== '' && !names.has(optionName(option))), ...ours].join(',');
}

function optionName(option: string): string {
  return option.split('=')[0] ?? option;
}

/** Scopes of the kinds that the component defines itself, by `<group>/<Kind>`. */
function scopesOf(objects: readonly PlainObject[]): ReadonlyMap<string, string> {
  const definitions = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ spec }) => fieldsOf(spec));
  return new Map(
    definitions.map(({ group, names, scope }) => [`${group}/${String(fieldsOf(names).kind)}`, String(scope)]),
  );
}

/**
 * Charts leave the namespace to Helm, which no applier of plain manifests is. A kind of somebody else's that has no
 * namespace, is not in the table and is not defined by the component itself is told apart by `namespace: ""`.
 */
function inNamespace(object: PlainObject, namespace: string, scopes: ReadonlyMap<string, string>): PlainObject {
  const { namespace: own, ...metadata } = object.metadata;
  if (own === '' || hasNoNamespace(object, scopes)) return { ...object, metadata } as PlainObject;
  return { ...object, metadata: { ...metadata, namespace: own ?? namespace } } as PlainObject;
}

function hasNoNamespace({ apiVersion, kind }: PlainObject, scopes: ReadonlyMap<string, string>): boolean {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const scope = scopes.get(`${group}/${kind}`);
  return scope === undefined ? group === apiGroup || isClusterScoped(kind) : scope === 'Cluster';
}

/**
 * The first component of the installation in a namespace brings it along, unless its manifests do. Kubernetes' own
 * namespaces are nobody's: rendering one would be a claim to delete it.
 */
function rendersNamespace(installation: Installation, component: Component, loaded: readonly PlainObject[]): boolean {
  const { namespace } = component;
  if (namespace === 'default' || namespace.startsWith('kube-')) return false;
  if (loaded.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace)) return false;
  const sharing = installation.components.filter((other) => other.namespace === namespace);
  return sharing.toSorted((a, b) => a.wave - b.wave)[0]?.name === component.name;
}

function namespaceOf({ namespace }: Component): PlainObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
}
