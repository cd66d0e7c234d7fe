import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';
import type { Application, ManagedResource, SyncedResource } from './argocd-applications.ts';
import type { Comparison } from './argocd-comparisons.ts';
import type { KubeObject } from './objects.ts';

/** What a person would look up in Argo CD's web pages to learn why an Application is not what it should be. */
export function explain(name: string, found: Application, compared: readonly Comparison[]): string {
  const { sync, health, conditions = [], operationState, resources = [] } = found.status ?? {};
  const synced = operationState?.syncResult?.resources ?? [];
  const commit = sync?.revision ?? 'no revision';
  const lines = [
    `Application ${name}: ${sync?.status ?? 'not compared'}, ${health?.status ?? 'no health'}, compared with ${commit}`,
    ...conditions.map(({ type, message }) => `condition ${type}: ${message}`),
    `last sync: ${operationState === undefined ? 'none' : `${operationState.phase}: ${operationState.message}`}`,
    ...resources.filter(isToBeTold).map((one) => `${nameOf(one)}: ${stateOf(one, synced)}`),
    ...compared.filter(({ modified }) => modified === true).map(differenceOf),
  ];
  return lines.map((line) => indent(line)).join('\n');
}

export interface ApplicationSet extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

/** An Application that is not there may be one that an ApplicationSet has not made. */
export function explainAbsence(name: string, sets: readonly ApplicationSet[]): string {
  return [indent(`there is no Application ${name}`), ...sets.map(explainSet)].join('\n');
}

export function explainSet({ metadata, status = {} }: ApplicationSet): string {
  const lines = (status.conditions ?? []).map(({ type, status, message }) => `${type}=${status}: ${message}`);
  return lines.map((line) => indent(`ApplicationSet ${metadata.name}: ${line}`)).join('\n');
}

function isToBeTold({ status, health }: ManagedResource): boolean {
  return status !== 'Synced' || (health !== undefined && health.status !== 'Healthy');
}

function stateOf(resource: ManagedResource, synced: readonly SyncedResource[]): string {
  const { status = 'no status', health, requiresPruning } = resource;
  const result = synced.find((one) => nameOf(one) === nameOf(resource));
  return [
    status,
    ...(requiresPruning === true ? ['is no longer in git'] : []),
    ...(health === undefined ? [] : [`${health.status}${health.message ? ` (${health.message})` : ''}`]),
    ...(result === undefined ? [] : [`sync result ${result.status ?? 'unknown'}: ${result.message ?? ''}`]),
  ].join(', ');
}

function differenceOf(comparison: Comparison): string {
  const { normalizedLiveState = '', predictedLiveState = '' } = comparison;
  const live = asYaml(normalizedLiveState);
  const predicted = asYaml(predictedLiveState);
  const patch = createTwoFilesPatch('there', 'after a sync', live, predicted, undefined, undefined, { context: 2 });
  // The first two lines are headings of a patch file.
  return `${nameOf(comparison)} differs:\n${indent(patch.split('\n').slice(1).join('\n').trimEnd())}`;
}

function asYaml(state: string): string {
  const value: unknown = state === '' ? null : JSON.parse(state);
  return value === null ? '' : stringify(value, { sortMapEntries: true });
}

interface Named {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

function nameOf({ kind, namespace, name }: Named): string {
  return namespace ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
