import { chunks } from './chunks.ts';
import type { KubeClient } from './client.ts';
import { NoAnswer, Refused } from './failures.ts';
import { readList } from './json-list.ts';
import type { Resource, Scope } from './resource.ts';

export interface ListOptions extends Scope {
  readonly pageSize: number;
  readonly fieldSelector?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  onItem(item: unknown): void;
  /** What was handed out so far does not count: the list begins anew. */
  onRestart?(): void;
}

const silenceMs = 30_000;

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

/**
 * A page has to arrive within the few minutes that etcd keeps old revisions. If one comes too late, the list begins
 * anew with larger pages, and at last without pages: that one cannot be too late, so it ends.
 */
export async function list(client: KubeClient, resource: Resource, options: ListOptions): Promise<string> {
  const sizes = [options.pageSize, options.pageSize * 4, undefined];
  for (const [attempt, size] of sizes.entries()) {
    if (attempt > 0) options.onRestart?.();
    try {
      return await pages(client, resource, size, options);
    } catch (error) {
      if (!isExpired(error) || attempt === sizes.length - 1) throw error;
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
}

async function pages(client: KubeClient, resource: Resource, size: number | undefined, options: ListOptions) {
  let next: string | undefined;
  for (;;) {
    const { metadata = {} }: Page = await page(client, resource, { options, size, next });
    if (!metadata.continue) return metadata.resourceVersion ?? '';
    next = metadata.continue;
  }
}

interface PageOptions {
  readonly options: ListOptions;
  readonly size: number | undefined;
  readonly next: string | undefined;
}

async function page(client: KubeClient, resource: Resource, { options, size, next }: PageOptions): Promise<Page> {
  const { namespace, labelSelector, fieldSelector, accept, signal, onItem } = options;
  const answer = await client.open({
    verb: 'list',
    resource,
    namespace,
    signal,
    accept,
    query: {
      ...(size !== undefined && { limit: String(size) }),
      ...(next !== undefined && { continue: next }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    },
  });
  const reader = readList((text) => onItem(JSON.parse(text)));
  try {
    for await (const chunk of chunks(answer, silenceMs)) reader.push(chunk);
    return JSON.parse(reader.end()) as Page;
  } catch (error) {
    throw new NoAnswer(`list ${resource.plural}`, error);
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof Refused && error.status === 410;
}
