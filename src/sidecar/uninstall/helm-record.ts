import { gunzipSync } from 'node:zlib';
import { loadAll } from 'js-yaml';
import type { ReleaseObject, SeenRelease } from './observation.ts';

/** A Secret that Helm keeps a release in. */
export interface RawRecord {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

interface Release {
  readonly info?: { readonly status?: string };
  readonly manifest?: string;
  readonly hooks?: readonly { readonly name?: string; readonly kind?: string; readonly events?: readonly string[] }[];
}

/** Of every revision, the newest. */
export function newestRelease(records: readonly RawRecord[]): SeenRelease | undefined {
  const newest = records.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
  if (newest === undefined) return undefined;
  const { namespace = '', labels = {}, creationTimestamp } = newest.metadata;
  const base = {
    namespace,
    name: labels.name ?? '',
    revision: revisionOf(newest),
    at: changedAt(newest, creationTimestamp),
  };
  try {
    const { info, manifest = '', hooks = [] } = decode(newest.data?.release ?? '');
    return {
      ...base,
      status: info?.status ?? labels.status ?? 'unknown',
      objects: objectsIn(manifest, namespace),
      hooks: hooks
        .filter(({ events = [] }) => events.includes('pre-delete') || events.includes('post-delete'))
        .map(({ kind, name }) => `${kind} ${name}`),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...base, status: labels.status ?? 'unknown', objects: [], hooks: [], unreadable: why };
  }
}

function revisionOf({ metadata }: RawRecord): number {
  return Number(metadata.labels?.version ?? 0);
}

/** Helm writes the second of its last change into a label. */
function changedAt({ metadata }: RawRecord, created: string): number {
  const seconds = Number(metadata.labels?.modifiedAt ?? metadata.labels?.createdAt);
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(created);
}

/** Base64 of the API, base64 of Helm, and gzip where its magic number stands (`pkg/storage/driver/util.go`). */
function decode(data: string): Release {
  const inner = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64');
  const isZipped = inner[0] === 0x1f && inner[1] === 0x8b && inner[2] === 0x08;
  return JSON.parse((isZipped ? gunzipSync(inner) : inner).toString('utf8')) as Release;
}

interface Document {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, unknown>> | null;
  };
}

function objectsIn(manifest: string, namespace: string): ReleaseObject[] {
  return (loadAll(manifest) as (Document | null | undefined)[]).flatMap((document) => {
    if (document === null || document === undefined || document.kind === undefined) return [];
    const { apiVersion = '', kind, metadata = {} } = document;
    const policy = metadata.annotations?.['helm.sh/resource-policy'];
    return [
      {
        apiVersion,
        kind,
        namespace: metadata.namespace ?? namespace,
        name: metadata.name ?? '',
        ...(policy !== undefined && policy !== null && { resourcePolicy: String(policy) }),
      },
    ];
  });
}
