import { suffixed } from './bounded-name.ts';
import { fieldsOf, type Json, type PlainObject } from './plain-object.ts';

export interface Hook {
  readonly phase: 'before' | 'after';
  readonly weight: number;
}

const HOOK = 'helm.sh/hook';
const WEIGHT = 'helm.sh/hook-weight';
const POLICY = 'helm.sh/hook-delete-policy';

const before = new Set(['pre-install', 'pre-upgrade']);
const after = new Set(['post-install', 'post-upgrade']);
const ordinary = new Set(['crd-install']);

/** Undefined for what is no hook. */
export function hookOf(object: PlainObject): Hook | undefined {
  const events = hookEvents(object);
  const weight = Number.parseInt(String(annotation(object, WEIGHT) ?? '0'), 10) || 0;
  if (events.some((event) => before.has(event))) return { phase: 'before', weight };
  if (events.some((event) => after.has(event))) return { phase: 'after', weight };
  return undefined;
}

/**
 * What runs on deletion, on rollback or as a test. `helm template` writes it like everything else, and an applier of
 * plain manifests would run a `pre-delete` clean-up at install: so it is left out. An installation names the Jobs that
 * are to run on deletion itself.
 */
export function isForLater(object: PlainObject): boolean {
  const events = hookEvents(object);
  const now = events.some((event) => before.has(event) || after.has(event) || ordinary.has(event));
  return events.length > 0 && !now;
}

/**
 * A hook as an ordinary object. Left as a hook, Argo CD would run it before or after the *whole* installation, Flux at
 * no particular time, and a changed Job is refused by both because it is immutable. So a Job is named after its
 * content: a change makes a new one, the old one is pruned. It keeps no time to live either: one that removes itself
 * would be applied, and run, again.
 */
export function withoutHook(object: PlainObject): PlainObject {
  const { [HOOK]: _hook, [WEIGHT]: _weight, [POLICY]: _policy, ...annotations } = fieldsOf(object.metadata.annotations);
  const plain: PlainObject = { ...object, metadata: { ...object.metadata, annotations } };
  return isHookJob(object) ? namedByContent(withoutTimeToLive(plain)) : plain;
}

/** Nothing is lost with a Job that has run. */
export function isHookJob(object: PlainObject): boolean {
  return object.kind === 'Job' && hookEvents(object).length > 0;
}

function hookEvents(object: PlainObject): string[] {
  const value = annotation(object, HOOK);
  return typeof value === 'string' ? value.split(',').map((event) => event.trim()) : [];
}

function annotation(object: PlainObject, key: string): Json | undefined {
  return fieldsOf(object.metadata.annotations)[key];
}

function withoutTimeToLive(job: PlainObject): PlainObject {
  const { ttlSecondsAfterFinished: _ttl, ...spec } = fieldsOf(job.spec);
  return { ...job, spec };
}

function namedByContent(job: PlainObject): PlainObject {
  return { ...job, metadata: { ...job.metadata, name: suffixed(job.metadata.name, JSON.stringify(job)) } };
}
