import type { KubeClient } from '../kube/client.ts';
import { NoAnswer, Refused } from '../kube/failures.ts';
import { list } from '../kube/list.ts';
import type { ServedKind } from './discovery.ts';
import type { Unread } from './observation.ts';
import type { RawSeen } from './project.ts';

export interface ListAsk {
  readonly kind: ServedKind;
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** More than the metadata. */
  readonly whole?: boolean;
}

export type Listed =
  | { readonly kind: 'listed'; readonly items: readonly RawSeen[] }
  | { readonly kind: 'failed'; readonly unread: Unread };

/** Nothing more than is wanted of each. */
export function formOf(verb: 'list' | 'watch', whole = false): { readonly accept?: string } {
  const as = verb === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return whole ? {} : { accept: `application/json;as=${as};g=meta.k8s.io;v=v1,application/json` };
}

export function keyOf({ kind, namespace, labelSelector, whole = false }: ListAsk): string {
  return JSON.stringify([kind.apiVersion, kind.kind, namespace, labelSelector, whole]);
}

/** Whether a part of everything can be told by it without the API server: all that we write ourselves, and most of others. */
export function canTellApart({ labelSelector = '' }: ListAsk): boolean {
  return labelSelector.split(',').every((part) => /^[\w./-]+(=[\w.-]*)?$/.test(part));
}

/** What is asked for, of everything of the kind. */
export function partOf(listed: Listed, { namespace, labelSelector }: ListAsk): Listed {
  if (listed.kind === 'failed') return listed;
  const wanted = (labelSelector?.split(',') ?? []).map((part) => part.split('=', 2));
  const isWanted = ({ metadata: { labels = {}, ...metadata } }: RawSeen) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    wanted.every(([key = '', value]) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value));
  return { kind: 'listed', items: listed.items.filter(isWanted) };
}

interface Page {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly RawSeen[] | null;
}

/** Everything of a kind, if one answer has room for it. */
export async function listIfFew(
  client: KubeClient,
  { kind, whole }: ListAsk,
  pageSize: number,
): Promise<Listed | 'many'> {
  try {
    const { items, metadata } = await client.read<Page>({
      verb: 'list',
      resource: kind.resource,
      query: { limit: String(pageSize) },
      ...formOf('list', whole),
    });
    return metadata?.continue ? 'many' : { kind: 'listed', items: items ?? [] };
  } catch (error) {
    return listedBecause(kind, error);
  }
}

export async function listOne(client: KubeClient, ask: ListAsk, pageSize: number): Promise<Listed> {
  const { kind, namespace, labelSelector, whole } = ask;
  let items: RawSeen[] = [];
  try {
    await list(client, kind.resource, {
      pageSize,
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...formOf('list', whole),
      onItem: (item) => items.push(item as RawSeen),
      onRestart: () => {
        items = [];
      },
    });
    return { kind: 'listed', items };
  } catch (error) {
    return listedBecause(kind, error);
  }
}

/** What is registered and cannot be listed has no content, nor has what is not served any more. */
export function listedBecause({ apiVersion, kind }: ServedKind, error: unknown): Listed {
  const unread = unreadBecause(`${apiVersion}/${kind}`, error);
  return unread.status === 405 || unread.status === 404 ? { kind: 'listed', items: [] } : { kind: 'failed', unread };
}

/** Errors of the world; of any other kind they are a mistake of ours, and go on up. */
export function unreadBecause(what: string, error: unknown): Unread {
  if (error instanceof Refused) {
    const { status, message: why, retryAfterSeconds } = error;
    return { what, status, why, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (error instanceof NoAnswer) return { what, status: 0, why: error.message };
  throw error;
}
