import * as z from 'zod';
import type { SeenObject, Unread } from '../../sidecar/uninstall/observation.ts';
import type { SnapshotKind, SnapshotRelease } from '../snapshot.ts';
import { flag, instant, maybe, number, text, textByName, texts } from './fields.ts';

const details = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('namespace'),
    conditions: z.array(z.object({ type: text, status: text, message: text })),
  }),
  z.object({
    kind: z.literal('called'),
    services: z.array(z.object({ namespace: text, name: text, alive: flag })),
    others: number,
  }),
  z.object({ kind: z.literal('statefulSet'), templates: texts }),
]);

export const seenObject: z.ZodType<SeenObject> = z.object({
  apiVersion: text,
  kind: text,
  namespace: maybe(text),
  name: text,
  uid: text,
  resourceVersion: text,
  createdAt: instant,
  deletedAt: maybe(instant),
  labels: textByName,
  finalizers: texts,
  owners: z.array(z.object({ uid: text, kind: text, name: text })),
  resourcePolicy: maybe(text),
  isImported: maybe(z.literal(true)),
  rendered: flag,
  isCarried: maybe(z.literal(true)),
  sweptBy: maybe(texts),
  details: maybe(details),
});

export const servedKind: z.ZodType<SnapshotKind> = z.object({
  apiVersion: text,
  kind: text,
  plural: text,
  namespaced: flag,
  deletable: flag,
});

export const unread: z.ZodType<Unread> = z.object({
  what: text,
  status: number,
  why: text,
  retryAfterSeconds: maybe(number),
});

const releaseObject = z.object({
  apiVersion: text,
  kind: text,
  namespace: maybe(text),
  name: text,
  resourcePolicy: maybe(text),
});

export const release: z.ZodType<SnapshotRelease> = z.object({
  namespace: text,
  name: text,
  revision: number,
  at: instant,
  status: text,
  objects: maybe(z.array(releaseObject)),
  hooks: maybe(texts),
  unreadable: maybe(text),
});
