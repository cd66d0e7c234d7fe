import type { Hook } from './helm-hooks.ts';
import { fieldsOf, type PlainObject } from './plain-object.ts';

export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/** Room for the waves of one component: its own order stays, and never mixes with that of another one. */
const STRIDE = 1000;

/** Of each component: namespace and CRDs (within a wave Argo CD goes by kind), hooks before, the rest, hooks after. */
const offsets = { foundation: -450, before: -400, after: 400 } as const;
const HOOK_ROOM = 35;
const OWN_ROOM = 350;

/** Before every component. */
export const installationWave: Readonly<Record<string, string>> = { [SYNC_WAVE]: `${-STRIDE}` };

/** Wave of an object of the component in `wave`, with the one that its author gave it as a place within. */
export function waveOf(object: PlainObject, wave: number, hook: Hook | undefined): string {
  return `${wave * STRIDE + placeWithin(object, hook)}`;
}

function placeWithin(object: PlainObject, hook: Hook | undefined): number {
  if (object.kind === 'Namespace' || object.kind === 'CustomResourceDefinition') return offsets.foundation;
  if (hook !== undefined) return offsets[hook.phase] + within(hook.weight, HOOK_ROOM);
  return within(ownWave(object), OWN_ROOM);
}

function ownWave(object: PlainObject): number {
  const value = fieldsOf(object.metadata.annotations)[SYNC_WAVE];
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

function within(value: number, room: number): number {
  return Math.max(-room, Math.min(room, value));
}
